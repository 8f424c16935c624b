import { describe, expect, it } from "vitest";
import { divisions, quantity, stepAbove } from "./scale";

describe("steps of scales", () => {
  it.each([
    [0.9, 1],
    [1, 1],
    [1.1, 2],
    [2.0000000001, 2],
    [3, 5],
    [7, 10],
    [0.00013, 0.0002],
    [4.2e4, 5e4],
  ])("the step not below %d is %d", (least, step) => expect(stepAbove(least)).toBe(step));

  it("is 1 where there is nothing to measure", () => {
    for (const x of [0, -1, NaN, Infinity]) expect(stepAbove(x)).toBe(1);
  });

  it("divides steps into round parts", () => {
    for (let k = -6; k <= 6; k++)
      for (const digit of [1, 2, 5]) {
        const part = (digit * 10 ** k) / divisions(digit * 10 ** k);
        expect([1, 2, 5, 10]).toContain(Math.round(Number((part / 10 ** Math.floor(Math.log10(part) + 1e-9)).toPrecision(6))));
      }
  });
});

describe("quantities in words", () => {
  it.each([
    [0.5, "m", "0.5 m"],
    [0.02, "m", "20 mm"],
    [1, "m", "1 m"],
    [12345, "N", "12.3 kN"],
    [0.0001, "m", "100 µm"],
    [-0.25, "m/s", "-0.25 m/s"],
    [0, "N", "0 N"],
  ])("%d %s", (value, unit, text) => expect(quantity(value, unit)).toBe(text));
});
