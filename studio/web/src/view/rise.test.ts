import { Ray, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { Rise } from "./rise";
import type { Vec } from "./types";

const square: Vec[] = [[1, 1, 0], [3, 1, 0], [3, 3, 0], [1, 3, 0]];
const eye = new Vector3(2, -10, 4);
const towards = (z: number) => new Ray(eye.clone(), new Vector3(2, 2, z).sub(eye).normalize());

describe("the thickness of an extrusion", () => {
  it("follows the pointer along the normal, from where the polygon was closed", () => {
    const rise = new Rise(square, [0, 0, 1], towards(0), 300, 0.01);
    rise.move(towards(0.7), 230, 0);
    expect(rise.made.thickness).toBeCloseTo(0.7);
    expect(rise.made.offset[2]).toBeCloseTo(0.35); // it stands on its polygon
    rise.move(towards(0.68), 232, 0.25);
    expect(rise.made.thickness).toBe(0.75);
    rise.move(towards(-0.4), 340, 0);
    expect(rise.made.thickness).toBeCloseTo(0.4);
    expect(rise.made.offset[2]).toBeCloseTo(-0.2);
  });
  it("is a tenth of its radius about the polygon until then", () => {
    const { thickness, offset } = new Rise(square, [0, 0, 1], towards(0), 300, 0.01).made;
    expect(thickness).toBeCloseTo(0.1 * Math.SQRT2);
    expect(offset.map(Math.abs)).toEqual([0, 0, 0]);
  });
  it("goes by the way up the screen where it is looked at from above", () => {
    const down = () => new Ray(new Vector3(2, 2, 10), new Vector3(0, 0, -1));
    const rise = new Rise(square, [0, 0, 1], down(), 300, 0.01);
    rise.move(down(), 250, 0);
    expect(rise.made.thickness).toBeCloseTo(0.5);
  });
});
