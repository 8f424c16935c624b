// A small scene for tests: two rods on pins, a spring, a motor, a lock.

import type { SceneBody, SceneForce, SceneJoint, SceneMessage } from "../src/protocol";

export function body(name: string, more: Partial<SceneBody> = {}): SceneBody {
  return { name, color: "#888888", outline: [{ kind: "segment", points: [[0, 0, 0], [1, 0, 0]], radius: 0.01 }], centre: [0, 0, 0], mass: 1, coordinates: "planar", fixed: false, grabbed: false, unseen: false, ...more };
}

export function joint(name: string, more: Partial<SceneJoint> = {}): SceneJoint {
  return { name, kind: "pin", a: "ground", b: "rod", point_a: [0, 0, 0], point_b: [0, 0, 0], axis_a: null, axis_b: null, states: [], sliding: false, turning: true, unseen: false, ...more };
}

export function force(name: string, more: Partial<SceneForce> = {}): SceneForce {
  return { name, kind: "spring", look: "spring", a: "ground", b: "rod", joint: null, point_a: [0, 0, 0], point_b: [0, 0, 0], direction: null, states: [], ...more };
}

export function scene(more: Partial<SceneMessage> = {}): SceneMessage {
  return {
    type: "scene", version: 1, past: null, title: "Test", planar: true, up: [0, 1, 0], gravity: [0, -9.81, 0], bounds: [[0, 0, 0], [3, 4, 0]], file: null,
    bodies: [body("rod"), body("arm", { fixed: true })],
    joints: [joint("pin"), joint("elbow", { a: "rod", b: "arm", states: ["locked"] }), joint("lock elbow", { kind: "rigid", a: "rod", b: "arm" })],
    forces: [force("spring"), force("drive", { kind: "motor", look: "motor", joint: "pin" }), force("hand", { kind: "grab", look: "grab" })],
    frames: [], events: [{ name: "hit", text: "rod hits the stop", does: "mark" }], broken: [], undo: null, redo: null, marks: [],
    solver: { family: "central", formulation: "projected", integrator: "adaptive", step: null, rtol: 1e-9, tolerance: null, text: "" },
    ...more,
  };
}
