// What signs of joints and forces have in common: parts in the colour of their role, a place, a size that hardly depends on the zoom.
import { type BufferGeometry, Group, LineSegments, Mesh, type Object3D, Quaternion, Vector3, type Color } from "three";
import type { Bodies } from "./bodies";
import { coilMaterial } from "./coil";
import type { Emphasis, Materials } from "./materials";
import type { Palette } from "./palette";
import type { World } from "./world";

export type Role = "ink" | "paper" | "metal" | "force" | "motor" | "warn" | "bad";

/** What signs are placed by. */
export type Stage = { bodies: Bodies; world: World; /** metres of a sign's unit */ unit: number; down: Vector3 };

export abstract class Sign {
  /** Above the bodies, and among them. */
  readonly above = new Group();
  readonly among = new Group();
  /** Where it is: one point, or a segment between two. */
  readonly from = new Vector3();
  readonly to = new Vector3();
  readonly middle = new Vector3();
  segment = false;
  /** Of a sign that is a ring around its place, in units: there it is pointed at, not in its middle, where a joint may be. */
  ring = 0;
  emphasis: Emphasis = "";
  private parts: { object: Mesh | LineSegments; role: Role; opacity: number; coil: boolean }[] = [];

  constructor(
    readonly name: string,
    readonly what: "joint" | "force" | "frame",
    protected materials: Materials,
    private order: number,
  ) {}

  abstract update(stage: Stage): void;

  protected part(parent: Object3D, geometry: BufferGeometry, role: Role, opacity = 1, coil = false): Mesh {
    return this.keep(parent, new Mesh(geometry), role, opacity, coil);
  }

  protected edges(parent: Object3D, geometry: BufferGeometry, role: Role): LineSegments {
    return this.keep(parent, new LineSegments(geometry), role, 1, false);
  }

  private keep<O extends Mesh | LineSegments>(parent: Object3D, object: O, role: Role, opacity: number, coil: boolean): O {
    object.renderOrder = this.order + this.parts.length;
    object.frustumCulled = false; // few, small, and their matrices are their own
    parent.add(object);
    this.parts.push({ object, role, opacity, coil });
    this.paint(this.parts.at(-1)!);
    return object;
  }

  private paint({ object, role, opacity, coil }: (typeof this.parts)[number]): void {
    const { colors, planar } = this.materials;
    let color: Color = colors[role satisfies keyof Palette];
    if (this.emphasis && role !== "paper") color = this.emphasis === "selected" ? colors.accent : colors.hover;
    if (object instanceof LineSegments) object.material = this.materials.line(color);
    else if (coil) object.material = this.materials.shared(`coil ${color.getHexString()}`, () => coilMaterial(color, planar));
    else object.material = this.materials.symbol(color, opacity);
  }

  emphasise(emphasis: Emphasis): void {
    if (emphasis === this.emphasis) return;
    this.emphasis = emphasis;
    for (const part of this.parts) this.paint(part);
  }

  /** Larger when it is meant. */
  protected get swell(): number {
    return this.emphasis === "" ? 1 : 1.2;
  }

  protected show(visible: boolean): boolean {
    this.above.visible = this.among.visible = visible;
    return visible;
  }

  dispose(): void {
    this.above.removeFromParent();
    this.among.removeFromParent();
  }
}

export const Z = new Vector3(0, 0, 1);
const ALONG = new Vector3();

/** Puts something made along z, of length 1, between two points. */
export function stretch(object: Object3D, from: Vector3, to: Vector3, radius: number): void {
  ALONG.subVectors(to, from);
  const length = ALONG.length();
  object.visible = length > 0;
  if (length === 0) return;
  object.position.copy(from);
  object.quaternion.setFromUnitVectors(Z, ALONG.divideScalar(length));
  object.scale.set(radius, radius, length);
}

/** The turn that takes z to a direction. */
export function turnTo(direction: Vector3 | null): Quaternion {
  return direction && direction.lengthSq() > 0 ? new Quaternion().setFromUnitVectors(Z, direction.clone().normalize()) : new Quaternion();
}
