import { Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { Track } from "./track";

const at = (t: number) => new Vector3(Math.cos(t), Math.sin(t), 0); // once around in 2π
const six = (t: number) => [Math.cos(t), Math.sin(t), 0, -Math.sin(t), Math.cos(t), 0];
const pose = (time: number) => ({ time, x: at(time), q: new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), time) });
const range = (from: number, to: number, step: number) => Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step);

function drawn(track: Track, time: number, room = 1000): Vector3[] {
  const into = new Float32Array(3 * room);
  const count = track.write(into, time);
  return range(0, count - 1, 1).map((i) => new Vector3().fromArray(into, 3 * i));
}

/** How far from the circle the worst point is, and how far the line turns at most from piece to piece. */
const off = (points: Vector3[]) => Math.max(...points.map((p) => Math.abs(p.length() - 1)));

describe("the path of a body", () => {
  it("is a cubic between samples: as near as the fourth power of their distance", () => {
    for (const step of [0.4, 0.2]) {
      const track = new Track();
      const times = range(0, 4, step);
      track.record(times, times.flatMap(six), 1e-9);
      expect(off(drawn(track, 4))).toBeLessThan(step ** 4 / 384 + 1e-6); // the remainder of the cubic of Hermite, of a fourth derivative of one
      expect(drawn(track, 4).length).toBeGreaterThan(2 * times.length); // it is round
    }
  });

  it("goes on along poses, without a gap or a step back", () => {
    const track = new Track();
    for (const t of range(0, 2, 0.05)) track.add(pose(t));
    track.record([0, 0.5, 1, 1.23], [0, 0.5, 1, 1.23].flatMap(six), 1e-9);
    track.add(pose(2.05));
    const angles = drawn(track, 2.05).map((p) => Math.atan2(p.y, p.x));
    expect(angles[0]).toBeCloseTo(0);
    expect(angles.at(-1)).toBeCloseTo(2.05, 5);
    const steps = angles.slice(1).map((a, i) => a - angles[i]!);
    expect(Math.min(...steps)).toBeGreaterThan(0);
    expect(Math.max(...steps)).toBeLessThan(0.15);
    expect(off(drawn(track, 2.05))).toBeLessThan(1e-3);
  });

  it("ends at the moment of the past that is looked at", () => {
    const track = new Track();
    const times = range(0, 3, 0.1);
    track.record(times, times.flatMap(six), 1e-9);
    track.add(pose(3.05));
    expect(drawn(track, 1).at(-1)!.distanceTo(at(1))).toBeLessThan(1e-6);
    expect(drawn(track, 3.05).at(-1)!.distanceTo(at(3.05))).toBeLessThan(1e-6);
    expect(drawn(track, -1)).toEqual([]);
    expect(drawn(track, 3.05, 5)).toHaveLength(5);
    expect(drawn(track, 3.05, 5).at(-1)!.distanceTo(at(3.05))).toBeLessThan(1e-6);
  });

  it("begins anew where there was no body, and stays where nothing moves", () => {
    const track = new Track();
    track.record([0, 1, 2, 3], [...six(0), null, null, null, null, null, null, ...six(2), ...six(2)], 1e-9);
    expect(drawn(track, 5)).toHaveLength(1);
    track.record([4], [...six(2.2)], 1e-9); // the velocity of a second of rest would lead far away
    expect(off(drawn(track, 5))).toBeLessThan(0.1);
  });
});
