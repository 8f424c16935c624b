// What the user can do to the mechanism and to the picture, beyond a single request.

import { batch, computed, signal } from "@preact/signals";

import { bodiesOf, bodyRequest, connectionRequest, defaults } from "./logic/making";
import { stride } from "./logic/history";
import { toggled } from "./logic/selection";
import { whatIs } from "./logic/tree";
import type { ConnectionKind, Paths, Quantity, Report, Request, Saved, Series, Vec3 } from "./protocol";
import { ask, newestWins, session, tell } from "./session";
import * as store from "./store";
import type { Made, Pick, Tool } from "./view/types";

// --- time ----------------------------------------------------------------------------------------------------------------------------

let toggling: Promise<unknown> = Promise.resolve();

/** Run or pause. A second press that comes before the answer to the first waits for it: it means the opposite, not the same again. */
export function togglePlay(): void {
  toggling = toggling.then(async () => {
    if (store.running.value) await tell({ do: "pause" });
    else {
      if (store.past.value !== null) await tell({ do: "look", time: null });
      await tell({ do: "run", factor: store.factor.value });
    }
  });
}

export function setFactor(factor: number): void {
  store.factor.value = factor;
  if (store.running.value) void tell({ do: "run", factor });
}

const sendLook = newestWins((time: number | null) => tell({ do: "look", time }));

let lookedFor: number | null = null; // the server shows the nearest moment it has; the next press goes on from what was asked for

export function look(time: number | null): void {
  lookedFor = time;
  sendLook(time);
}

/** One press of an arrow key: in the past along the history; in the present one step on, or into the past. */
export function move(direction: 1 | -1): void {
  const clock = store.clock.value;
  if (!clock) return;
  const past = store.past.value;
  if (direction > 0 && past === null) {
    void tell({ do: "step" });
    return;
  }
  const time = (past === null ? clock.time : (lookedFor ?? past)) + direction * stride(clock.start, clock.end);
  look(time >= clock.end ? null : Math.max(clock.start, time));
}

export async function goOnFromHere(): Promise<void> {
  const time = store.past.value;
  if (time === null) return;
  const answer = await tell<{ arrived: boolean }>({ do: "branch", time });
  if (answer?.arrived === false) store.notify("info", "Cancelled. Everything is as it was.");
}

// --- selection -----------------------------------------------------------------------------------------------------------------------

export function select(names: Iterable<string>): void {
  store.selection.value = new Set(names);
}

/** Other front ends may want to know. The page waits for nothing: what is selected is its own, and shown before this is sent. */
const sendSelection = newestWins((names: ReadonlySet<string>) => ask({ do: "select", names: [...names] }).catch(() => undefined));

export function tellSelection(names: ReadonlySet<string>): void {
  window.setTimeout(() => sendSelection(names));
}

export function picked(pick: Pick): void {
  const name = pick.name;
  if (store.jointPicking.value) {
    if (name !== null && pick.what === "joint") void pickJoint(name);
    return;
  }
  batch(() => {
    if (name === null || name === "ground") {
      if (!pick.shift) select([]);
    } else {
      store.selection.value = pick.shift ? toggled(store.selection.value, name) : new Set([name]);
      store.anchor.value = name;
    }
  });
}

export function openMenu(x: number, y: number, name: string | null, point: Vec3 | null = null): void {
  const what = name === null ? null : whatIs(store.scene.value, name);
  batch(() => {
    if (name !== null && what !== null && !store.selection.value.has(name)) select([name]);
    store.menu.value = { x, y, what: what ?? "scene", point };
  });
}

// --- making things -------------------------------------------------------------------------------------------------------------------

/** Take up a tool; the same again, or null, puts it away. */
export function takeTool(next: Tool | null): void {
  const same = next !== null && JSON.stringify(next) === JSON.stringify(store.tool.value);
  batch(() => {
    store.tool.value = same ? null : next;
    store.jointPicking.value = null;
    store.hint.value = "";
  });
}

/** The tool for a kind of joint or force: bodies are clicked in the picture, joints if it acts in these. */
export function connect(make: "joint" | "force", kind: ConnectionKind): void {
  const count = kind.attachment === "joints" ? 2 : kind.attachment === "joint" ? 1 : 0;
  if (count === 0) {
    takeTool({ make, kind: kind.type, bodies: bodiesOf(kind) });
    return;
  }
  takeTool(null);
  store.jointPicking.value = { make, kind: kind.type, count: count as 1 | 2, picked: [] };
  const { names, what } = store.selected.value;
  if (what === "joint" && names.length === count) for (const name of names) void pickJoint(name);
  else store.hint.value = count === 1 ? "Click the joint it acts in" : "Click the first joint";
}

/** A joint for what acts in joints; with the last one it is made. */
export async function pickJoint(name: string): Promise<void> {
  const picking = store.jointPicking.value;
  if (!picking) return;
  const picked = [...picking.picked, name];
  if (picked.length < picking.count) {
    store.jointPicking.value = { ...picking, picked };
    store.hint.value = "Click the second joint";
    return;
  }
  store.jointPicking.value = null;
  store.hint.value = "";
  const kind = defaults(picking.kind, store.planar.value);
  if (picking.make === "joint") await add({ do: "add_joint", kind, a: picked[0]!, b: picked[1]! });
  else await add({ do: "add_force", kind, joint: name });
}

/** Select what was made, unless something else was selected before the answer came. */
export function selectMade(name: string, before: ReadonlySet<string>): void {
  if ([...store.selection.value].every((other) => before.has(other))) select([name]);
}

/** Add something and select it. */
async function add(request: Request): Promise<void> {
  const before = store.selection.value;
  const data = await tell<{ name: string }>(request);
  if (data?.name) selectMade(data.name, before);
}

export async function made(made: Made): Promise<void> {
  const planar = store.planar.value;
  await add("kind" in made ? connectionRequest(made, planar) : bodyRequest(made, planar));
}

/** A place on a body to measure at: where the menu was opened, or its centre of mass. */
export async function addFrame(body: string, at: Vec3 | null): Promise<void> {
  await add({ do: "add_frame", body, ...(at === null ? {} : { at }) });
  store.viewOptions.value = { ...store.viewOptions.value, frames: true };
}

/** Escape: put away, one thing after the other, what is in the way. */
export function cancel(): void {
  if (store.menu.value) store.menu.value = null;
  else if (store.dialog.value) store.dialog.value = null;
  else if (store.tool.value || store.jointPicking.value) takeTool(null);
  else if (store.renaming.value) store.renaming.value = null;
  else select([]);
}

/** Where a copy goes so that it is seen: beside the original, by a part of the whole. */
export function besideOffset(): Vec3 {
  const bounds = store.scene.value?.bounds;
  const width = bounds ? Math.max(...bounds[1].map((high, i) => high - bounds[0][i]!)) : 1;
  const step = Number((0.15 * (Number.isFinite(width) && width > 0 ? width : 1)).toPrecision(2));
  return [step, 0, 0];
}

// --- plots ---------------------------------------------------------------------------------------------------------------------------

/** Change the plots, and have the server send what they need. */
export async function setPlots(plots: store.Plot[]): Promise<void> {
  store.plots.value = plots;
  const backlog = await tell<Series>({ do: "plot", quantities: store.wantedQuantities(plots) });
  if (backlog) store.series.value = backlog;
}

export async function plot(quantity: string, into: number | null = null): Promise<void> {
  store.drawerOpen.value = true;
  await setPlots(store.withQuantity(store.plots.value, quantity, into));
}

const known = new Map<string, Quantity[]>();

/** Quantities of a component; "" is the whole mechanism. */
export async function quantities(name: string): Promise<Quantity[]> {
  const key = `${store.scene.value?.version ?? 0} ${name}`;
  const before = known.get(key);
  if (before) return before;
  if (known.size > 500) known.clear();
  const found = await ask<Quantity[]>({ do: "quantities", name });
  known.set(key, found);
  for (const { quantity, label, unit } of found) labels.set(quantity, { label: name ? `${name} ${label}` : label, unit });
  return found;
}

/** Quantities of a component that an event can look at. */
export function watchable(name: string): Promise<Quantity[]> {
  return ask<Quantity[]>({ do: "watchable", name });
}

const labels = new Map<string, { label: string; unit: string }>();

/** How a quantity is called, as far as that is known. */
export function labelOf(quantity: string): { label: string; unit: string } {
  return labels.get(quantity) ?? { label: quantity, unit: "" };
}

// --- picture -------------------------------------------------------------------------------------------------------------------------

export function setArrows(names: Iterable<string>): void {
  store.arrows.value = new Set(names);
  void tell({ do: "arrows", names: [...store.arrows.value] });
}

export function toggleArrows(names: string[]): void {
  const all = names.every((name) => store.arrows.value.has(name));
  const next = new Set(store.arrows.value);
  for (const name of names) if (all) next.delete(name);
    else next.add(name); // prettier-ignore
  setArrows(next);
}

/** Have the paths of bodies told, those of before as well. */
export const askTrails = newestWins(async (names: readonly string[]) => {
  const past = await ask<Paths>({ do: "trails", names: [...names] }).catch(() => null); // without, trails begin now
  if (past) session.view?.paths(past, true);
});

export function toggleTrails(names: string[]): void {
  const trails = new Set(store.viewOptions.value.trails);
  const all = names.every((name) => trails.has(name));
  for (const name of names) if (all) trails.delete(name);
    else trails.add(name); // prettier-ignore
  store.viewOptions.value = { ...store.viewOptions.value, trails: [...trails] };
}

export function toggleOption(key: "joints" | "frames" | "grid" | "shadows" | "labels" | "snap"): void {
  store.viewOptions.value = { ...store.viewOptions.value, [key]: !store.viewOptions.value[key] };
}

// --- panels ---------------------------------------------------------------------------------------------------------------------------

/** Whether there is no room for panels beside the picture: then one at a time lies over it, and none to begin with. */
export const narrow = signal(false);
export const over = signal<"left" | "right" | null>(null);
export const leftShown = computed(() => (narrow.value ? over.value === "left" : store.leftOpen.value));
export const rightShown = computed(() => (narrow.value ? over.value === "right" : store.rightOpen.value));

export function showPanel(side: "left" | "right", shown: boolean): void {
  if (narrow.value) over.value = shown ? side : null;
  else (side === "left" ? store.leftOpen : store.rightOpen).value = shown;
}

// --- files ---------------------------------------------------------------------------------------------------------------------------

/** An address of the server with the token of this page. */
export function address(path: string, more: Record<string, string> = {}): string {
  const query = new URLSearchParams(window.location.search);
  for (const [key, value] of Object.entries(more)) query.set(key, value);
  return `${path}?${query.toString()}`;
}

export function download(path: string, more: Record<string, string> = {}, name = ""): void {
  const anchor = document.createElement("a");
  anchor.href = path.startsWith("blob:") || path.startsWith("data:") ? path : address(path, more);
  anchor.download = name;
  anchor.click();
}

const LARGEST = 20e6; // bytes, of a file that is opened

export async function upload(file: File): Promise<void> {
  if (file.size > LARGEST) return refused(`${file.name} is larger than 20 MB.`);
  store.busy.value = `Opening ${file.name} …`;
  try {
    const answer = await fetch(address("open", { name: file.name }), { method: "POST", body: file, headers: { viewer: store.hello.value?.secret ?? "" } });
    const { error } = (await answer.json()) as { error: string | null };
    if (error) refused(error);
  } catch {
    refused(`${file.name} could not be sent to the server.`);
  } finally {
    store.busy.value = null;
  }
}

export async function open(request: Extract<Request, { do: "open" | "recover" }>, title: string): Promise<void> {
  store.busy.value = `Opening ${title} …`;
  try {
    await ask(request);
  } catch (error) {
    refused(wordsOf(error));
  } finally {
    store.busy.value = null;
  }
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why something could not be opened, for the start page; null: there is nothing to say. */
export const notOpened = signal<string | null>(null);

function refused(text: string): void {
  if (store.dialog.value?.type === "start") notOpened.value = text;
  else store.notify("error", text);
}

/** Another mechanism, whoever has opened it: nothing of the one before is left in the page. */
export function opened(): void {
  batch(() => {
    store.dialog.value = null;
    store.report.value = null;
    select([]);
    takeTool(null);
    store.following.value = null;
    store.viewOptions.value = { ...store.viewOptions.value, trails: [] };
  });
  if (store.plots.value.length > 0) void setPlots([]);
  if (store.arrows.value.size > 0) setArrows([]);
  requestAnimationFrame(() => session.view?.frame());
}

const WRITTEN = /\.(yaml|yml|json|session)$/; // formats that can be saved; others are only read

/** Into the file it came from; where there is none, or none that can be written, a name is asked for. */
export async function save(): Promise<void> {
  const file = store.scene.value?.file;
  if (!file || !WRITTEN.test(file)) store.dialog.value = { type: "save" };
  else {
    const answer = await tell<Saved>({ do: "save", file });
    if (answer?.exists) store.dialog.value = { type: "save" }; // meanwhile another page has saved elsewhere
    else if (answer) store.notify("info", `Saved as ${answer.file}.`);
  }
}

/** A name to save under: that of the file, with an ending that can be written. */
export function suggestedName(): string {
  const scene = store.scene.value;
  const name = scene?.file ?? scene?.brought ?? (scene?.title || "mechanism").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return WRITTEN.test(name) ? name : `${name.replace(/\.(urdf|xml|mjcf)$/i, "")}.yaml`;
}

/** Save under a name; "exists": somebody has to say first that the file there may be replaced. */
export async function saveAs(file: string, replace: boolean): Promise<"saved" | "exists"> {
  const answer = await ask<Saved>({ do: "save", file, replace });
  if (answer.exists) return "exists";
  store.notify("info", `Saved as ${file}.`);
  return "saved";
}

export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    store.notify("info", `${what} copied.`);
  } catch {
    store.dialog.value = { type: "code", title: what, text }; // no permission: then it is shown, to be copied by hand
  }
}

export async function copyAsPython(what: "mechanism" | "actions"): Promise<void> {
  const data = await tell<{ text: string }>({ do: "python", what });
  if (data) store.dialog.value = { type: "code", title: what === "actions" ? "Actions as Python" : "Mechanism as Python", text: data.text };
}

export async function fetchReport(): Promise<void> {
  store.report.value = (await tell<Report>({ do: "report" })) ?? null;
}
