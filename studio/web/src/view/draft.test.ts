import { expect, it } from "vitest";
import { bodyRequest } from "../logic/making";
import type { Kind } from "../protocol";
import { draft, type Sheet } from "./draft";
import type { Made, Vec } from "./types";

const GROUND: Sheet = { origin: [0, 0, 0], u: [1, 0, 0], v: [0, 1, 0], normal: [0, 0, 1], floor: true };
const FRONT: Sheet = { origin: [0, 0, 0], u: [1, 0, 0], v: [0, 0, 1], normal: [0, -1, 0], floor: false };
const SIDE: Sheet = { origin: [0, 0, 0], u: [0, 1, 0], v: [0, 0, 1], normal: [1, 0, 0], floor: false };

type Asked = { shape: Kind & { radius: number; thickness: number }; position: Vec; orientation?: [number, number, number, number] };

function asked(made: Made, planar = false): Asked {
  return bodyRequest(made as Exclude<Made, { kind: string }>, planar) as unknown as Asked;
}

/** Where a quaternion takes z. */
function axis([w, x, y, z]: readonly number[] = [1, 0, 0, 0]): number[] {
  return [2 * (x! * z! + w! * y!), 2 * (y! * z! - w! * x!), 1 - 2 * (x! * x! + y! * y!)];
}

it("a disc lies in the plane it is drawn in, as thick as its ghost", () => {
  for (const sheet of [GROUND, FRONT, SIDE]) {
    const { made, ghost } = draft("disc", [1, 2, 3], [1 + sheet.u[0], 2 + sheet.u[1], 3 + sheet.u[2]], sheet, false)!;
    const { shape, position, orientation } = asked(made);
    const [from, to] = (ghost as { points: [Vec, Vec] }).points;
    const n = axis(orientation);
    position.forEach((x, i) => expect(x).toBeCloseTo((from[i]! + to[i]!) / 2));
    expect(Math.abs(n.reduce((sum, x, i) => sum + x * sheet.normal[i]!, 0))).toBeCloseTo(1);
    to.forEach((x, i) => expect(Math.abs(x - from[i]!)).toBeCloseTo(shape.thickness * Math.abs(n[i]!)));
    expect(shape.radius).toBeCloseTo((ghost as { radius: number }).radius);
  }
});

it("in the plane a disc has neither thickness nor orientation", () => {
  expect(asked(draft("disc", [1, 2, 0], [2, 2, 0], GROUND, true)!.made, true)).toEqual({
    do: "add_body", shape: { type: "disc", radius: 1, mass: 1 }, position: [1, 2, 0],
  });
});

it("cylinders and capsules are as thick as their ghosts, and rods as they are drawn", () => {
  for (const make of ["cylinder", "capsule"] as const)
    for (const planar of [true, false]) {
      const { made, ghost } = draft(make, [0, 0, 0], [2, 0, 0], GROUND, planar)!;
      expect(asked(made, planar).shape.radius).toBeCloseTo((ghost as { radius: number }).radius);
    }
  expect((draft("rod", [0, 0, 0], [2, 0, 0], GROUND, true)!.ghost as { radius: number }).radius).toBeCloseTo(0.02); // a hundredth, by default
});
