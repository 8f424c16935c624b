import { Quaternion, Vector3 } from "three";
import { expect, it } from "vitest";
import { Bend, type Moment } from "./bend";

const AXIS = new Vector3(0, 0, 1);

/** Points of a trail, of what is at times. */
function trail(times: number[], at: (t: number) => Omit<Moment, "time">): Vector3[] {
  const bend = new Bend();
  const points: Vector3[] = [];
  for (const time of times) {
    const { final, open } = bend.add({ time, ...at(time) });
    points.push(...final);
    if (time === times.at(-1)) points.push(...open);
  }
  return points;
}

/** Not evenly: 1.2 and 0.8 steps apart. */
const times = (step: number, count: number) => Array.from({ length: count }, (_, i) => step * (i + 0.2 * (i % 2)));

it("a crank that turns by up to 100° between two packets leaves a circle", () => {
  for (const degrees of [10, 45, 83]) {
    const turn = (t: number) => (degrees * Math.PI * t) / 180;
    const most = (1.01 * turn(1.2) ** 4) / 384; // a cubic with the right places and velocities at the ends of an arc
    const points = trail(times(1, 12), (t) => ({
      x: new Vector3(2 + Math.cos(turn(t)), Math.sin(turn(t)), 1), q: new Quaternion().setFromAxisAngle(AXIS, turn(t)),
    }));
    for (const p of points) expect(Math.abs(Math.hypot(p.x - 2, p.y) - 1)).toBeLessThan(most);
    // and no corner: steps of the line are short against the circle
    points.slice(1).forEach((p, i) => expect(p.distanceTo(points[i]!)).toBeLessThan(0.3));
  }
});

it("what does not turn leaves a curve too", () => {
  const points = trail(times(0.3, 12), (t) => ({ x: new Vector3(t, 3 * t - 5 * t * t, 0), q: new Quaternion() }));
  // between the first two and the last two there is no neighbour on one side
  const inside = points.filter(({ x }) => x > 0.36 && x < 3);
  expect(inside.length).toBeGreaterThan(12); // there are 9 moments
  for (const p of inside) expect(p.y).toBeCloseTo(3 * p.x - 5 * p.x * p.x, 9);
});

it("a line is two points, and what moves while time stands still is one", () => {
  expect(trail([0, 1, 2], (t) => ({ x: new Vector3(t, 0, 0), q: new Quaternion() })).map(({ x }) => x)).toEqual([0, 1, 2]);
  const bend = new Bend();
  const put = (time: number, x: number) => bend.add({ time, x: new Vector3(x, 0, 0), q: new Quaternion() });
  put(0, 0);
  put(1, 1);
  expect(put(1, 5).final.map(({ x }) => x)).toEqual([1, 5]);
  expect(put(2, 6).final).toEqual([]);
});
