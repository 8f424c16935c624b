// Geometry of primitives in the plane: a filled outline, and lines that show the turning.
import { BufferGeometry, Shape, ShapeGeometry, Vector2 } from "three";
import type { Primitive } from "../protocol";
import { circle, rounded, stadium } from "./curves";

type Contour = readonly (readonly [number, number])[];

/** `border` and `marks` are pairs of points of segments, x y z each. */
export type Flat = { faces: BufferGeometry; border: number[]; marks: number[] };

export function flatOf(primitive: Primitive, size: number): Flat | null {
  const least = 0.006 * size;
  switch (primitive.kind) {
    case "segment":
    case "capsule":
    case "cylinder": {
      const [a, b] = primitive.points;
      const r = Math.max(primitive.radius || 0, least);
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      if (length < 1e-6 * size) return round(a[0], a[1], r);
      if (primitive.kind !== "cylinder") return filled(stadium(a[0], a[1], b[0], b[1], r), []);
      const [nx, ny] = [(-(b[1] - a[1]) / length) * r, ((b[0] - a[0]) / length) * r];
      return filled(
        rounded([[a[0] - nx, a[1] - ny], [b[0] - nx, b[1] - ny], [b[0] + nx, b[1] + ny], [a[0] + nx, a[1] + ny]], 0.25 * Math.min(r, length)),
        [],
      );
    }
    case "box": {
      const [w, h] = [primitive.size[0] / 2, primitive.size[1] / 2];
      const [r0, r1] = primitive.rotation;
      const [x, y] = primitive.position;
      const corners = [[-w, -h], [w, -h], [w, h], [-w, h]].map(
        ([u, v]) => [x + r0[0] * u! + r0[1] * v!, y + r1[0] * u! + r1[1] * v!] as const,
      );
      return filled(rounded(corners, 0.16 * Math.min(w, h)), []);
    }
    case "sphere":
    case "disc":
      return round(primitive.centre[0], primitive.centre[1], primitive.radius || 4 * least);
    case "polygon":
      return primitive.points.length < 3 ? null : filled(rounded(primitive.points.map((p) => [p[0], p[1]]), 0.012 * size), []);
    case "point":
      return filled(circle(0, 0, 0.014 * size), []);
    case "mesh":
      return null; // drawn as a solid
  }
}

/** A circle with three spokes, the first of them heavier by a spot near the rim. */
function round(x: number, y: number, r: number): Flat {
  const marks: number[] = [];
  for (let k = 0; k < 3; k++) {
    const angle = Math.PI / 2 + (2 * Math.PI * k) / 3;
    for (const at of [0.22 * r, 0.84 * r]) marks.push(x + at * Math.cos(angle), y + at * Math.sin(angle), 0);
  }
  marks.push(...segments(circle(x, y + 0.84 * r, 0.06 * r, 12)));
  return filled(circle(x, y, r), marks);
}

function filled(contour: Contour, marks: number[]): Flat {
  return { faces: new ShapeGeometry(new Shape(contour.map(([x, y]) => new Vector2(x, y)))), border: segments(contour), marks };
}

function segments(contour: Contour): number[] {
  return contour.flatMap(([x, y], i) => {
    const [u, v] = contour[(i + 1) % contour.length]!;
    return [x, y, 0, u, v, 0];
  });
}
