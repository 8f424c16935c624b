import { Box3, Vector3 } from "three";
import { expect, it } from "vitest";
import type { SceneMessage } from "../protocol";
import { Rig } from "./rig";
import { World } from "./world";

const NOTHING = { left: 0, top: 0, right: 0, bottom: 0 };

function rig(planar: boolean): Rig {
  const world = new World();
  const scene = { planar, up: [0, 0, 1], gravity: [0, 0, 0], joints: [], bodies: [{}], bounds: [[-1, -1, planar ? 0 : -1], [1, 1, planar ? 0 : 1]] };
  world.take(scene as unknown as SceneMessage, true);
  const made = new Rig(world);
  made.resize(900, 600);
  made.begin();
  return made;
}

/** Pixels of a point. */
function pixel(of: Rig, x: number, y: number, z: number): [number, number] {
  const at = new Vector3(x, y, z).project(of.camera);
  return [450 * (at.x + 1), 300 * (1 - at.y)];
}

it("what is carried stays where it is in the picture", () => {
  for (const planar of [true, false]) {
    const of = rig(planar);
    const before = pixel(of, 0.5, 0.2, 0);
    of.carry(new Vector3(3, -2, 0));
    pixel(of, 3.5, -1.8, 0).forEach((value, i) => expect(value).toBeCloseTo(before[i]!));
    expect(of.update(0.02)).toBe(false); // it is there already
  }
});

it("what is framed is between the edges, and beside what lies over the picture", () => {
  const boxes = [[0, 0, 0, 1, 1, 1], [-3, 0, 0, 3, 0.1, 0.1], [0, -5, 0, 0.2, 5, 0.2], [0, 0, -2, 0.1, 0.1, 4], [7, 8, 9, 7.1, 8, 9]];
  for (const planar of [true, false])
    for (const [x0, y0, z0, x1, y1, z1] of boxes as [number, number, number, number, number, number][])
      for (const covered of [NOTHING, { left: 120, top: 50, right: 0, bottom: 30 }]) {
        const of = rig(planar);
        of.covered = covered;
        of.frame(new Box3(new Vector3(x0, y0, planar ? 0 : z0), new Vector3(x1, y1, planar ? 0 : z1)), true);
        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => pixel(of, i & 1 ? x1 : x0, i & 2 ? y1 : y0, planar ? 0 : i & 4 ? z1 : z0));
        for (const [x, y] of corners) {
          expect(x).toBeGreaterThan(covered.left + 20);
          expect(x).toBeLessThan(900 - covered.right - 20);
          expect(y).toBeGreaterThan(covered.top + 20);
          expect(y).toBeLessThan(600 - covered.bottom - 20);
        }
        // and not smaller than it must be: it reaches over half of one side
        const span = (k: 0 | 1, whole: number) => (Math.max(...corners.map((p) => p[k])) - Math.min(...corners.map((p) => p[k]))) / whole;
        if (x1 - x0 > 0.1) expect(Math.max(span(0, 900), span(1, 600))).toBeGreaterThan(0.5);
      }
});
