// The path of a body's centre: as it was computed, and on to the present along the poses that have arrived since. Pure.
import { Quaternion, Vector3 } from "three";
import { Bend, cubic, type Moment } from "./bend";

const MOST = 20000; // points that are kept

type Sample = { time: number; x: Vector3; v: Vector3 };

export class Track {
  private times: number[] = []; // of the points of what is recorded
  private points: number[] = []; // x y z of each
  private last: Sample | null = null; // the end of what is recorded
  private before: Moment | null = null; // the pose that came before that
  private moments: Moment[] = []; // and those after it
  private bend = new Bend();
  private fixed: Vector3[] = []; // the line through them, and its end, which may still change
  private open: Vector3[] = [];

  /** Forgets everything. */
  clear(): void {
    this.times = [];
    this.points = [];
    this.last = this.before = null;
    this.moments = [];
    this.rebuild();
  }

  /** Samples that follow those before: times, and six numbers for each, place and velocity. Where there is nothing the path begins anew. */
  record(times: readonly number[], numbers: readonly (number | null)[], least: number): void {
    times.forEach((time, i) => {
      const six = numbers.slice(6 * i, 6 * i + 6);
      if (six.length < 6 || six.includes(null)) {
        this.times = [];
        this.points = [];
        this.last = null;
      } else this.extend({ time, x: new Vector3(...(six as number[])), v: new Vector3(...(six.slice(3) as number[])) }, least);
    });
    if (this.times.length > 2 * MOST) {
      this.points.splice(0, 3 * (this.times.length - MOST));
      this.times.splice(0, this.times.length - MOST);
    }
    const end = this.last?.time ?? -Infinity;
    this.before = this.moments.filter(({ time }) => time <= end).at(-1) ?? this.before;
    this.moments = this.moments.filter(({ time }) => time > end);
    this.rebuild();
  }

  /** Exact at both samples, place and velocity, and a cubic between them. What has hardly moved makes no new point. */
  private extend(now: Sample, least: number): void {
    const { last, points } = this;
    const count = this.times.length;
    const near = count > 0 && Math.hypot(points[3 * count - 3]! - now.x.x, points[3 * count - 2]! - now.x.y, points[3 * count - 1]! - now.x.z) < least;
    this.last = now;
    if (near) return;
    const pieces: Vector3[] = [];
    if (last && now.time > last.time) cubic(last.x, now.x, last.v, now.v, now.time - last.time, pieces);
    else pieces.push(now.x);
    pieces.forEach((p, k) => {
      this.times.push(last ? last.time + ((now.time - last.time) * (k + 1)) / pieces.length : now.time);
      points.push(p.x, p.y, p.z);
    });
  }

  /** Where the body is drawn, and how it is turned. */
  add(now: Moment): void {
    const newest = this.moments.at(-1) ?? this.before;
    if (newest && now.time < newest.time) {
      this.moments = []; // time went back
      this.before = null;
      this.rebuild();
    }
    if (now.time <= (this.last?.time ?? -Infinity)) this.before = now;
    else if (now.time > (this.moments.at(-1)?.time ?? -Infinity)) {
      this.moments.push(now);
      if (this.moments.length === 1) this.rebuild();
      else this.follow(now);
      if (this.moments.length > 2 * MOST) this.moments.splice(0, MOST);
    }
  }

  /** The line through the poses since, from where the record ends. */
  private rebuild(): void {
    this.bend = new Bend();
    this.fixed = [];
    this.open = [];
    const { last, before, moments } = this;
    const first = moments[0];
    if (first && last) {
      const share = before && first.time > before.time ? (last.time - before.time) / (first.time - before.time) : 0;
      this.bend.add({ time: last.time, x: last.x, q: new Quaternion().slerpQuaternions(before?.q ?? first.q, first.q, share) });
    }
    for (const moment of moments) this.follow(moment);
  }

  private follow(moment: Moment): void {
    const { final, open } = this.bend.add(moment);
    this.fixed.push(...final);
    if (this.fixed.length > 2 * MOST) this.fixed.splice(0, MOST);
    this.open = open;
  }

  /** Writes the last points up to a time, as many as there is room for, and says how many these are. */
  write(into: Float32Array, time: number): number {
    const recorded = upTo(this.times, time);
    const rest = recorded === this.times.length && time > (this.last?.time ?? -Infinity) ? [...this.fixed, ...this.open] : [];
    const skipped = Math.max(0, recorded + rest.length - into.length / 3);
    const first = Math.min(skipped, recorded);
    into.set(this.points.slice(3 * first, 3 * recorded));
    rest.slice(skipped - first).forEach((p, i) => p.toArray(into, 3 * (recorded - first + i)));
    return recorded + rest.length - skipped;
  }
}

/** How many of some times that never decrease are not after a time. */
function upTo(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
