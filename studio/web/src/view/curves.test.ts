import { describe, expect, it } from "vitest";
import { circle, coilPoints, gearOutline, rounded, spiralPoints, stadium } from "./curves";

const area = (points: readonly (readonly [number, number])[]) =>
  points.reduce((sum, [x, y], i) => {
    const [u, v] = points[(i + 1) % points.length]!;
    return sum + (x * v - u * y) / 2;
  }, 0);

describe("a coil", () => {
  const points = coilPoints(5, 16);
  it("goes from one end of the axis to the other", () => {
    expect([...points.slice(0, 3)]).toEqual([0, 0, 0]);
    expect([...points.slice(-3)]).toEqual([1, 0, 0]);
  });
  it("only goes forward, and is as wide as it says", () => {
    for (let i = 3; i < points.length; i += 3) expect(points[i]!).toBeGreaterThanOrEqual(points[i - 3]!);
    for (let i = 6; i < points.length - 6; i += 3) expect(Math.hypot(points[i + 1]!, points[i + 2]!)).toBeCloseTo(1, 5);
  });
  it("has its turns", () => {
    let crossings = 0;
    for (let i = 9; i < points.length - 6; i += 3) if (points[i + 2]! > 0 !== points[i - 1]! > 0) crossings++;
    expect(crossings).toBeGreaterThanOrEqual(9);
    expect(crossings).toBeLessThanOrEqual(11);
  });
});

describe("outlines", () => {
  it("a spiral grows from its inner radius to 1", () => {
    const points = spiralPoints(2, 12, 0.25);
    expect(Math.hypot(points[0]!, points[1]!)).toBeCloseTo(0.25);
    expect(Math.hypot(points.at(-3)!, points.at(-2)!)).toBeCloseTo(1);
  });
  it("a rod has the area of its rectangle and its ends, whichever way it lies", () => {
    for (const [x, y] of [[2, 0], [0, -2], [Math.SQRT2, Math.SQRT2]] as const) expect(area(stadium(0, 0, x, y, 0.5, 200))).toBeCloseTo(2 + Math.PI / 4, 3);
  });
  it("rounding keeps to short edges and loses little", () => {
    const square = [[0, 0], [1, 0], [1, 1], [0, 1]] as const;
    expect(area(rounded(square, 0.1))).toBeGreaterThan(0.98);
    for (const [x, y] of rounded(square, 9)) expect(Math.min(x, y, 1 - x, 1 - y)).toBeGreaterThanOrEqual(-1e-12);
  });
  it("circles and gears go round once", () => {
    expect(area(circle(3, 4, 1, 400))).toBeCloseTo(Math.PI, 3);
    expect(gearOutline(12)).toHaveLength(60);
    expect(area(gearOutline(12))).toBeGreaterThan(Math.PI * 0.78 ** 2 * 0.95);
  });
});
