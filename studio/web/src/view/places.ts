// Places that a pointer may mean: ends of rods, centres, corners, joints, frames.
import { Vector3 } from "three";
import type { Primitive, Vec3 } from "../protocol";
import type { Bodies } from "./bodies";
import type { Sign } from "./sign";
import type { Place } from "./snap";

export function placesOf(bodies: Bodies, signs: readonly Sign[], planar: boolean): Place[] {
  const places: Place[] = [];
  const p = new Vector3();
  for (const sign of signs)
    if (sign.what !== "force" && sign.above.visible) places.push({ point: sign.middle.toArray(), label: sign.name, body: null });
  for (const body of bodies.list) {
    if (!body.placed) continue;
    const { name, outline } = body.data;
    const put = (local: Vec3, label: string) =>
      places.push({ point: body.toWorld(p.fromArray(local), p).toArray(), label: `${label} of ${name}`, body: name });
    for (const primitive of outline) for (const [local, label] of pointsOf(primitive)) put(local, label);
    put(body.data.centre, "centre");
  }
  if (planar) for (const place of places) place.point[2] = 0; // faces of a box lie above the plane
  return places;
}

function pointsOf(primitive: Primitive): [Vec3, string][] {
  switch (primitive.kind) {
    case "segment":
    case "cylinder":
    case "capsule":
      return primitive.points.map((point) => [point, "end"]);
    case "sphere":
    case "disc":
      return [[primitive.centre, "centre"]];
    case "box":
      return [[primitive.position, "centre"], ...boxCorners(primitive)];
    case "polygon":
      return primitive.points.map((point) => [point, "corner"]);
    case "point":
      return [[[0, 0, 0], "point"]];
    case "mesh":
      return [];
  }
}

/** Middles of the faces of a box, and its corners. */
function boxCorners({ size, position, rotation }: Extract<Primitive, { kind: "box" }>): [Vec3, string][] {
  const found: [Vec3, string][] = [];
  for (const x of [-1, 0, 1])
    for (const y of [-1, 0, 1])
      for (const z of [-1, 0, 1]) {
        const corner = x * y * z !== 0;
        if (!corner && Math.abs(x) + Math.abs(y) + Math.abs(z) !== 1) continue;
        const local = [(x * size[0]) / 2, (y * size[1]) / 2, (z * size[2]) / 2] as const;
        const at = rotation.map((row, i) => position[i]! + row[0] * local[0] + row[1] * local[1] + row[2] * local[2]) as Vec3;
        found.push([at, corner ? "corner" : "face"]);
      }
  return found;
}
