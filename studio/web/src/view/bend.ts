// A smooth line through places of a body at moments, which may be far apart. Pure.
import { Quaternion, Vector3 } from "three";

/** Where a point of a body was, and how the body was turned. */
export type Moment = { time: number; x: Vector3; q: Quaternion };

const FINE = 0.1; // rad that the line turns from piece to piece
const MOST = 32; // pieces between two moments

/**
 * Cubic pieces between moments. Their velocities are those of a screw that takes the body from one moment to the next, weighted between two
 * screws as a parabola does: exact for what turns about an axis, at any speed, and a parabola for what does not turn.
 */
export class Bend {
  private last: Moment | null = null;
  private before: Moment | null = null;
  private leaving = new Vector3(); // velocity at `before`
  private arriving = new Vector3(); // at `last`, by the screw that led there
  private open: Vector3[] = [];

  /** Points that follow those that were final before, and points up to the new moment that may still change. */
  add(now: Moment): { final: Vector3[]; open: Vector3[] } {
    const { last, before } = this;
    const span = last ? now.time - last.time : 0;
    if (!last || !(span > 0)) {
      const final = [...this.open, now.x];
      this.before = null;
      this.last = now;
      this.open = [];
      return { final, open: [] };
    }
    const [start, end] = screw(last, now);
    const final: Vector3[] = [];
    if (before) {
      const ago = last.time - before.time;
      const through = this.arriving.multiplyScalar(span).addScaledVector(start, ago).divideScalar(ago + span);
      cubic(before.x, last.x, this.leaving, through, ago, final);
      this.leaving.copy(through);
    } else this.leaving.copy(start);
    this.arriving = end;
    this.before = last;
    this.last = now;
    this.open = [];
    cubic(last.x, now.x, this.leaving, end, span, this.open);
    return { final, open: this.open };
  }
}

/** Velocities at both ends of the steady screw from one moment to another: V⁻¹ d / h with V of the turn φ, and the same turned by φ. */
function screw(a: Moment, b: Moment): [Vector3, Vector3] {
  const turn = b.q.clone().multiply(a.q.clone().conjugate());
  const sine = Math.hypot(turn.x, turn.y, turn.z);
  const angle = 2 * Math.atan2(sine, Math.abs(turn.w));
  const phi = new Vector3(turn.x, turn.y, turn.z).multiplyScalar(sine > 0 ? (Math.sign(turn.w || 1) * angle) / sine : 0);
  const d = new Vector3().subVectors(b.x, a.x);
  const across = new Vector3().crossVectors(phi, d);
  const inward = new Vector3().crossVectors(phi, across);
  const share = angle > 1e-3 ? (1 - angle / 2 / Math.tan(angle / 2)) / (angle * angle) : 1 / 12;
  const mean = d.addScaledVector(inward, share);
  const h = b.time - a.time;
  return [mean.clone().addScaledVector(across, -0.5).divideScalar(h), mean.addScaledVector(across, 0.5).divideScalar(h)];
}

/** The points of a cubic behind a, with velocities u at a and v at b, h later: as many as it turns. */
export function cubic(a: Vector3, b: Vector3, u: Vector3, v: Vector3, h: number, out: Vector3[]): void {
  const d = new Vector3().subVectors(b, a);
  const turns = d.lengthSq() > 0 ? between(u, d) + between(d, v) : 0;
  const pieces = Math.min(MOST, Math.max(1, Math.ceil(turns / FINE)));
  for (let k = 1; k < pieces; k++) {
    const s = k / pieces;
    const r = 1 - s;
    const p = a.clone().multiplyScalar(r * r * (1 + 2 * s)).addScaledVector(b, s * s * (3 - 2 * s));
    out.push(p.addScaledVector(u, h * s * r * r).addScaledVector(v, -h * s * s * r));
  }
  out.push(b.clone());
}

function between(u: Vector3, v: Vector3): number {
  return u.lengthSq() > 0 && v.lengthSq() > 0 ? u.angleTo(v) : 0;
}
