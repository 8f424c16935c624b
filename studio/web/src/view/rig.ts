// The camera: where it looks, and how it gets there. What is asked for is the goal; the picture follows it within about 200 ms.
import { Matrix4, OrthographicCamera, PerspectiveCamera, type Ray, Vector3, type Box3 } from "three";
import type { StandardView } from "./types";
import type { World } from "./world";

const FOV = (32 * Math.PI) / 180;
const QUICK = 0.03; // s, time constant of what the hand does
const CALM = 0.055; // s, of what a command does: done to the eye after 200 ms

const MARGIN = 24; // pixels around what is framed: signs of joints are as large

/** Pixels at the edges of the picture that something lies over. */
export type Covered = { left: number; top: number; right: number; bottom: number };

class Aim {
  readonly target = new Vector3();
  yaw = 0;
  pitch = 0;
  /** Visible height at the target [m]. */
  height = 1;
}

export class Rig {
  readonly perspective = new PerspectiveCamera((FOV * 180) / Math.PI, 1, 0.1, 100);
  readonly orthographic = new OrthographicCamera();
  camera: PerspectiveCamera | OrthographicCamera = this.perspective;
  private now = new Aim();
  private goal = new Aim();
  private pace = QUICK;
  width = 1;
  pixels = 1;
  covered: Covered = { left: 0, top: 0, right: 0, bottom: 0 };
  /** Unit vectors of the picture: to the right, up, and towards the eye. */
  readonly right = new Vector3();
  readonly upward = new Vector3();
  readonly toEye = new Vector3();
  private basis = new Matrix4();
  private scratch = new Vector3();

  constructor(private world: World) {
    this.perspective.matrixAutoUpdate = this.orthographic.matrixAutoUpdate = false;
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.pixels = height;
    this.apply();
  }

  get height(): number {
    return this.now.height;
  }

  get target(): Vector3 {
    return this.now.target;
  }

  /** Metres of a pixel at the target. */
  get pixel(): number {
    return this.now.height / this.pixels;
  }

  /** Takes over the kind of the world: a plane is looked at from its normal, always. */
  begin(): void {
    this.camera = this.world.planar ? this.orthographic : this.perspective;
    this.goal.yaw = this.world.planar ? 0 : (35 * Math.PI) / 180;
    this.goal.pitch = this.world.planar ? Math.PI / 2 : (24 * Math.PI) / 180;
    this.jump();
  }

  orbit(dx: number, dy: number): void {
    if (this.world.planar) return;
    this.pace = QUICK;
    const turn = Math.PI / Math.max(this.pixels, 200);
    this.goal.yaw -= dx * turn;
    this.goal.pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.goal.pitch + dy * turn));
  }

  pan(dx: number, dy: number): void {
    this.pace = QUICK;
    const scale = this.goal.height / this.pixels;
    this.goal.target.addScaledVector(this.right, -dx * scale).addScaledVector(this.upward, dy * scale);
  }

  /** Towards a point, which stays where it is in the picture. */
  zoom(factor: number, at: Vector3): void {
    this.pace = QUICK;
    const height = Math.min(1e4 * this.world.size, Math.max(1e-4 * this.world.size, this.goal.height * factor));
    const f = height / this.goal.height;
    this.goal.height = height;
    this.goal.target.sub(at).multiplyScalar(f).add(at);
  }

  standard(view: StandardView): void {
    if (this.world.planar) return;
    const degrees: Record<StandardView, [number, number]> = { front: [0, 0], right: [90, 0], top: [0, 90], iso: [35, 24] };
    const [yaw, pitch] = degrees[view];
    this.face((yaw * Math.PI) / 180, (pitch * Math.PI) / 180);
  }

  /** Looks from a direction, turning the shorter way. */
  from(direction: Vector3): void {
    if (this.world.planar) return;
    const { right, ahead, up } = this.world;
    const pitch = Math.asin(Math.min(1, Math.max(-1, direction.dot(up))));
    this.face(Math.abs(pitch) > 1.57 ? 0 : Math.atan2(direction.dot(right), -direction.dot(ahead)), pitch);
  }

  private face(yaw: number, pitch: number): void {
    this.pace = CALM;
    const turn = 2 * Math.PI;
    this.now.yaw = ((this.now.yaw % turn) + turn) % turn;
    const difference = yaw - this.now.yaw;
    this.goal.yaw = this.now.yaw + difference - turn * Math.round(difference / turn);
    this.goal.pitch = pitch;
  }

  /** Shows a box whole, its middle in that of the picture: no corner is beyond the edges, or under what lies over them. */
  frame(box: Box3, at_once = false): void {
    if (box.isEmpty()) return;
    this.pace = CALM;
    const { world, width, pixels, covered } = this;
    const centre = box.getCenter(this.goal.target);
    this.axes(this.goal);
    const most = world.planar ? 1 / 1.5 : 1 / 1.15;
    // of half the picture, what may be used on one side; where there is hardly a picture, as if there were one
    const room = (taken: number, whole: number) => Math.max(0.2, Math.min(most, 1 - (2 * (taken + MARGIN)) / whole));
    const [left, right] = [room(covered.left, width), room(covered.right, width)];
    const [below, above] = [room(covered.bottom, pixels), room(covered.top, pixels)];
    const slope = Math.tan(FOV / 2);
    const aspect = width / pixels;
    let far = (0.01 * world.size) / slope; // of the eye from the target
    for (let i = 0; i < 8; i++) {
      const corner = this.scratch.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).sub(centre);
      const [x, y, z] = [corner.dot(this.right), corner.dot(this.upward), world.planar ? 0 : corner.dot(this.toEye)];
      // a corner is seen at x / (slope (far − z)), from −1 to 1 between the edges
      far = Math.max(far, z + Math.max(x / right, -x / left) / (slope * aspect), z + Math.max(y / above, -y / below) / slope);
    }
    this.goal.height = 2 * far * slope;
    this.axes(this.now);
    if (at_once) this.jump();
  }

  /** Moves at once with a body that is followed. */
  carry(by: Vector3): void {
    this.goal.target.add(by);
    this.now.target.add(by);
    this.apply();
  }

  look(at: Vector3): void {
    this.pace = CALM;
    this.goal.target.copy(at);
  }

  jump(): void {
    this.now.target.copy(this.goal.target);
    this.now.yaw = this.goal.yaw;
    this.now.pitch = this.goal.pitch;
    this.now.height = this.goal.height;
    this.apply();
  }

  /** Goes on towards the goal; whether there is anything new to draw. */
  update(dt: number): boolean {
    const { now, goal } = this;
    const far = now.target.distanceTo(goal.target) / goal.height + Math.abs(now.yaw - goal.yaw) + Math.abs(now.pitch - goal.pitch) + Math.abs(Math.log(now.height / goal.height));
    if (far === 0) return false;
    if (far < 2e-4) {
      this.jump();
      return true;
    }
    const share = 1 - Math.exp(-Math.min(dt, 0.1) / this.pace);
    // target and height by the same rule, so that the point of a zoom stays under the pointer
    const height = now.height + (goal.height - now.height) * share;
    now.target.lerp(goal.target, share);
    now.height = height;
    now.yaw += (goal.yaw - now.yaw) * share;
    now.pitch += (goal.pitch - now.pitch) * share;
    this.apply();
    return true;
  }

  private axes(aim: Aim): void {
    const { right, ahead, up } = this.world;
    const [cy, sy, cp, sp] = [Math.cos(aim.yaw), Math.sin(aim.yaw), Math.cos(aim.pitch), Math.sin(aim.pitch)];
    this.toEye.set(0, 0, 0).addScaledVector(right, cp * sy).addScaledVector(ahead, -cp * cy).addScaledVector(up, sp);
    this.right.set(0, 0, 0).addScaledVector(right, cy).addScaledVector(ahead, sy);
    this.upward.crossVectors(this.toEye, this.right);
  }

  private apply(): void {
    const { now, camera, world } = this;
    this.axes(now);
    const aspect = this.width / this.pixels;
    const reach = Math.max(world.size, now.height);
    const distance = world.planar ? 10 * reach : now.height / 2 / Math.tan(FOV / 2);
    if (camera instanceof PerspectiveCamera) {
      camera.aspect = aspect;
      camera.near = 0.02 * distance;
      camera.far = distance + 30 * reach + 2 * now.target.distanceTo(world.centre);
    } else {
      const half = now.height / 2;
      Object.assign(camera, { left: -half * aspect, right: half * aspect, top: half, bottom: -half, near: 0, far: 2 * distance });
    }
    camera.updateProjectionMatrix();
    this.basis.makeBasis(this.right, this.upward, this.toEye);
    camera.matrix.copy(this.basis).setPosition(this.scratch.copy(now.target).addScaledVector(this.toEye, distance));
    camera.position.setFromMatrixPosition(camera.matrix);
    camera.quaternion.setFromRotationMatrix(this.basis);
    camera.updateMatrixWorld(true);
  }

  /** Where a ray meets the plane through a point that faces the eye. */
  facing(ray: Ray, through: Vector3, out: Vector3): Vector3 {
    const slope = ray.direction.dot(this.toEye);
    const t = this.scratch.subVectors(through, ray.origin).dot(this.toEye) / (slope || -1);
    return out.copy(ray.direction).multiplyScalar(t).add(ray.origin);
  }
}
