// Forces as what they are: coils, pistons, spirals, arrows, planes.
import { Group, type Mesh, Quaternion, Vector3 } from "three";
import type { SceneForce } from "../protocol";
import { coilShadow } from "./coil";
import { ORDER } from "./bodies";
import type { Materials } from "./materials";
import * as parts from "./parts";
import { Sign, type Stage, stretch, turnTo } from "./sign";

/** Where a joint is now, for the forces that act on one. */
export type JointPlace = (name: string) => { joint: { a: string; axis_a: [number, number, number] | null }; middle: Vector3 } | null;

const BETWEEN = new Set(["spring", "damper", "spring-damper", "grab"]);
const RINGS: Partial<Record<SceneForce["look"], number>> = { torsion: 1.5, motor: 1.75, torque: 2.4, limit: 1.95, friction: 1.5 };
const LOADS = new Set(["arrow", "function"]);

export class ForceSign extends Sign {
  private pointA = new Vector3();
  private pointB: Vector3 | null = null;
  private at = new Group();
  private spring: Mesh | null = null;
  private tube: Mesh | null = null;
  private piston: Mesh | null = null;
  private bore: Mesh | null = null;
  private disc: Mesh | null = null;
  private ends: Mesh[] = [];
  private rest = 0;
  private turn: Quaternion;
  private axisBody: string | null;
  /** It is an arrow. */
  private points: boolean;
  private along = new Vector3();
  private place = new Vector3();

  constructor(
    readonly force: SceneForce,
    materials: Materials,
    index: number,
    private planar: boolean,
    private jointPlace: JointPlace,
  ) {
    super(force.name, "force", materials, ORDER.forces + 10 * index);
    if (force.point_a) this.pointA.fromArray(force.point_a);
    if (force.point_b) this.pointB = new Vector3().fromArray(force.point_b);
    const host = force.joint === null ? null : jointPlace(force.joint);
    const direction = force.direction ?? host?.joint.axis_a ?? null;
    this.axisBody = direction === null || force.in_world ? null : force.direction || !host ? force.a : host.joint.a;
    this.turn = turnTo(direction && new Vector3().fromArray(direction));
    this.points = LOADS.has(force.look) && direction !== null;
    this.segment = BETWEEN.has(force.look) && this.pointB !== null;
    this.build();
  }

  private build(): void {
    const { look } = this.force;
    if (this.segment) {
      if (look !== "damper") {
        this.spring = this.part(this.among, parts.coil(), "metal", 1, true);
        this.spring.castShadow = !this.planar;
        this.spring.customDepthMaterial = this.materials.shared("coil shadow", coilShadow) as typeof this.spring.customDepthMaterial;
      }
      if (look !== "spring" && look !== "grab") {
        this.tube = this.part(this.among, parts.bar(), "ink");
        // in the plane one looks into the tube
        if (this.planar) this.bore = this.part(this.among, parts.bar(), "paper");
        this.piston = this.part(this.among, parts.bar(), "metal");
        if (this.planar) this.disc = this.part(this.among, parts.bar(), "metal");
        this.piston.castShadow = this.tube.castShadow = !this.planar;
      }
      this.ends = [this.force.a, this.force.b].map((body) => this.part(this.among, isGround(body) ? parts.square() : parts.dot(), "ink"));
      return;
    }
    if (look === "plane") {
      this.among.add(this.at);
      const plane = this.part(this.at, this.planar ? parts.shore() : parts.sheet(), "ink", this.planar ? 0.75 : 0.1);
      plane.renderOrder = ORDER.trails + 2;
      if (!this.planar) this.edges(this.at, parts.sheetEdges(), "metal");
      return;
    }
    this.above.add(this.at);
    this.ring = RINGS[look] ?? 0;
    switch (look) {
      case "torsion":
        this.part(this.at, parts.spiral(), "metal");
        break;
      case "motor":
        if (this.force.kind.startsWith("linear")) this.thrust();
        else this.part(this.at, parts.motor(), "motor");
        break;
      case "torque":
        this.part(this.at, parts.torque(), "force");
        break;
      case "friction":
        this.part(this.at, parts.friction(), "metal");
        break;
      case "limit":
        this.part(this.at, parts.limit(), "metal");
        break;
      default:
        if (this.points) this.arrow();
        else {
          // a load that may turn any way: around the point where it acts
          this.ring = 1.5;
          this.part(this.at, parts.friction(), "force");
          this.part(this.at, parts.dot(), "force");
        }
    }
  }

  /** A load: its tip at the point where it acts, and another one at the other end if it acts to and fro. */
  private arrow(): void {
    const { varies } = this.force;
    const shaft = this.part(this.at, parts.shaft(), "force");
    shaft.position.z = varies ? -4.6 : -6;
    shaft.scale.set(1, 1, varies ? 3.2 : 4.6);
    this.part(this.at, parts.head(), "force");
    if (!varies) return;
    const back = this.part(this.at, parts.head(), "force");
    back.position.z = -6;
    back.rotation.x = Math.PI;
  }

  /** What drives along an axis: an arrow beside it. */
  private thrust(): void {
    this.ring = 1.6;
    const shaft = this.part(this.at, parts.shaft(), "motor");
    const head = this.part(this.at, parts.head(), "motor");
    shaft.position.set(0, 1.6, -2);
    shaft.scale.set(0.9, 0.9, 2.8);
    head.position.set(0, 1.6, 2);
    head.scale.setScalar(0.9);
  }

  get label(): string | null {
    return this.force.look === "function" ? "f" : null;
  }

  update({ bodies, unit, world }: Stage): void {
    const { a, b, joint } = this.force;
    if (!this.show(bodies.placed(a) && bodies.placed(b))) return;
    const host = joint === null ? null : this.jointPlace(joint);
    if (host) this.from.copy(host.middle);
    else bodies.point(a, this.pointA, this.from);
    if (this.pointB) bodies.point(b, this.pointB, this.to);
    else this.to.copy(this.from);
    const size = unit * this.swell;
    if (this.segment) {
      this.middle.addVectors(this.from, this.to).multiplyScalar(0.5);
      this.connect(size);
      return;
    }
    this.middle.copy(this.from);
    this.at.position.copy(this.from);
    this.at.quaternion.copy(bodies.get(this.axisBody)?.quaternion ?? STILL).multiply(this.turn);
    this.at.scale.setScalar(size);
    if (this.force.look === "plane") this.lay(size, world.size);
    // what is pointed at is the arrow, not only its tip
    else if (this.points) this.middle.add(this.along.set(0, 0, -3 * size).applyQuaternion(this.at.quaternion));
  }

  private connect(size: number): void {
    const { from, to, along, place } = this;
    const length = along.subVectors(to, from).length();
    if (this.rest === 0) this.rest = length;
    if (this.spring) {
      stretch(this.spring, from, to, this.tube ? 1.15 * size : 0.95 * size);
    }
    if (this.tube && this.piston && length > 0) {
      // a tube that does not grow: as long as it fits, and a rod that comes out of it
      const long = Math.min(0.55 * this.rest, 0.92 * length);
      along.divideScalar(length);
      const inside = Math.max(0.12 * length, Math.min(0.9 * long, length - 0.6 * this.rest));
      stretch(this.tube, from, place.copy(from).addScaledVector(along, long), 0.62 * size);
      if (this.bore) {
        stretch(this.bore, place, from, 0.4 * size);
        this.bore.scale.z = Math.max(0, long - 0.24 * size);
      }
      stretch(this.piston, place.copy(from).addScaledVector(along, inside), to, 0.17 * size);
      if (this.disc) {
        stretch(this.disc, place, to, 0.4 * size);
        this.disc.scale.z = 0.28 * size;
      }
    }
    this.ends[0]!.position.copy(from);
    this.ends[1]!.position.copy(to);
    this.ends.forEach((end, i) => end.scale.setScalar((isGround(i ? this.force.b : this.force.a) ? 0.55 : 0.9) * size));
  }

  /** A plane goes on for ever; a patch of it is shown. */
  private lay(size: number, whole: number): void {
    if (!this.planar) {
      this.at.scale.setScalar(0.35 * whole);
      return;
    }
    const normal = this.along.set(0, 0, 1).applyQuaternion(this.at.quaternion);
    this.at.quaternion.setFromAxisAngle(AXIS, Math.atan2(normal.y, normal.x) - Math.PI / 2);
    this.at.scale.setScalar(size);
  }
}

function isGround(body: string | null): boolean {
  return body === null || body === "ground";
}

const STILL = new Quaternion();
const AXIS = new Vector3(0, 0, 1);
