// Arrows of efforts [N] and velocities [m/s], each on a scale of its own that follows the largest in round steps.
import { Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { ORDER } from "./bodies";
import type { Palette } from "./palette";
import * as parts from "./parts";
import { stepAbove } from "./scale";
import { Z } from "./sign";

const LONGEST = 110; // pixels of an arrow as long as its scale

/** A scale that grows at once and shrinks when there has been nothing near it for a while. */
class Measure {
  full = 0;
  private calm = 0;

  take(largest: number): void {
    const wanted = largest > 0 ? stepAbove(largest) : 0;
    if (wanted > this.full) [this.full, this.calm] = [wanted, 0];
    else if (largest < 0.3 * this.full && wanted > 0) {
      if (++this.calm > 60) [this.full, this.calm] = [wanted, 0];
    } else this.calm = 0;
  }
}

export class Arrows {
  readonly group = new Group();
  readonly force = new Measure();
  readonly velocity = new Measure();
  private material = new MeshBasicMaterial({ toneMapped: false, depthTest: false, transparent: true, opacity: 0.92 });
  private shafts = this.instances(16, parts.shaft());
  private heads = this.instances(16, parts.head());
  private data: Float32Array = new Float32Array(0);
  private moves: boolean[] = [];
  private count = 0;
  private matrix = new Matrix4();
  private start = new Vector3();
  private vector = new Vector3();
  private tip = new Vector3();
  private scale = new Vector3();
  private turn = new Quaternion();
  colors: Palette | null = null;

  private instances(capacity: number, geometry: ReturnType<typeof parts.shaft>): InstancedMesh {
    const mesh = new InstancedMesh(geometry, this.material, capacity);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.renderOrder = ORDER.top;
    mesh.setColorAt(0, new Color());
    mesh.count = 0;
    this.group.add(mesh);
    return mesh;
  }

  /** m × 7 numbers: index of the name, start, vector. */
  take(names: string[], x: Float32Array, isBody: (name: string) => boolean): void {
    this.data = x;
    this.count = Math.floor(x.length / 7);
    if (this.count > this.shafts.instanceMatrix.count) this.grow();
    let force = 0;
    let velocity = 0;
    for (let i = 0; i < this.count; i++) {
      const k = 7 * i;
      const moves = (this.moves[i] = isBody(names[x[k]!] ?? ""));
      const size = Math.hypot(x[k + 4]!, x[k + 5]!, x[k + 6]!);
      if (moves) velocity = Math.max(velocity, size);
      else force = Math.max(force, size);
    }
    this.force.take(force);
    this.velocity.take(velocity);
  }

  private grow(): void {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.removeFromParent();
      mesh.dispose();
    }
    this.shafts = this.instances(2 * this.count, parts.shaft());
    this.heads = this.instances(2 * this.count, parts.head());
  }

  has(moves: boolean): boolean {
    for (let i = 0; i < this.count; i++) if (this.moves[i] === moves) return true;
    return false;
  }

  length(): number {
    return LONGEST;
  }

  update(pixel: number): void {
    const { data: x, colors } = this;
    this.shafts.count = this.heads.count = this.count;
    if (this.count === 0 || !colors) return;
    const thick = 6.5 * pixel;
    for (let i = 0; i < this.count; i++) {
      const k = 7 * i;
      const full = (this.moves[i] ? this.velocity : this.force).full || 1;
      this.start.fromArray(x, k + 1);
      this.vector.fromArray(x, k + 4);
      const size = this.vector.length();
      const length = (size / full) * LONGEST * pixel;
      const head = Math.min(1, length / (2.4 * thick)) * thick;
      if (size > 0) this.turn.setFromUnitVectors(Z, this.vector.divideScalar(size));
      this.tip.copy(this.start).addScaledVector(this.vector, length);
      this.shafts.setMatrixAt(i, this.matrix.compose(this.start, this.turn, this.scale.set(head, head, Math.max(0, length - 1.5 * head))));
      this.heads.setMatrixAt(i, this.matrix.compose(this.tip, this.turn, this.scale.setScalar(head)));
      const color = this.moves[i] ? colors.velocity : colors.force;
      this.shafts.setColorAt(i, color);
      this.heads.setColorAt(i, color);
    }
    for (const mesh of [this.shafts, this.heads]) {
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  dispose(): void {
    this.shafts.dispose();
    this.heads.dispose();
    this.material.dispose();
  }
}
