// The hand: a spring between what is held and where it is pulled to.
import { Group, Mesh, Vector3 } from "three";
import type { Body } from "./bodies";
import { ORDER } from "./bodies";
import { coilMaterial } from "./coil";
import type { Labels } from "./labels";
import type { Materials } from "./materials";
import * as parts from "./parts";
import { quantity } from "./scale";
import { stretch } from "./sign";
import type { Hand as Told } from "./types";

export class Hand {
  readonly group = new Group();
  private coil = new Mesh(parts.coil());
  private ends = [new Mesh(parts.dot()), new Mesh(parts.dot())] as const;
  private told: Told | null = null;
  private held: Body | null = null;
  private local = new Vector3();
  private from = new Vector3();
  private to = new Vector3();
  private pulled: Vector3 | null = null;

  constructor() {
    this.group.add(this.coil, ...this.ends);
    for (const mesh of [this.coil, ...this.ends]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = ORDER.top + 1;
    }
    this.group.visible = false;
  }

  theme(materials: Materials): void {
    const color = materials.colors.force;
    this.coil.material = materials.shared(`coil ${color.getHexString()}`, () => coilMaterial(color, materials.planar));
    for (const end of this.ends) end.material = materials.symbol(color);
  }

  /** What the server says. */
  tell(told: Told | null): void {
    this.told = told;
  }

  /** What the pointer of this page holds; `to` goes on moving with it. */
  hold(body: Body | null, local: Vector3, to: Vector3): void {
    this.held = body;
    this.local.copy(local);
    this.pulled = body ? to : null;
    if (!body) this.told = null;
  }

  get body(): string | null {
    return this.held?.data.name ?? null;
  }

  /** A body that was made anew is still held. */
  rebind(find: (name: string) => Body | null): void {
    if (this.held) this.held = find(this.held.data.name);
  }

  update(unit: number, labels: Labels): void {
    const { told, held, pulled } = this;
    this.group.visible = held !== null || told !== null;
    if (held && pulled) {
      held.toWorld(this.local, this.from);
      this.to.copy(pulled);
    } else if (told) {
      this.from.fromArray(told.from);
      this.to.fromArray(told.to);
    } else return;
    stretch(this.coil, this.from, this.to, 0.6 * unit);
    this.ends[0].position.copy(this.from);
    this.ends[1].position.copy(this.to);
    for (const end of this.ends) end.scale.setScalar(1.3 * unit);
    if (told) labels.put("hand", quantity(told.force, "N"), "hand", this.to, 14, -8);
  }
}
