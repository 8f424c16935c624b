// Which place a pointer means: ends, centres, joints and frames near it on the screen, else the grid.
import type { Vec } from "./types";

export type Place = { point: Vec; label: string; body: string | null };
export type Snapped = { point: Vec; label: string | null; body: string | null };

/** The place nearest to a pixel, of those within `reach` pixels; an earlier one wins where two are as near. */
export function nearestPlace(places: readonly Place[], pixel: (p: Vec) => readonly [number, number], x: number, y: number, reach: number): Place | null {
  let best: Place | null = null;
  let least = reach;
  for (const place of places) {
    const [px, py] = pixel(place.point);
    const far = Math.hypot(px - x, py - y);
    if (far < least - 0.5) [best, least] = [place, far];
  }
  return best;
}

/** The point of a grid of the given step through `origin`, along two unit axes, that is nearest to a point in its plane. */
export function snapToGrid(point: Vec, origin: Vec, u: Vec, v: Vec, step: number): Vec {
  const from = [point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]] as const;
  const a = Math.round(dot(from, u) / step) * step;
  const b = Math.round(dot(from, v) / step) * step;
  return [0, 1, 2].map((i) => clean(origin[i]! + a * u[i]! + b * v[i]!)) as Vec;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

/** 0.30000000000000004 is 0.3: what is snapped is written in fields. */
function clean(x: number): number {
  return Number(x.toPrecision(12));
}

/** How far a pixel is from the segment between two others. */
export function segmentDistance(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const squared = dx * dx + dy * dy;
  const t = squared > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / squared)) : 0;
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}
