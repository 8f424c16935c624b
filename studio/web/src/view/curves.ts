// Points of the curves of symbols. All are flat arrays x y z x y z …

/** A helix along x from 0 to 1, of radius 1, with straight ends on the axis. */
export function coilPoints(turns: number, perTurn: number, end = 0.1): Float32Array {
  const count = Math.round(turns * perTurn) + 1;
  const points = new Float32Array(3 * (count + 4));
  const put = (i: number, x: number, y: number, z: number) => points.set([x, y, z], 3 * i);
  put(0, 0, 0, 0);
  put(1, end, 0, 0);
  for (let i = 0; i < count; i++) {
    const s = i / (count - 1);
    const angle = 2 * Math.PI * turns * s;
    put(i + 2, end + (1 - 2 * end) * s, Math.sin(angle + Math.PI / 2), Math.cos(angle + Math.PI / 2));
  }
  put(count + 2, 1 - end, 0, 0);
  put(count + 3, 1, 0, 0);
  return points;
}

/** A spiral in the plane z = 0 from radius `inner` to 1. */
export function spiralPoints(turns: number, perTurn: number, inner = 0.2): Float32Array {
  const count = Math.round(turns * perTurn) + 1;
  const points = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const s = i / (count - 1);
    const radius = inner + (1 - inner) * s;
    points[3 * i] = radius * Math.cos(2 * Math.PI * turns * s);
    points[3 * i + 1] = radius * Math.sin(2 * Math.PI * turns * s);
  }
  return points;
}

/** The outline of a rod of half width r between two points of the plane, with round ends: x y pairs, counterclockwise. */
export function stadium(ax: number, ay: number, bx: number, by: number, r: number, steps = 12): [number, number][] {
  const along = Math.atan2(by - ay, bx - ax);
  const points: [number, number][] = [];
  for (const [x, y, start] of [[bx, by, along - Math.PI / 2], [ax, ay, along + Math.PI / 2]] as const)
    for (let i = 0; i <= steps; i++) {
      const angle = start + (Math.PI * i) / steps;
      points.push([x + r * Math.cos(angle), y + r * Math.sin(angle)]);
    }
  return points;
}

/** A closed outline of the plane with its corners rounded by at most r (less where edges are short). */
export function rounded(corners: readonly (readonly [number, number])[], r: number, steps = 4): [number, number][] {
  const n = corners.length;
  const points: [number, number][] = [];
  for (let i = 0; i < n; i++) {
    const [px, py] = corners[(i + n - 1) % n]!;
    const [x, y] = corners[i]!;
    const [qx, qy] = corners[(i + 1) % n]!;
    const before = Math.hypot(px - x, py - y) || 1;
    const after = Math.hypot(qx - x, qy - y) || 1;
    const cut = Math.min(r, before / 2, after / 2);
    const start = [x + ((px - x) * cut) / before, y + ((py - y) * cut) / before] as const;
    const stop = [x + ((qx - x) * cut) / after, y + ((qy - y) * cut) / after] as const;
    for (let k = 0; k <= steps; k++) {
      const t = k / steps;
      const u = 1 - t;
      points.push([u * u * start[0] + 2 * u * t * x + t * t * stop[0], u * u * start[1] + 2 * u * t * y + t * t * stop[1]]);
    }
  }
  return points;
}

export function circle(x: number, y: number, r: number, steps = 64): [number, number][] {
  return Array.from({ length: steps }, (_, i) => {
    const angle = (2 * Math.PI * i) / steps;
    return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
  });
}

/** The toothed outline of a gear of outer radius 1. */
export function gearOutline(teeth: number, root = 0.78): [number, number][] {
  const points: [number, number][] = [];
  for (let i = 0; i < teeth; i++)
    for (const [part, radius] of [[0, root], [0.22, root], [0.36, 1], [0.64, 1], [0.78, root]] as const) {
      const angle = (2 * Math.PI * (i + part)) / teeth;
      points.push([radius * Math.cos(angle), radius * Math.sin(angle)]);
    }
  return points;
}
