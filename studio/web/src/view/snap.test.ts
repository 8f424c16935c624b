import { describe, expect, it } from "vitest";
import { draft, type Sheet } from "./draft";
import { nearestPlace, type Place, segmentDistance, snapToGrid } from "./snap";
import type { Vec } from "./types";

const pixel = ([x, y]: Vec): [number, number] => [100 * x, 100 * y];
const place = (x: number, y: number, label: string): Place => ({ point: [x, y, 0], label, body: null });

describe("places", () => {
  const places = [place(0, 0, "joint"), place(0.002, 0, "end"), place(1, 0, "centre")];
  it("are found within reach only", () => {
    expect(nearestPlace(places, pixel, 104, 3, 10)?.label).toBe("centre");
    expect(nearestPlace(places, pixel, 50, 0, 10)).toBeNull();
  });
  it("of two at the same place the first is meant", () => expect(nearestPlace(places, pixel, 1, 0, 10)?.label).toBe("joint"));
  it("behind the eye are none", () => expect(nearestPlace(places, () => [Infinity, Infinity], 0, 0, 10)).toBeNull());
});

describe("the grid", () => {
  it("gives round numbers", () => expect(snapToGrid([0.31, 0.26, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0], 0.1)).toEqual([0.3, 0.3, 0]));
  it("lies in any plane", () => expect(snapToGrid([0.5, 1.24, -0.96], [0.5, 0, 0], [0, 1, 0], [0, 0, 1], 0.5)).toEqual([0.5, 1, -1]));
});

it("the distance of a segment ends at its ends", () => {
  expect(segmentDistance(5, 3, 0, 0, 10, 0)).toBe(3);
  expect(segmentDistance(13, 4, 0, 0, 10, 0)).toBe(5);
  expect(segmentDistance(3, 4, 0, 0, 0, 0)).toBe(5);
});

describe("drafts", () => {
  const sheet: Sheet = { origin: [0, 0, 0], u: [1, 0, 0], v: [0, 0, -1], normal: [0, 1, 0], floor: true };
  it("a box stands on the ground, whichever way is up", () => {
    expect(draft("box", [0, 0, 0], [2, 0, -1], sheet, false)?.made).toEqual({ make: "box", centre: [1, 0.5, -0.5], size: [2, 1, 1] });
  });
  it("a box in the plane is centred in it", () => {
    const plane: Sheet = { ...sheet, v: [0, 1, 0], normal: [0, 0, 1] };
    expect(draft("box", [0, 0, 0], [-1, 0.5, 0], plane, true)?.made).toEqual({ make: "box", centre: [-0.5, 0.25, 0], size: [1, 0.5, 0.5] });
  });
  it("radii are rounded to the step", () => {
    expect(draft("disc", [0, 0, 0], [0.3, 0, 0.1], sheet, false, 0.05)?.made).toMatchObject({ radius: 0.3 });
    expect(draft("sphere", [0, 0, 0], [0.01, 0, 0], sheet, false, 0.05)?.made).toMatchObject({ radius: 0.05 });
  });
  it("nothing comes of no drag", () => {
    expect(draft("rod", [1, 2, 3], [1, 2, 3], sheet, false)).toBeNull();
    expect(draft("box", [0, 0, 0], [1, 0, 0], sheet, false)).toBeNull();
  });
});
