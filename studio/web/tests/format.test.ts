import { describe, expect, it } from "vitest";

import { evaluate } from "../src/logic/expression";
import { editable, formatFactor, formatMoment, formatNumber, formatTime, readable, withUnit } from "../src/logic/format";

describe("numbers", () => {
  it.each([
    [0, "0"],
    [0.1 + 0.2, "0.3"],
    [-1.5, "\u22121.5"],
    [1234.5678, "1234.6"],
    [1.5e-7, "1.5e\u22127"],
    [2.5e9, "2.5e9"],
    [NaN, "—"],
    [-Infinity, "\u2212∞"],
  ])("%d reads %s", (value, text) => expect(formatNumber(value)).toBe(text));

  it("keeps all digits that were typed, without noise", () => {
    expect(editable(0.1 + 0.2)).toBe("0.3");
    expect(editable(1e-9)).toBe("1e-9");
    expect(editable(null)).toBe("");
  });

  it("gives seconds a prefix", () => {
    expect(withUnit(2.34e-4, "s")).toBe("234 µs");
    expect(withUnit(0.001, "s")).toBe("1 ms");
    expect(withUnit(0, "s")).toBe("0 s");
    expect(withUnit(3, "N")).toBe("3 N");
    expect(withUnit(3, "")).toBe("3");
  });

  it("writes times, speeds and words", () => {
    expect(formatTime(1.23456, 10)).toBe("1.235 s");
    expect(formatTime(0.0001, 0.5)).toBe("0.0001 s");
    expect(formatFactor(0.25)).toBe("×¼");
    expect(formatFactor(4)).toBe("×4");
    expect(readable("pin_in_slot")).toBe("Pin in slot");
  });
});

describe("expressions", () => {
  it.each([
    ["0.25", 0.25],
    ["-1e-3", -1e-3],
    ["2*pi/3", (2 * Math.PI) / 3],
    ["2^3^2", 512],
    ["-2^2", -4],
    ["1 - 2 - 3", -4],
    ["(1+2)*3", 9],
    ["45 deg", Math.PI / 4],
    ["120rpm", 4 * Math.PI],
    ["15 mm", 0.015],
    ["sqrt(2)", Math.SQRT2],
    ["\u22121.5", -1.5],
  ])("%s", (text, value) => expect(evaluate(text)).toBeCloseTo(value, 12));

  it.each(["", "abc", "1 2", "2*", "1/0", "(1", "1,5", "alert(1)"])("%s is none", (text) => expect(evaluate(text)).toBeNull());
});

describe("moments", () => {
  it("leave the day out if it is today", () => {
    const moment = new Date(2024, 4, 17, 9, 5);
    expect(formatMoment(moment.getTime() / 1000, new Date(2024, 4, 17, 23, 0))).toMatch(/^today, 0?9.05/);
    expect(formatMoment(moment.getTime() / 1000, new Date(2024, 4, 18, 0, 1))).toMatch(/17.*2024|2024.*17/);
  });
});
