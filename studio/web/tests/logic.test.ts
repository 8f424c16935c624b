import { describe, expect, it } from "vitest";

import { score } from "../src/logic/finding";
import { ENERGY_LIMITS, extent, fallsBehind, grade } from "../src/logic/gauges";
import { clusters, placeOf, timeAt } from "../src/logic/history";
import { shown, written } from "../src/logic/keys";
import { clicked, kept, toggled } from "../src/logic/selection";
import { appended, csv, indexAt } from "../src/logic/series";
import { scale, sliderRange } from "../src/logic/sliders";
import { solverRequest } from "../src/logic/solvers";
import { groups, whatIs } from "../src/logic/tree";
import { pauseBefore } from "../src/link";
import { decodePacket } from "../src/protocol";
import { scene } from "./scenes";

describe("selection", () => {
  const list = ["a", "b", "c", "d"];
  const none = { add: false, range: false };
  it("takes one, adds, removes and takes ranges", () => {
    expect([...clicked(new Set(["a"]), "c", list, "a", none)]).toEqual(["c"]);
    expect([...clicked(new Set(["a"]), "c", list, "a", { add: true, range: false })]).toEqual(["a", "c"]);
    expect([...clicked(new Set(["d"]), "b", list, "d", { add: false, range: true })]).toEqual(["b", "c", "d"]);
    expect([...toggled(new Set(["a", "b"]), "a")]).toEqual(["b"]);
  });
  it("forgets what is gone, and is the same if nothing is", () => {
    const selected = new Set(["a", "b"]);
    expect(kept(selected, new Set(["a", "b", "c"]))).toBe(selected);
    expect([...kept(selected, new Set(["b"]))]).toEqual(["b"]);
  });
});

describe("tree", () => {
  it("shows helpers as states, not as entries", () => {
    const [bodies, joints, forces, events] = groups(scene());
    expect(bodies!.entries.map((entry) => [entry.name, ...entry.states])).toEqual([["rod"], ["arm", "fixed"]]);
    expect(joints!.entries.map((entry) => entry.name)).toEqual(["pin", "elbow"]);
    expect(joints!.entries[0]!.states).toEqual(["motor"]);
    expect(forces!.entries.map((entry) => entry.name)).toEqual(["spring", "drive"]);
    expect(events!.title).toBe("Events");
  });
  it("shows joints that broke after the others", () => {
    const joints = groups(scene({ broken: [{ name: "hook", kind: "pin", a: "rod", b: "arm", time: 1.5 }] }))[1]!;
    expect(joints.entries.map((entry) => entry.name)).toEqual(["pin", "elbow", "hook"]);
    expect(joints.entries[2]).toMatchObject({ states: ["broken"], detail: "rod – arm, broke at 1.500 s", gone: true });
  });
  it("filters by name, kind and state", () => {
    const names = (filter: string) => groups(scene(), filter).flatMap((group) => group.entries.map((entry) => entry.name));
    expect(names("ROD")).toEqual(["rod"]);
    expect(names("motor")).toEqual(["pin", "drive"]);
    expect(names("locked")).toEqual(["elbow"]);
    expect(names("nothing of that name")).toEqual([]);
  });
  it("knows what a name is", () => {
    expect(whatIs(scene(), "pin")).toBe("joint");
    expect(whatIs(scene(), "gone")).toBeNull();
    expect(whatIs(null, "pin")).toBeNull();
  });
});

describe("series", () => {
  it("appends, with gaps where a quantity was not there", () => {
    const all = appended({ t: [0, 1], values: { a: [1, 2] } }, { t: [2], values: { a: [3], b: [9] } });
    expect(all).toEqual({ t: [0, 1, 2], values: { a: [1, 2, 3], b: [null, null, 9] } });
    expect(csv(all, ["a", "b"])).toBe("t,a,b\n0,1,\n1,2,\n2,3,9\n");
  });
  it("finds the sample of a time", () => {
    expect([-1, 0, 0.5, 9].map((time) => indexAt([0, 1, 2], time))).toEqual([-1, 0, 0, 2]);
  });
});

describe("history", () => {
  it("places times and marks", () => {
    expect(placeOf(5, 0, 10)).toBe(0.5);
    expect(placeOf(0, 0, 0)).toBe(1);
    expect(timeAt(2, 0, 10)).toBe(10);
    const marks = [{ time: 1.001, label: "b", kind: "edit" }, { time: 1, label: "a", kind: "edit" }, { time: 5, label: "c", kind: "event" }];
    expect(clusters(marks, 0, 10, 0.01).map((cluster) => cluster.marks.map((mark) => mark.label))).toEqual([["a", "b"], ["c"]]);
  });
});

describe("gauges", () => {
  it("grades", () => {
    expect([1e-9, -1e-5, 0.1, null].map((value) => grade(value, ENERGY_LIMITS))).toEqual(["good", "fair", "poor", "unknown"]);
    expect(extent([[0, 0, 0], [3, 4, 0]])).toBe(5);
    expect(extent([[1, 1, 1], [1, 1, 1]])).toBe(1);
    expect([fallsBehind(true, 1, 0.5), fallsBehind(true, 1, 0.99), fallsBehind(false, 1, 0.1)]).toEqual([true, false, false]);
  });
});

describe("keys", () => {
  const stroke = (key: string, more = {}) => written({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more });
  it("are written as in the table", () => {
    expect(stroke("z", { metaKey: true, shiftKey: true })).toBe("Ctrl+Shift+Z");
    expect(stroke(" ")).toBe("Space");
    expect(stroke("?", { shiftKey: true })).toBe("?");
    expect(stroke("ArrowRight")).toBe("ArrowRight");
    expect(shown("Ctrl+Shift+Z", true)).toBe("⌘⇧Z");
    expect(shown("ArrowLeft")).toBe("←");
  });
});

describe("solvers", () => {
  const now = scene().solver;
  it("replaces what no longer goes together", () => {
    expect(solverRequest(now, { integrator: "rk4" })).toEqual({ do: "solver", family: "central", formulation: "projected", integrator: "rk4", step: 1e-3 });
    expect(solverRequest(now, { formulation: "index3" })).toEqual({ do: "solver", family: "central", formulation: "index3", integrator: "newmark", step: 1e-3 });
    expect(solverRequest(now, { family: "modular" })).toEqual({ do: "solver", family: "modular", step: 1e-3 });
    expect(solverRequest({ ...now, family: "modular", integrator: null, step: 1e-4, rtol: null }, { family: "recursive" })).toEqual({ do: "solver", family: "recursive", integrator: "adaptive", rtol: 1e-9 });
  });
});

describe("odds and ends", () => {
  it("sliders surround the value", () => {
    expect(sliderRange(2, null, null)).toEqual([0, 4]);
    expect(sliderRange(-2, null, null)).toEqual([-4, 0]);
    expect(sliderRange(0, 0, null)).toEqual([0, 1]);
    expect(sliderRange(3, 1, 4)).toEqual([1, 4]);
  });
  it("places on sliders are values and back", () => {
    const even = scale(2, null, null, "even");
    expect([even.low, even.high, even.place(1), even.value(0.3333)]).toEqual([0, 4, 0.25, 1.333]);
    const whole = scale(10, 1, null, "whole");
    expect([whole.low, whole.high, whole.value(0.5)]).toEqual([1, 20, 11]);
    const decades = scale(3e-9, null, null, "decades");
    expect(decades.low).toBeCloseTo(1e-11, 20); // a hundredth of the nearest power of ten
    expect(decades.value(decades.place(2e-9))).toBe(2e-9);
    expect(decades.value(1)).toBe(1e-7);
    expect(decades.place(1)).toBe(1);
    expect(scale(0, 0, null, "decades").high).toBe(1); // of nothing there are no decades
  });
  it("finds by beginnings, words and letters", () => {
    expect(score("Undo Edit", "un")).toBeGreaterThan(score("Run Time", "un"));
    expect(score("Save as", "sa as")).toBeGreaterThan(0);
    expect(score("Undo", "xyz")).toBe(0);
  });
  it("waits longer and longer, up to a limit", () => {
    expect([0, 1, 2, 20].map(pauseBefore)).toEqual([0.5, 1, 2, 8]);
  });
  it("reads packets", () => {
    const buffer = new ArrayBuffer(16 + 28);
    const view = new DataView(buffer);
    view.setUint32(0, 0, true);
    view.setUint32(4, 7, true);
    view.setFloat64(8, 1.25, true);
    view.setFloat32(16 + 12, 1, true);
    const packet = decodePacket(buffer);
    expect([packet.kind, packet.version, packet.time, packet.x.length, packet.x[3]]).toEqual([0, 7, 1.25, 7, 1]);
  });
});
