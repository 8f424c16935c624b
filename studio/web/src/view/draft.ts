// From a drag to a shape: what is made, how its ghost looks, and the measure that is shown with it. Pure.
import type { Primitive } from "../protocol";
import type { Made, Vec } from "./types";

/** Where it is drawn: a point and three unit axes, the third normal to the plane; `floor` where bodies stand on it. */
export type Sheet = { origin: Vec; u: Vec; v: Vec; normal: Vec; floor: boolean };

export type Dragged = "rod" | "cylinder" | "capsule" | "disc" | "sphere" | "box";
export type Draft = { made: Made; ghost: Primitive; lengths: number[] };

const THIN = 0.01; // radius of a rod that is given none, of its length
const SLENDER = 0.1; // radius of a cylinder or capsule, of its length
const FLAT = 0.2; // thickness of a disc in space, of its radius

/** `step`: what radii are rounded to; 0 leaves them. */
export function draft(make: Dragged, from: Vec, to: Vec, sheet: Sheet, planar: boolean, step = 0): Draft | null {
  const d = minus(to, from);
  const length = Math.hypot(...d);
  if (!(length > 0)) return null;
  const radius = step > 0 ? tidy(Math.max(1, Math.round(length / step)) * step) : length;
  switch (make) {
    case "rod":
      return { made: { make, from, to }, ghost: { kind: "segment", points: [from, to], radius: THIN * length }, lengths: [length] };
    case "cylinder":
    case "capsule": {
      const slender = SLENDER * length;
      return { made: { make, from, to, radius: slender }, ghost: { kind: make, points: [from, to], radius: slender }, lengths: [length] };
    }
    case "disc": {
      const { normal } = sheet;
      const thickness = FLAT * radius;
      const [low, high] = [-1, 1].map((side) => [0, 1, 2].map((i) => from[i]! + (side * thickness * normal[i]!) / 2)) as [Vec, Vec];
      return {
        made: { make, centre: from, radius, normal, thickness },
        ghost: planar ? { kind: "disc", centre: from, radius, normal } : { kind: "cylinder", points: [low, high], radius },
        lengths: [radius],
      };
    }
    case "sphere":
      return { made: { make, centre: from, radius }, ghost: { kind: "sphere", centre: from, radius }, lengths: [radius] };
    case "box": {
      const [wide, long] = [Math.abs(dot(d, sheet.u)), Math.abs(dot(d, sheet.v))];
      if (wide === 0 || long === 0) return null;
      const high = Math.min(wide, long);
      const size = [0, 1, 2].map((i) => tidy(Math.abs(sheet.u[i]!) * wide + Math.abs(sheet.v[i]!) * long + Math.abs(sheet.normal[i]!) * high)) as Vec;
      const raise = sheet.floor && !planar ? high / 2 : 0;
      const centre = [0, 1, 2].map((i) => tidy((from[i]! + to[i]!) / 2 + raise * sheet.normal[i]!)) as Vec;
      return {
        made: { make, centre, size },
        ghost: { kind: "box", size, position: centre, rotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] },
        lengths: [wide, long],
      };
    }
  }
}

function minus(a: Vec, b: Vec): Vec {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function dot(a: Vec, b: Vec): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function tidy(x: number): number {
  return Number(x.toPrecision(12));
}
