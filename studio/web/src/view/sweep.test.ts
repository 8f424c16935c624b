import { expect, it } from "vitest";
import type { SceneJoint, Vec3 } from "../protocol";
import { sweep } from "./sweep";

const joint = (kind: string, at: Vec3, axis: Vec3 | null, b = "rod"): SceneJoint => ({
  name: kind, kind, a: "ground", b, point_a: at, point_b: [0, 0, 0], axis_a: axis, axis_b: axis, states: [], sliding: false, turning: true, unseen: false,
});
const bounds = (): [Vec3, Vec3] => [[0, -0.1, 0], [1, 0.1, 0]];

it("a pendulum swings to the other side and down, not up", () => {
  const scene = { bounds: [[0, 0, 0], [4, 3, 0]] as [Vec3, Vec3], joints: [joint("pin", [0, 0, 0], [0, 0, 1])], gravity: [0, -9.81, 0] as Vec3 };
  expect(sweep(scene)).toEqual([[-5, -5, 0], [5, 3, 0]]);
});

it("the bearing of a rotor, which is not drawn, is no pivot", () => {
  const gravity: Vec3 = [0, -9.81, 0];
  const pivot = joint("pin", [0, 0, 0], [0, 0, 1]);
  const bearing = { ...joint("pin", [1, 0, 0], [0, 0, 1], "rotor"), unseen: true };
  expect(sweep({ bounds: bounds(), joints: [pivot, bearing], gravity })).toEqual(sweep({ bounds: bounds(), joints: [pivot], gravity }));
});

it("a turret does not go below its foot", () => {
  const scene = { bounds: [[0, 0, 0], [1, 0, 2]] as [Vec3, Vec3], joints: [joint("revolute", [0, 0, 0], [0, 0, 1])], gravity: [0, 0, -9.81] as Vec3 };
  expect(sweep(scene)[0][2]).toBe(0);
  expect(sweep(scene)[0][0]).toBe(-1);
});

it("with two pivots, or a weld, the bounds are what they are", () => {
  const gravity: Vec3 = [0, -9.81, 0];
  const two = [joint("pin", [0, 0, 0], [0, 0, 1]), joint("pin", [1, 0, 0], [0, 0, 1])];
  expect(sweep({ bounds: bounds(), joints: two, gravity })).toEqual(bounds());
  expect(sweep({ bounds: bounds(), joints: [joint("fixed", [0, 0, 0], null)], gravity })).toEqual(bounds());
});
