import { beforeEach, describe, expect, it } from "vitest";

import { command, commandOf, commands, isEnabled, menuOf } from "../src/commands";
import * as store from "../src/store";
import { scene } from "./scenes";
import type { ClockMessage } from "../src/protocol";

const clock: ClockMessage = { type: "clock", time: 1, start: 0, end: 1, running: false, factor: 1, achieved: 0, lost: 0, energy: { kinetic: 0, potential: 0, dissipated: 0, total: 0, error: 0 }, gap: 0, cost: 0, steps: 0, iterations: null, branching: null, hand: null, control: "me", viewers: 1 };

beforeEach(() => {
  store.link.value = { state: "open", retryAt: 0 };
  store.clock.value = clock;
  store.receiveScene(scene());
  store.selection.value = new Set();
});

const enabled = (id: string) => isEnabled(command(id));

describe("store", () => {
  it("counts the same notice instead of repeating it", () => {
    const once = store.withNotice([], "error", "No.", 1);
    expect(store.withNotice(once, "error", "No.", 2)).toEqual([{ id: 1, level: "error", text: "No.", count: 2 }]);
    expect(store.withNotice(once, "info", "No.", 2)).toHaveLength(2);
  });
  it("drops from the selection what a new scene does not have", () => {
    store.selection.value = new Set(["rod", "pin"]);
    store.following.value = "rod";
    store.receiveScene(scene({ bodies: [] }));
    expect([...store.selection.value]).toEqual(["pin"]);
    expect(store.following.value).toBeNull();
  });
  it("replaces samples when history was rewound", () => {
    store.series.value = { t: [0, 1], values: { q: [1, 2] } };
    store.receivePlots({ type: "plots", t: [2], values: { q: [3] } });
    expect(store.series.value.t).toEqual([0, 1, 2]);
    store.receivePlots({ type: "plots", restart: true, t: [0], values: { q: [1] } });
    expect(store.series.value.t).toEqual([0]);
  });
  it("puts quantities into plots and takes them out", () => {
    const one = store.withQuantity([], "a", null);
    const two = store.withQuantity(one, "b", 1);
    expect(two).toEqual([{ id: 1, x: null, quantities: ["a", "b"] }]);
    expect(store.withQuantity(two, "b", 1)).toEqual(two);
    expect(store.withQuantity(two, "c", null)).toHaveLength(2);
    expect(store.wantedQuantities([{ id: 1, x: "c", quantities: ["a", "c"] }])).toEqual(["c", "a"]);
    expect(store.withoutQuantity(one, "a", 1)).toEqual([]);
  });
});

describe("commands", () => {
  it("have ids and keys of their own", () => {
    const ids = commands.map((item) => item.id);
    const keys = commands.flatMap((item) => item.keys ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(keys).size).toBe(keys.length);
    expect(commandOf("Ctrl+Shift+Z")?.id).toBe("edit.redo");
    expect(commandOf("Q")).toBeNull();
  });
  it("go by what is selected", () => {
    expect([enabled("edit.delete"), enabled("edit.cut"), enabled("edit.fix")]).toEqual([false, false, false]);
    store.selection.value = new Set(["pin"]);
    expect([enabled("edit.delete"), enabled("edit.cut"), enabled("edit.lock"), enabled("edit.unlock"), enabled("edit.fix")]).toEqual([true, true, true, false, false]);
    store.selection.value = new Set(["elbow"]);
    expect([enabled("edit.lock"), enabled("edit.unlock")]).toEqual([false, true]);
    store.selection.value = new Set(["rod", "arm"]);
    expect([enabled("edit.fix"), enabled("edit.free"), enabled("edit.rename"), enabled("selection.velocity"), enabled("selection.arrows")]).toEqual([true, true, false, true, false]);
    store.selection.value = new Set(["rod", "pin"]);
    expect([enabled("edit.cut"), enabled("edit.duplicate"), enabled("edit.delete")]).toEqual([false, false, true]);
  });
  it("do not change the past, nor what another viewer controls", () => {
    store.selection.value = new Set(["pin"]);
    store.receiveScene(scene({ past: 0.5 }));
    expect([enabled("edit.cut"), enabled("time.branch"), enabled("time.present")]).toEqual([false, true, true]);
    store.receiveScene(scene());
    store.clock.value = { ...clock, control: "other" };
    expect([enabled("edit.cut"), enabled("time.play"), enabled("time.present")]).toEqual([false, false, false]);
  });
  it("name what is undone", () => {
    store.receiveScene(scene({ undo: "cut pin" }));
    expect(enabled("edit.undo")).toBe(true);
    expect(enabled("edit.redo")).toBe(false);
    expect(command("edit.undo").detail?.()).toBe("cut pin");
  });
  it("are in the menus", () => {
    expect(menuOf("joint").flat().map((item) => item.id)).toEqual(expect.arrayContaining(["edit.cut", "edit.lock", "edit.breaks", "edit.retype", "selection.plot", "edit.delete"]));
    expect(menuOf("joint").at(-1)!.map((item) => item.id)).toEqual(["edit.delete"]);
    expect(menuOf("body").flat().map((item) => item.id)).toEqual(expect.arrayContaining(["edit.fix", "edit.mirror", "edit.array", "selection.follow", "selection.trail"]));
  });
});
