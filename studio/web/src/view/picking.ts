// What is under the pointer. Joints and forces are small: they are found by their distance on the screen; bodies by a ray.
import { type Camera, type Mesh, Raycaster, Vector2, Vector3 } from "three";
import type { Bodies, Body } from "./bodies";
import type { Sign } from "./sign";
import { segmentDistance } from "./snap";

const NEAR_POINT = 11; // pixels
const NEAR_SEGMENT = 8;
const NEAR_RING = 5.5;
const NEAR_BODY = 5; // a thin rod is hit beside it

export type Found = { body: Body; sign: null; point: Vector3 } | { body: null; sign: Sign; point: Vector3 };

export class Picking {
  readonly ray = new Raycaster();
  private ndc = new Vector2();
  private a = new Vector3();
  private b = new Vector3();
  width = 1;
  height = 1;
  /** Pixels of the unit of signs. */
  unit = 8;

  constructor(
    private bodies: Bodies,
    private camera: () => Camera,
  ) {}

  /** Points the ray at pixels of the picture. */
  aim(x: number, y: number): Raycaster {
    this.ray.setFromCamera(this.ndc.set((2 * x) / this.width - 1, 1 - (2 * y) / this.height), this.camera());
    return this.ray;
  }

  /** Pixels of a world point in the picture; null behind the eye. */
  project(p: Vector3, out: Vector3): Vector3 | null {
    out.copy(p).project(this.camera());
    if (out.z > 1) return null;
    out.x = ((out.x + 1) / 2) * this.width;
    out.y = ((1 - out.y) / 2) * this.height;
    return out;
  }

  /** Signs win over bodies: they are drawn above them, and smaller. */
  find(x: number, y: number, signs: readonly Sign[], planar: boolean): Found | null {
    const sign = this.sign(x, y, signs);
    if (sign && (planar || !sign.segment)) return { body: null, sign, point: sign.middle.clone() };
    const hit = this.body(x, y, planar);
    if (hit) return hit;
    if (sign) return { body: null, sign, point: sign.middle.clone() };
    for (let k = 0; k < 8; k++) {
      const beside = this.body(x + NEAR_BODY * Math.cos((k * Math.PI) / 4), y + NEAR_BODY * Math.sin((k * Math.PI) / 4), planar);
      if (beside) return beside;
    }
    return null;
  }

  sign(x: number, y: number, signs: readonly Sign[]): Sign | null {
    let best: Sign | null = null;
    let least = 1; // of its reach
    for (const sign of signs) {
      if (!sign.above.visible) continue;
      const from = this.project(sign.segment ? sign.from : sign.middle, this.a);
      const to = sign.segment ? this.project(sign.to, this.b) : from;
      if (!from || !to) continue;
      const pixels = segmentDistance(x, y, from.x, from.y, to.x, to.y);
      const far = sign.ring > 0 ? Math.abs(pixels - sign.ring * this.unit) / NEAR_RING : pixels / (sign.segment ? NEAR_SEGMENT : NEAR_POINT);
      // of two at the same place (a motor on its joint) the first: joints come before forces
      if (far < least - 0.05) [best, least] = [sign, far];
    }
    return best;
  }

  /** The body under pixels, but for one. */
  body(x: number, y: number, planar: boolean, but?: string): { body: Body; sign: null; point: Vector3 } | null {
    const ray = this.aim(x, y);
    let best: { body: Body; sign: null; point: Vector3; far: number } | null = null;
    for (const body of this.bodies.list) {
      if (!body.placed || body.data.name === but) continue;
      const hit = ray.intersectObjects<Mesh>(body.targets, false)[0];
      // in the plane the one painted last lies on top
      if (hit && (best === null || planar || hit.distance < best.far)) best = { body, sign: null, point: hit.point, far: hit.distance };
    }
    if (best && planar) best.point.z = 0;
    return best;
  }
}
