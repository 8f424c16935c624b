// All that the page knows, as signals. Panels read it; actions and messages of the server write it.

import { computed, signal } from "@preact/signals";

import { EMPTY, appended } from "./logic/series";
import { kept } from "./logic/selection";
import { allNames, whatIs, type What } from "./logic/tree";
import type { LinkState } from "./link";
import type { ClockMessage, HelloMessage, NoticeMessage, PlotsMessage, Properties, Report, SceneMessage, Series, Vec3 } from "./protocol";
import type { Tool, ViewOptions } from "./view/types";

export interface Notice {
  id: number;
  level: "info" | "warning" | "error";
  text: string;
  count: number;
}

export interface Plot {
  id: number;
  x: string | null; // null: against time
  quantities: string[];
}

export interface MenuPlace {
  x: number;
  y: number;
  what: What | "scene" | "file";
  point: Vec3 | null; // of the world, if it was opened in the picture
}

/** Joints are picked one after the other for what acts in joints: motors, gears. */
export interface JointPicking {
  make: "joint" | "force";
  kind: string;
  count: 1 | 2;
  picked: string[];
}

export type Dialog =
  | { type: "start" | "help" | "commands" | "save" | "array" | "mirror" }
  | { type: "breaks"; joint: string }
  | { type: "when"; name: string } // "": of the whole mechanism
  | { type: "code"; title: string; text: string }
  | { type: "plot" };

export type Theme = "auto" | "light" | "dark";
export type Side = "properties" | "solver" | "report";

// --- what the server said ------------------------------------------------------------------------------------------------------------

export const link = signal<{ state: LinkState; retryAt: number }>({ state: "connecting", retryAt: 0 });
export const hello = signal<HelloMessage | null>(null);
export const scene = signal<SceneMessage | null>(null);
export const clock = signal<ClockMessage | null>(null);
export const series = signal<Series>(EMPTY);
export const properties = signal<Properties | null>(null);
export const report = signal<Report | null>(null);
export const notices = signal<Notice[]>([]);
export const shownTime = signal(0); // of the poses in the picture

// --- what the user does --------------------------------------------------------------------------------------------------------------

export const selection = signal<ReadonlySet<string>>(new Set());
export const anchor = signal<string | null>(null);
export const hovered = signal<string | null>(null);
export const tool = signal<Tool | null>(null);
export const jointPicking = signal<JointPicking | null>(null);
export const hint = signal("");
export const renaming = signal<string | null>(null);
export const menu = signal<MenuPlace | null>(null);
export const dialog = signal<Dialog | null>(null);
export const factor = signal(1);
export const plots = signal<Plot[]>([]);
export const arrows = signal<ReadonlySet<string>>(new Set());
export const following = signal<string | null>(null);
export const sliders = signal<ReadonlySet<string>>(new Set()); // "name key" of fields that are shown as sliders
export const filter = signal("");
export const busy = signal<string | null>(null); // what is under way, if it takes long

// --- how it looks --------------------------------------------------------------------------------------------------------------------

export const side = signal<Side>("properties");
export const leftOpen = signal(true);
export const rightOpen = signal(true);
export const drawerOpen = signal(false);
export const theme = signal<Theme>("auto");
export const systemDark = signal(false);
export const viewOptions = signal<ViewOptions>({
  dark: false,
  joints: true,
  frames: false,
  grid: true,
  shadows: true,
  labels: false,
  snap: true,
  trails: [],
});

// --- derived -------------------------------------------------------------------------------------------------------------------------

export const dark = computed(() => theme.value === "dark" || (theme.value === "auto" && systemDark.value));
export const past = computed(() => scene.value?.past ?? null);
export const running = computed(() => clock.value?.running ?? false);
export const planar = computed(() => scene.value?.planar ?? true);
export const mayEdit = computed(() => link.value.state === "open" && clock.value?.control !== "other");
export const isEmpty = computed(() => scene.value !== null && scene.value.bodies.length === 0);

/** What the selection consists of, and the one component if it is one. */
export const selected = computed(() => {
  const names = [...selection.value];
  const kinds = new Set(names.map((name) => whatIs(scene.value, name)));
  return { names, what: kinds.size === 1 ? [...kinds][0]! : null, only: names.length === 1 ? names[0]! : null };
});

// --- changes -------------------------------------------------------------------------------------------------------------------------

const REMEMBERED = 50; // notices

let lastNotice = 0;

/** Notices with one more; the same sentence again is counted, not repeated. */
export function withNotice(list: readonly Notice[], level: Notice["level"], text: string, id: number): Notice[] {
  const same = list.find((notice) => notice.text === text && notice.level === level);
  const others = list.filter((notice) => notice !== same);
  return [...others, { id: same?.id ?? id, level, text, count: (same?.count ?? 0) + 1 }].slice(-REMEMBERED);
}

export function notify(level: NoticeMessage["level"], text: string): void {
  notices.value = withNotice(notices.value, level, text, ++lastNotice);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** A new scene: what is gone is no longer selected, followed or drawn with arrows. */
export function receiveScene(message: SceneMessage): void {
  const names = allNames(message);
  scene.value = message;
  selection.value = kept(selection.value, names);
  arrows.value = kept(arrows.value, names);
  if (following.value !== null && !names.has(following.value)) following.value = null;
  const trails = viewOptions.value.trails.filter((name) => names.has(name));
  if (trails.length !== viewOptions.value.trails.length) viewOptions.value = { ...viewOptions.value, trails };
}

export function receivePlots(message: PlotsMessage): void {
  series.value = message.restart ? { t: message.t, values: message.values } : appended(series.value, message);
}

/** All quantities that any plot needs. */
export function wantedQuantities(list: readonly Plot[]): string[] {
  return [...new Set(list.flatMap((plot) => (plot.x === null ? plot.quantities : [plot.x, ...plot.quantities])))];
}

/** Plots with a quantity added to one of them, or to a new one. */
export function withQuantity(list: readonly Plot[], quantity: string, into: number | null): Plot[] {
  if (!list.some((plot) => plot.id === into)) {
    const id = 1 + Math.max(0, ...list.map((plot) => plot.id));
    return [...list, { id, x: null, quantities: [quantity] }];
  }
  return list.map((plot) => (plot.id === into && !plot.quantities.includes(quantity) ? { ...plot, quantities: [...plot.quantities, quantity] } : plot));
}

/** Plots without a quantity in one of them; a plot without any goes. */
export function withoutQuantity(list: readonly Plot[], quantity: string, from: number): Plot[] {
  return list
    .map((plot) => (plot.id === from ? { ...plot, quantities: plot.quantities.filter((other) => other !== quantity) } : plot))
    .filter((plot) => plot.quantities.length > 0);
}
