import { expect, it } from "vitest";
import type { SceneMessage, Vec3 } from "../protocol";
import { World } from "./world";

function world(bodies: number, bounds: [Vec3, Vec3], up: Vec3 = [0, 0, 1]): World {
  const made = new World();
  const scene = { planar: false, up, gravity: up.map((x) => -9.81 * x), joints: [], bodies: Array.from({ length: bodies }), bounds };
  made.take(scene as unknown as SceneMessage, true);
  return made;
}

it("where nothing is, the ground is at 0, and stays there", () => {
  for (const up of [[0, 0, 1], [0, 1, 0]] as Vec3[]) {
    const made = world(0, [[-1, -1, -1], [1, 1, 1]], up);
    expect(made.floor).toBe(0);
    const more = { planar: false, up, gravity: [0, 0, 0], joints: [], bodies: [{}], bounds: [[0, 0, 0.5], [1, 1, 2]] };
    made.take(more as unknown as SceneMessage, false);
    expect(made.floor).toBe(0);
  }
});

it("the ground is below everything, or at 0 if that is not far", () => {
  expect(world(1, [[0, 0, -3], [1, 1, 1]]).floor).toBe(-3);
  expect(world(1, [[0, 0, 0.2], [1, 1, 1]]).floor).toBe(0);
  expect(world(1, [[0, 0, 10], [1, 1, 11]]).floor).toBe(10);
});
