// The one table of commands: the toolbar, the menus, the shortcuts, the list of keys and the palette all read it.

import * as act from "./actions";
import type { IconName } from "./icons";
import { iconOfKind } from "./icons";
import { readable } from "./logic/format";
import { defaults } from "./logic/making";
import type { ConnectionKind, Request } from "./protocol";
import { session, tell } from "./session";
import * as store from "./store";
import type { What } from "./logic/tree";

export type Section = "File" | "Time" | "Edit" | "Selection" | "Tools" | "View";
export type MenuKind = What | "scene" | "file";

export interface Item {
  id: string;
  title: string;
  icon?: IconName;
  run(): unknown;
}

export interface Command extends Item {
  section: Section;
  keys?: string[];
  menus?: MenuKind[]; // where it appears on the right mouse button, in the order of the table
  detail?(): string; // more, for the tooltip
  enabled?(): boolean;
  checked?(): boolean;
  items?(): Promise<Item[]> | Item[]; // a submenu
}

// --- what is selected ----------------------------------------------------------------------------------------------------------------

const names = () => store.selected.value.names;
const are = (...what: (What | null)[]) => names().length > 0 && what.includes(store.selected.value.what);
const editable = () => store.mayEdit.value && store.past.value === null;
const one = () => store.selected.value.only !== null;
const joints = () => store.scene.value?.joints.filter((joint) => store.selection.value.has(joint.name)) ?? [];
const bodies = () => store.scene.value?.bodies.filter((body) => store.selection.value.has(body.name)) ?? [];
const any = () => names().length > 0;

const toNames = (verb: Extract<Request, { names: string[] }>["do"]) => () => tell({ do: verb, names: names() } as Request);

function fitting(kinds: ConnectionKind[] | undefined): ConnectionKind[] {
  return (kinds ?? []).filter((kind) => (store.planar.value ? kind.planar : kind.spatial));
}

/** Kinds the selected joint, force or body could have instead. */
function otherKinds(): Item[] {
  const { only, what } = store.selected.value;
  const scene = store.scene.value;
  if (!only || !scene) return [];
  const retype = (type: string) => () => tell({ do: "retype", name: only, kind: defaults(type, store.planar.value) });
  if (what === "body") {
    const all = scene.planar ? ["planar", "bar"] : ["spatial", "natural"];
    const now = scene.bodies.find((body) => body.name === only)?.coordinates || all[0];
    return all.filter((type) => type !== now).map((type) => ({ id: `retype.${type}`, title: readable(type), run: () => tell({ do: "retype", name: only, coordinates: type }) }));
  }
  const joint = what === "joint";
  const list = joint ? store.hello.value?.joints : store.hello.value?.forces;
  const now = (joint ? scene.joints : scene.forces).find((item) => item.name === only)?.kind;
  const attachment = list?.find((kind) => kind.type === now)?.attachment;
  return fitting(list)
    .filter((kind) => kind.type !== now && (attachment === undefined || kind.attachment === attachment))
    .map((kind) => ({ id: `retype.${kind.type}`, title: readable(kind.title), icon: iconOfKind(kind.type, joint ? "joint" : "force"), run: retype(kind.type) }));
}

async function quantityItems(): Promise<Item[]> {
  const { only } = store.selected.value;
  const found = await act.quantities(only ?? "");
  return found.map(({ quantity, label, unit }) => ({
    id: `plot.${quantity}`,
    title: readable(unit ? `${label} [${unit}]` : label),
    icon: "chart",
    run: () => act.plot(quantity),
  }));
}

const option = (key: Parameters<typeof act.toggleOption>[0]) => ({
  run: () => act.toggleOption(key),
  checked: () => store.viewOptions.value[key],
});

// --- the table -----------------------------------------------------------------------------------------------------------------------

export const commands: Command[] = [
  // file
  { id: "file.new", section: "File", title: "New or open …", icon: "file", keys: ["Ctrl+O"], menus: ["file"], run: () => { act.notOpened.value = null; store.dialog.value = { type: "start" }; } },
  { id: "file.save", section: "File", title: "Save", icon: "save", keys: ["Ctrl+S"], menus: ["file"], detail: () => store.scene.value?.file ?? "", enabled: () => store.mayEdit.value, run: () => act.save() },
  { id: "file.saveAs", section: "File", title: "Save as …", icon: "save", keys: ["Ctrl+Shift+S"], menus: ["file"], enabled: () => store.mayEdit.value, run: () => (store.dialog.value = { type: "save" }) },
  { id: "file.downloadMechanism", section: "File", title: "Download mechanism (YAML)", icon: "download", menus: ["file"], run: () => act.download("download/mechanism.yaml") },
  { id: "file.downloadSession", section: "File", title: "Download session", icon: "download", menus: ["file"], run: () => act.download("download/session") },
  { id: "file.replay", section: "File", title: "Share replay (HTML)", icon: "share", menus: ["file"], run: () => act.download("download/replay.html") },
  { id: "file.python", section: "File", title: "Copy as Python", icon: "python", keys: ["Ctrl+Shift+C"], menus: ["file", "body", "joint", "force", "scene"], run: () => act.copyAsPython("mechanism") },
  { id: "file.actions", section: "File", title: "Copy actions as Python", icon: "python", menus: ["file"], run: () => act.copyAsPython("actions") },
  { id: "file.picture", section: "File", title: "Save picture (PNG)", icon: "camera", menus: ["file", "scene"], run: () => { const image = session.view?.image(); if (image) act.download(image, {}, "mechanism.png"); } },

  // time
  { id: "time.play", section: "Time", title: "Run / pause", icon: "play", keys: ["Space"], enabled: () => store.mayEdit.value && !store.isEmpty.value, checked: () => store.running.value, run: () => act.togglePlay() },
  { id: "time.step", section: "Time", title: "Step", icon: "step", keys: ["ArrowRight"], enabled: () => store.mayEdit.value && !store.isEmpty.value, run: () => act.move(1) },
  { id: "time.back", section: "Time", title: "Back in the history", icon: "back", keys: ["ArrowLeft"], enabled: () => !store.isEmpty.value, run: () => act.move(-1) },
  { id: "time.reset", section: "Time", title: "Reset to the start", icon: "reset", keys: ["Backspace"], enabled: () => store.mayEdit.value && !store.isEmpty.value, run: () => tell({ do: "reset" }) },
  { id: "time.present", section: "Time", title: "Back to the present", icon: "present", keys: ["End"], enabled: () => store.past.value !== null, run: () => act.look(null) },
  { id: "time.branch", section: "Time", title: "Go on from here", icon: "branch", enabled: () => store.past.value !== null && store.mayEdit.value && !store.clock.value?.branching, run: () => act.goOnFromHere() },

  // edit
  { id: "edit.undo", section: "Edit", title: "Undo", icon: "undo", keys: ["Ctrl+Z"], menus: ["scene"], detail: () => store.scene.value?.undo ?? "", enabled: () => store.mayEdit.value && Boolean(store.scene.value?.undo), run: () => tell({ do: "undo" }) },
  { id: "edit.redo", section: "Edit", title: "Redo", icon: "redo", keys: ["Ctrl+Shift+Z", "Ctrl+Y"], menus: ["scene"], detail: () => store.scene.value?.redo ?? "", enabled: () => store.mayEdit.value && Boolean(store.scene.value?.redo), run: () => tell({ do: "redo" }) },
  { id: "edit.cut", section: "Edit", title: "Cut", icon: "cut", keys: ["X"], menus: ["joint"], enabled: () => editable() && are("joint"), run: toNames("cut") },
  { id: "edit.lock", section: "Edit", title: "Lock", icon: "lock", menus: ["joint"], enabled: () => editable() && are("joint") && joints().some((joint) => !joint.states.includes("locked")), run: toNames("lock") },
  { id: "edit.unlock", section: "Edit", title: "Unlock", icon: "unlock", menus: ["joint"], enabled: () => editable() && are("joint") && joints().some((joint) => joint.states.includes("locked")), run: toNames("unlock") },
  { id: "edit.breaks", section: "Edit", title: "Break at …", icon: "breakable", menus: ["joint"], enabled: () => editable() && are("joint") && one(), run: () => (store.dialog.value = { type: "breaks", joint: store.selected.value.only! }) },
  { id: "edit.when", section: "Edit", title: "When …", icon: "event", menus: ["body", "joint", "force", "frame", "scene"], enabled: () => editable() && names().length <= 1 && !are("event"), run: () => (store.dialog.value = { type: "when", name: store.selected.value.only ?? "" }) },
  { id: "edit.sensor", section: "Edit", title: "Add frame (sensor)", icon: "frames", menus: ["body"], enabled: () => editable() && are("body") && one(), run: () => act.addFrame(store.selected.value.only!, store.menu.value?.point ?? null) },
  { id: "edit.fix", section: "Edit", title: "Fix to the ground", icon: "pinned", menus: ["body"], enabled: () => editable() && are("body") && bodies().some((body) => !body.fixed), run: toNames("fix") },
  { id: "edit.free", section: "Edit", title: "Free", icon: "free", menus: ["body"], enabled: () => editable() && are("body") && bodies().some((body) => body.fixed), run: toNames("free") },
  { id: "edit.duplicate", section: "Edit", title: "Duplicate", icon: "copy", keys: ["Ctrl+D"], menus: ["body"], enabled: () => editable() && are("body"), run: () => tell({ do: "duplicate", names: names(), offset: act.besideOffset() }) },
  { id: "edit.mirror", section: "Edit", title: "Mirror …", icon: "mirror", menus: ["body"], enabled: () => editable() && are("body"), run: () => (store.dialog.value = { type: "mirror" }) },
  { id: "edit.array", section: "Edit", title: "Array …", icon: "array", menus: ["body"], enabled: () => editable() && are("body"), run: () => (store.dialog.value = { type: "array" }) },
  { id: "edit.rename", section: "Edit", title: "Rename", icon: "rename", keys: ["F2"], menus: ["body", "joint", "force", "frame"], enabled: () => editable() && one() && !are("event"), run: () => { act.showPanel("left", true); store.renaming.value = store.selected.value.only; } },
  { id: "edit.retype", section: "Edit", title: "Change type", icon: "change", menus: ["body", "joint", "force"], enabled: () => editable() && one() && are("body", "joint", "force"), items: otherKinds, run: () => undefined },

  // selection
  { id: "selection.arrows", section: "Selection", title: "Show force arrows", icon: "force", menus: ["joint", "force"], enabled: () => are("joint", "force"), checked: () => any() && names().every((name) => store.arrows.value.has(name)), run: () => act.toggleArrows(names()) },
  { id: "selection.velocity", section: "Selection", title: "Show velocity", icon: "velocity", menus: ["body"], enabled: () => are("body"), checked: () => any() && names().every((name) => store.arrows.value.has(name)), run: () => act.toggleArrows(names()) },
  { id: "selection.trail", section: "Selection", title: "Trail", icon: "trail", menus: ["body"], enabled: () => are("body"), checked: () => any() && names().every((name) => store.viewOptions.value.trails.includes(name)), run: () => act.toggleTrails(names()) },
  { id: "selection.plot", section: "Selection", title: "Plot", icon: "chart", menus: ["body", "joint", "force", "frame", "scene"], enabled: () => names().length <= 1, items: quantityItems, run: () => (store.dialog.value = { type: "plot" }) },
  { id: "selection.follow", section: "Selection", title: "Follow with the camera", icon: "camera", menus: ["body"], enabled: () => are("body") && one(), checked: () => store.following.value !== null && store.following.value === store.selected.value.only, run: () => (store.following.value = store.following.value === store.selected.value.only ? null : store.selected.value.only) },
  { id: "selection.all", section: "Selection", title: "Select all bodies", keys: ["Ctrl+A"], menus: ["scene"], run: () => act.select(store.scene.value?.bodies.map((body) => body.name) ?? []) },
  { id: "selection.clear", section: "Selection", title: "Cancel, or select nothing", keys: ["Escape"], run: () => act.cancel() },
  { id: "edit.delete", section: "Edit", title: "Delete", icon: "trash", keys: ["Delete"], menus: ["body", "joint", "force", "frame", "event"], enabled: () => editable() && any(), run: toNames("remove") },

  // tools
  { id: "tool.select", section: "Tools", title: "Select", icon: "select", keys: ["V"], checked: () => store.tool.value === null && store.jointPicking.value === null, run: () => act.takeTool(null) },
  ...shapeTool("rod", "Rod", ["R"]),
  ...shapeTool("box", "Box", ["B"]),
  ...shapeTool("disc", "Disc", ["D"]),
  ...shapeTool("polygon", "Polygon", ["P"]),
  ...shapeTool("capsule", "Capsule"),
  ...shapeTool("cylinder", "Cylinder"),
  ...shapeTool("sphere", "Sphere"),

  // view
  { id: "view.frame", section: "View", title: "Frame selection, or all", icon: "frame", keys: ["F"], menus: ["body", "joint", "force", "frame", "scene"], run: () => session.view?.frame(names().length > 0 ? names() : undefined) },
  { id: "view.front", section: "View", title: "Front view", icon: "cube", keys: ["1"], run: () => session.view?.standard("front") },
  { id: "view.right", section: "View", title: "View from the right", icon: "cube", keys: ["3"], run: () => session.view?.standard("right") },
  { id: "view.top", section: "View", title: "View from above", icon: "cube", keys: ["7"], run: () => session.view?.standard("top") },
  { id: "view.iso", section: "View", title: "Isometric view", icon: "cube", keys: ["0"], run: () => session.view?.standard("iso") },
  { id: "view.grid", section: "View", title: "Grid", icon: "grid", keys: ["G"], menus: ["scene"], ...option("grid") },
  { id: "view.labels", section: "View", title: "Labels", icon: "label", keys: ["L"], menus: ["scene"], ...option("labels") },
  { id: "view.joints", section: "View", title: "Joints", icon: "joint", keys: ["J"], ...option("joints") },
  { id: "view.frames", section: "View", title: "Frames", icon: "frames", ...option("frames") },
  { id: "view.shadows", section: "View", title: "Shadows", icon: "sphere", ...option("shadows") },
  { id: "view.snap", section: "View", title: "Snap to grid and points", icon: "snap", keys: ["S"], ...option("snap") },
  { id: "view.left", section: "View", title: "Tree", icon: "panelLeft", keys: ["Ctrl+B"], checked: () => act.leftShown.value, run: () => act.showPanel("left", !act.leftShown.value) },
  { id: "view.right-panel", section: "View", title: "Properties", icon: "panelRight", keys: ["Ctrl+I"], checked: () => act.rightShown.value, run: () => act.showPanel("right", !act.rightShown.value) },
  { id: "view.drawer", section: "View", title: "Plots", icon: "panelBottom", keys: ["Ctrl+J"], checked: () => store.drawerOpen.value, run: () => (store.drawerOpen.value = !store.drawerOpen.value) },
  { id: "view.theme", section: "View", title: "Light, dark, or as the system", icon: "moon", run: () => (store.theme.value = ({ auto: "light", light: "dark", dark: "auto" } as const)[store.theme.value]) },
  { id: "view.palette", section: "View", title: "All commands …", icon: "search", keys: ["Ctrl+K"], run: () => (store.dialog.value = { type: "commands" }) },
  { id: "view.help", section: "View", title: "Keys and help", icon: "help", keys: ["?"], run: () => (store.dialog.value = { type: "help" }) },
]; // prettier-ignore

function shapeTool(make: "rod" | "box" | "disc" | "polygon" | "capsule" | "cylinder" | "sphere", title: string, keys?: string[]): Command[] {
  return [
    {
      id: `tool.${make}`,
      section: "Tools",
      title,
      icon: make,
      keys,
      enabled: editable,
      checked: () => store.tool.value?.make === make,
      run: () => act.takeTool({ make }),
    },
  ];
}

const byId = new Map(commands.map((command) => [command.id, command]));

export function command(id: string): Command {
  const found = byId.get(id);
  if (!found) throw new Error(`There is no command '${id}'.`);
  return found;
}

export function isEnabled(item: Command): boolean {
  return item.enabled?.() ?? true;
}

export function runCommand(id: string): void {
  const item = command(id);
  if (isEnabled(item)) item.run();
}

/** The command of a shortcut. */
export function commandOf(keys: string): Command | null {
  return commands.find((item) => item.keys?.includes(keys)) ?? null;
}

const MENU_ORDER: Section[] = ["Edit", "Selection", "View", "File", "Time", "Tools"];

/** Commands of a menu by section, and what deletes at the end, where nobody hits it by mistake. */
export function menuOf(kind: MenuKind): Command[][] {
  const found = commands.filter((item) => item.menus?.includes(kind));
  const last = found.filter((item) => item.id === "edit.delete");
  const sections = MENU_ORDER.map((section) => found.filter((item) => item.section === section && !last.includes(item)));
  return [...sections, last].filter((section) => section.length > 0);
}

/** Joints and forces as commands, for the palette. */
export function connectionCommands(): Command[] {
  const list = (make: "joint" | "force", kinds: ConnectionKind[] | undefined): Command[] =>
    fitting(kinds).map((kind) => ({
      id: `make.${kind.type}`,
      section: "Tools",
      title: `Add ${kind.title}`,
      icon: iconOfKind(kind.type, make),
      enabled: editable,
      run: () => act.connect(make, kind),
    }));
  return [...list("joint", store.hello.value?.joints), ...list("force", store.hello.value?.forces)];
}
