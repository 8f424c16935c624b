import { describe, expect, it } from "vitest";

import { bodiesOf, bodyRequest, connectionRequest, defaults } from "../src/logic/making";
import { toolGroups } from "../src/logic/toolGroups";
import type { ConnectionKind } from "../src/protocol";

describe("bodies", () => {
  it("have vectors of two numbers in the plane, of three in space", () => {
    expect(bodyRequest({ make: "rod", from: [0, 0, 0], to: [1, 0, 0] }, true)).toEqual({ do: "add_body", shape: { type: "rod", start: [0, 0], end: [1, 0], mass: 1 } });
    expect(bodyRequest({ make: "capsule", from: [0, 0, 0], to: [0, 0, 2], radius: 0.2 }, false)).toEqual({ do: "add_body", shape: { type: "capsule", start: [0, 0, 0], end: [0, 0, 2], radius: 0.2, mass: 1 } });
    expect(bodyRequest({ make: "box", centre: [1, 2, 0], size: [3, 4, 5] }, true)).toEqual({ do: "add_body", shape: { type: "box", size: [3, 4], mass: 1 }, position: [1, 2, 0] });
    expect(bodyRequest({ make: "disc", centre: [0, 0, 1], radius: 1, normal: [0, 0, 1], thickness: 0.2 }, false)).toEqual({
      do: "add_body", shape: { type: "disc", radius: 1, thickness: 0.2, mass: 1 }, position: [0, 0, 1], orientation: [1, 0, 0, 0],
    });
  });
  it("polygons have a frame in their middle, in their plane", () => {
    const flat = bodyRequest({ make: "polygon", points: [[1, 1, 0], [3, 1, 0], [3, 3, 0], [1, 3, 0]] }, true);
    expect(flat).toEqual({ do: "add_body", shape: { type: "extrusion", polygon: [[-1, -1], [1, -1], [1, 1], [-1, 1]], mass: 1 }, position: [2, 2, 0] });
    const upright = bodyRequest({ make: "polygon", points: [[0, 0, 0], [2, 0, 0], [2, 0, 2], [0, 0, 2]] }, false) as unknown as { shape: { polygon: number[][] }; orientation: number[] };
    const [w, x, y, z] = upright.orientation as [number, number, number, number];
    expect(Math.hypot(w, x, y, z)).toBeCloseTo(1);
    // the frame takes its corners back to where they were drawn
    const turn = ([a, b]: number[]) => [(1 - 2 * (y * y + z * z)) * a! + 2 * (x * y - w * z) * b!, 2 * (x * y + w * z) * a! + (1 - 2 * (x * x + z * z)) * b!, 2 * (x * z - w * y) * a! + 2 * (y * z + w * x) * b!];
    upright.shape.polygon.map(turn).forEach((corner, i) => {
      const drawn = [[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1]][i]!;
      corner.forEach((value, k) => expect(value).toBeCloseTo(drawn[k]!));
    });
  });
});

describe("connections", () => {
  it("know their bodies", () => {
    expect(connectionRequest({ make: "joint", kind: "pin", a: "rod", b: null, at_a: [1, 0, 0], at_b: [1, 0, 0] }, true)).toMatchObject({ do: "add_joint", kind: { type: "pin" }, a: "rod", b: "ground" });
    expect(connectionRequest({ make: "force", kind: "point_force", a: "rod", b: null, at_a: [1, 0, 0], at_b: [1, 0, 0] }, true)).toEqual({ do: "add_force", kind: { type: "point_force", force: [10, 0] }, a: "rod", at_a: [1, 0, 0] });
    expect(connectionRequest({ make: "joint", kind: "imposed_point", a: "rod", b: null, at_a: [1, 2, 0], at_b: [1, 2, 0] }, true)).toEqual({ do: "add_joint", kind: { type: "imposed_point", path: [1, 2] }, a: "ground", b: "rod", at: [1, 2, 0] });
    expect(defaults("spring", true)).toEqual({ type: "spring", stiffness: 100, damping: 1 });
    expect(defaults("pin", true)).toEqual({ type: "pin" });
  });
  it("ask for one click or two", () => {
    expect(bodiesOf({ type: "spring", attachment: "two" })).toBe(2);
    expect(bodiesOf({ type: "torque", attachment: "any" })).toBe(1);
    expect(bodiesOf({ type: "imposed_body", attachment: "bodies" })).toBe(1);
  });
  it("come in families, each once", () => {
    const kind = (type: string, planar = true): ConnectionKind => ({ type, title: type, planar, spatial: !planar, attachment: "bodies", fields: [] });
    const found = toolGroups({ joints: [kind("pin"), kind("revolute", false), kind("own")], forces: [kind("spring"), kind("grab")] }, true);
    expect(found.map((group) => [group.id, ...group.kinds.map(({ type }) => type)])).toEqual([["hinges", "pin"], ["joints", "own"], ["springs", "spring"]]);
  });
});
