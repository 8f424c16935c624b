// The thickness of an extrusion: how far the pointer is moved along the normal of its polygon, once that is closed. Pure.
import { Vector3, type Ray } from "three";
import type { Made, Vec } from "./types";

const STEEP = 0.03; // sine squared of the angle between eye and normal below which nothing is seen of a height

/** Of an extrusion that was given none, of its radius. */
const USUAL = 0.1;

export class Rise {
  readonly middle: Vector3;
  private normal: Vector3;
  private start: number;
  private upright: boolean; // seen from the side: the pointer shows the height; else the way it has gone up on the screen does
  private height = 0;

  /** `pixel`: of the world, where it is drawn; the pointer is at `y`, on a ray from the eye. */
  constructor(
    readonly points: Vec[],
    normal: Vec,
    ray: Ray,
    y: number,
    private pixel: number,
  ) {
    this.normal = new Vector3(...normal);
    this.middle = points.reduce((sum, p) => sum.add(new Vector3(...p)), new Vector3()).divideScalar(points.length);
    this.upright = 1 - this.normal.dot(ray.direction) ** 2 > STEEP;
    this.start = this.along(ray, y);
  }

  /** `step`: what it is rounded to; 0 leaves it. */
  move(ray: Ray, y: number, step: number): void {
    const height = this.along(ray, y) - this.start;
    this.height = step > 0 ? Number((Math.round(height / step) * step).toPrecision(12)) : height;
  }

  /** Where the normal through the middle is nearest to a ray. */
  private along(ray: Ray, y: number): number {
    if (!this.upright) return -y * this.pixel;
    const apart = new Vector3().subVectors(this.middle, ray.origin);
    const cosine = this.normal.dot(ray.direction);
    return (cosine * ray.direction.dot(apart) - this.normal.dot(apart)) / (1 - cosine * cosine);
  }

  /** What is made now: from the polygon to where the pointer has been moved; if it was not, the usual thickness about the polygon. */
  get made(): Extract<Made, { make: "polygon" }> & { thickness: number; offset: Vec } {
    const { points, height } = this;
    const thickness = height === 0 ? usualThickness(points) : Math.abs(height);
    return { make: "polygon", points, thickness, offset: this.normal.clone().multiplyScalar(height / 2).toArray() };
  }
}

export function usualThickness(points: readonly Vec[]): number {
  const middle = [0, 1, 2].map((i) => points.reduce((sum, p) => sum + p[i]!, 0) / points.length);
  return USUAL * Math.max(...points.map((p) => Math.hypot(p[0] - middle[0]!, p[1] - middle[1]!, p[2] - middle[2]!)));
}
