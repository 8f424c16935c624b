// The frame of the world that is shown: which way is up, and what spans the ground.
import { Box3, Vector3 } from "three";
import type { SceneMessage } from "../protocol";
import { sweep } from "./sweep";

export class World {
  planar = false;
  /** Axes of the ground, and up: right × ahead = up. In the plane: x, y and the normal to it. */
  readonly right = new Vector3(1, 0, 0);
  readonly ahead = new Vector3(0, 1, 0);
  readonly up = new Vector3(0, 0, 1);
  readonly centre = new Vector3();
  /** What is to be seen before there are poses. */
  readonly box = new Box3();
  /** Size of what is shown, never 0. */
  size = 1;
  /** Height of the grid along up. */
  floor = 0;

  /** Takes what a scene says. Up and the floor stay as they are unless another mechanism is shown: who tilts gravity wants to see it. */
  take(scene: SceneMessage, anew: boolean): void {
    this.planar = scene.planar;
    if (anew) this.stand(scene);
    const [low, high] = sweep(scene).map((corner) => new Vector3(...corner)) as [Vector3, Vector3];
    this.box.set(low, high);
    const size = high.distanceTo(low);
    if (size > 0) this.centre.addVectors(low, high).multiplyScalar(0.5);
    else this.box.setFromCenterAndSize(this.centre.set(0, 0, 0), new Vector3(1.6, 1.2, 0.8));
    this.size = size > 0 ? size : 1;
    if (anew) this.floor = scene.bodies.length > 0 || scene.joints.length > 0 ? this.floorOf(low, high) : 0;
  }

  /** Up is the axis of the world nearest to what the scene says, so that the ground is drawn along the others. */
  private stand(scene: SceneMessage): void {
    const told = scene.planar ? [0, 0, 1] : scene.up;
    const largest = Math.max(...told.map(Math.abs));
    const axis = largest > 0 ? told.findIndex((x) => Math.abs(x) === largest) : 2;
    this.up.set(0, 0, 0).setComponent(axis, told[axis]! < 0 ? -1 : 1);
    // x is right wherever up allows: z-up gives (x, y), y-up gives (x, −z)
    this.right.set(axis === 0 ? 0 : 1, axis === 0 ? 1 : 0, 0);
    this.ahead.crossVectors(this.up, this.right);
  }

  /** The lowest place, or 0 where everything stands above it and not far away. */
  private floorOf(low: Vector3, high: Vector3): number {
    if (this.planar) return 0;
    const bottom = Math.min(low.dot(this.up), high.dot(this.up));
    return bottom > 0 && bottom < 0.75 * this.size ? 0 : bottom;
  }
}
