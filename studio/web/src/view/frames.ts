// Frames: three short axes, x red, y green, z blue.
import { Color, Group, Mesh, Quaternion, Vector3 } from "three";
import type { SceneFrame } from "../protocol";
import { ORDER } from "./bodies";
import type { Materials } from "./materials";
import * as parts from "./parts";
import { Sign, type Stage } from "./sign";

export const AXES = [new Color("#e5484d"), new Color("#30a46c"), new Color("#3b82f6")] as const;

export class FrameSign extends Sign {
  private local = new Vector3();
  private turn = new Quaternion();
  private at = new Group();

  constructor(
    readonly frame: SceneFrame,
    materials: Materials,
    index: number,
    planar: boolean,
  ) {
    super(frame.name, "frame", materials, ORDER.joints + 10 * index);
    const [w, x, y, z] = frame.quaternion;
    this.local.fromArray(frame.position);
    this.turn.set(x, y, z, w);
    this.above.add(this.at);
    AXES.forEach((color, i) => {
      if (planar && i === 2) return;
      const bar = new Mesh(parts.axis(), materials.plain(color));
      bar.renderOrder = ORDER.joints + 10 * index + i;
      bar.frustumCulled = false;
      if (i === 0) bar.rotation.y = Math.PI / 2;
      if (i === 1) bar.rotation.x = -Math.PI / 2;
      this.at.add(bar);
    });
    this.part(this.at, parts.dot(), "ink").scale.setScalar(0.5);
  }

  update({ bodies, unit }: Stage): void {
    if (!this.show(bodies.placed(this.frame.body))) return;
    bodies.point(this.frame.body, this.local, this.from);
    this.to.copy(this.from);
    this.middle.copy(this.from);
    this.at.position.copy(this.from);
    this.at.quaternion.copy(bodies.get(this.frame.body)?.quaternion ?? STILL).multiply(this.turn);
    this.at.scale.setScalar(2.6 * unit * this.swell);
  }
}

const STILL = new Quaternion();
