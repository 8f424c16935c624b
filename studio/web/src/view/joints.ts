// Joints as what they are: rings, balls, rails with blocks, sleeves, welds, gears, rods; hatched where they are on the ground.
import { Group, type Mesh, Quaternion, Vector3 } from "three";
import type { SceneJoint } from "../protocol";
import type { Materials } from "./materials";
import { ORDER } from "./bodies";
import { contact } from "./contact";
import * as parts from "./parts";
import { Sign, type Stage, stretch, turnTo } from "./sign";
import { COUPLING } from "./sweep";

const RING = new Set(["pin", "revolute", "pin_in_slot", "imposed_rotation"]);
const ROLLING = new Set(["rolling_disc", "rolling_wheel"]);
const BALL = new Set(["spherical", "point_on_line", "point_on_plane", "imposed_point"]);
const RAIL = new Set(["slider", "prismatic", "point_on_line", "pin_in_slot", "imposed_translation"]);
const ROD = new Set(["cylindrical", "helical"]);
const GEAR = new Set(["gear", "rotor", "velocity_relation"]);
const WELD = new Set(["fixed", "rigid", "imposed_body"]);

export class JointSign extends Sign {
  private pointA = new Vector3();
  private pointB = new Vector3();
  private turnA: Quaternion;
  private turnB: Quaternion;
  private axis = new Vector3();
  private localAxis: Vector3 | null;
  /** What moves with b, in the directions of a. */
  private carried = new Group();
  private rails: Mesh[] = [];
  private rod: Mesh | null = null;
  private ends: Mesh[] = [];
  private ground: Group | null = null;
  private gap: Mesh;
  private scratch = new Vector3();
  private railed: boolean;
  private rolls: boolean;

  constructor(
    readonly joint: SceneJoint,
    materials: Materials,
    index: number,
    planar: boolean,
  ) {
    super(joint.name, "joint", materials, ORDER.joints + 20 * index);
    this.pointA.fromArray(joint.point_a);
    this.pointB.fromArray(joint.point_b);
    this.localAxis = joint.axis_a ? new Vector3().fromArray(joint.axis_a) : null;
    this.turnA = turnTo(this.localAxis);
    this.turnB = turnTo(joint.axis_b && new Vector3().fromArray(joint.axis_b));
    this.rolls = this.localAxis !== null && ROLLING.has(joint.kind);
    const slides = RAIL.has(joint.kind) || ROD.has(joint.kind) || (joint.sliding && !RING.has(joint.kind));
    this.railed = this.localAxis !== null && slides && !this.rolls;
    this.above.add(this.carried);
    this.build(planar);
    this.gap = this.part(this.above, parts.bar(), "warn", 0.7);
    this.gap.visible = false;
  }

  private build(planar: boolean): void {
    const { kind, states } = this.joint;
    const ink = states.includes("broken") ? "bad" : states.includes("redundant") ? "warn" : "ink";
    const at = this.carried;
    if (this.rolls) return this.tread(planar, ink);
    const grounded = this.joint.a === "ground" || this.joint.b === "ground";
    if (grounded && !COUPLING.has(kind)) this.foot(planar);
    if (kind === "distance" || GEAR.has(kind)) {
      this.segment = true;
      const end = kind === "distance" ? parts.dot() : parts.gear();
      this.rod = this.part(this.above, parts.bar(), ink, kind === "distance" ? 1 : 0.4);
      this.ends = [this.part(this.above, end, ink), this.part(this.above, end, ink)];
      return;
    }
    if (this.railed) {
      if (kind === "pin_in_slot" || kind === "point_on_line") this.rails = [this.part(this.above, parts.rail(), ink), this.part(this.above, parts.rail(), ink)];
      else this.rails = [this.part(this.above, ROD.has(kind) ? parts.pole() : parts.rail(), ink)];
      this.ends = [this.part(this.above, parts.stop(), ink), this.part(this.above, parts.stop(), ink)];
    }
    if (RING.has(kind)) {
      this.part(at, parts.hub(), "paper");
      this.part(at, parts.ring(), ink);
      if (kind.startsWith("imposed")) this.part(at, parts.motor(), "motor");
      else if (kind !== "pin_in_slot") this.part(at, parts.pivot(), ink);
    } else if (BALL.has(kind)) {
      if (kind === "point_on_plane") this.part(at, parts.patch(), "metal", 0.5);
      if (kind === "spherical") this.part(at, parts.cup(), "paper");
      this.part(at, parts.ball(), kind.startsWith("imposed") ? "motor" : ink);
    } else if (ROD.has(kind)) {
      this.part(at, parts.sleeve(), "paper");
      this.edges(at, parts.sleeveEdges(), ink);
      if (kind === "helical") for (const z of [-0.75, -0.25, 0.25, 0.75]) this.part(at, parts.band(), ink).position.z = z;
    } else if (this.railed) {
      this.part(at, parts.block(), "paper");
      this.edges(at, parts.blockEdges(), ink);
    } else if (kind === "universal") {
      this.part(at, parts.crossX(), ink);
      this.part(at, parts.crossY(), ink);
      this.part(at, parts.dot(), "paper");
    } else if (kind === "planar") {
      this.part(at, parts.patch(), "metal", 0.55);
      this.part(at, parts.hub(), ink);
    } else if (kind === "knife_edge") this.part(at, parts.blade(), ink);
    else if (WELD.has(kind)) {
      this.part(at, parts.square(), kind === "imposed_body" ? "motor" : ink);
      this.part(at, parts.squareInside(), "paper");
    } else {
      this.part(at, parts.hub(), "paper");
      this.part(at, parts.ring(), ink);
    }
    if (states.includes("locked")) {
      this.part(at, parts.square(), ink).scale.setScalar(0.62);
    }
    if (states.includes("breakable")) this.part(at, parts.friction(), "warn").scale.setScalar(0.9);
  }

  /** Where a wheel rolls: a patch of what it rolls on, below it. */
  private tread(planar: boolean, ink: "bad" | "warn" | "ink"): void {
    if (planar) this.part(this.carried, parts.hatching(), ink);
    else this.part(this.carried, parts.patch(), "metal", 0.55);
    this.part(this.carried, parts.dot(), ink);
  }

  /** In the plane the hatched support of drawings, in space a foot on a plate. */
  private foot(planar: boolean): void {
    this.ground = new Group();
    this.among.add(this.ground);
    if (planar) this.part(this.ground, this.railed ? parts.hatching() : parts.support(), "ink").renderOrder = ORDER.forces - 1;
    else {
      this.part(this.ground, parts.foot(), "metal");
      this.part(this.ground, parts.plate(), "metal");
      this.edges(this.ground, parts.plateEdges(), "ink");
    }
  }

  update({ bodies, unit, world, down }: Stage): void {
    const { a, b } = this.joint;
    if (!this.show(bodies.placed(a) && bodies.placed(b))) return;
    bodies.point(a, this.pointA, this.from);
    bodies.point(b, this.pointB, this.to);
    this.middle.addVectors(this.from, this.to).multiplyScalar(0.5);
    const size = unit * this.swell;
    const turn = this.carried.quaternion.copy(bodies.get(a)?.quaternion ?? STILL).multiply(this.turnA);
    if (this.ground) this.stand(a === "ground" ? this.from : this.to, size, world.planar, world.up, down);
    if (this.rod) {
      stretch(this.rod, this.from, this.to, (this.joint.kind === "distance" ? 0.22 : 0.12) * size);
      this.ends[0]!.position.copy(this.from);
      this.ends[1]!.position.copy(this.to);
      for (const end of this.ends) end.scale.setScalar((this.joint.kind === "distance" ? 1.7 : 1.35) * size);
      this.ends[0]!.quaternion.copy(turn);
      this.ends[1]!.quaternion.copy(bodies.get(b)?.quaternion ?? STILL).multiply(this.turnB);
      this.ends[1]!.visible = this.from.distanceTo(this.to) > 0.01 * size; // the gear of a rotor is at one joint only
      return;
    }
    this.axis.set(0, 0, 1).applyQuaternion(turn);
    if (this.rolls) {
      const axle = this.scratch.set(0, 0, 1).applyQuaternion(this.turnB).applyQuaternion(bodies.get(b)?.quaternion ?? STILL);
      contact(this.from, this.axis, this.to, axle, this.middle);
      this.from.copy(this.middle);
      this.to.copy(this.middle);
      this.carried.position.copy(this.middle);
      this.carried.scale.setScalar(size);
      if (world.planar) turn.setFromAxisAngle(Z_UP, Math.atan2(this.axis.y, this.axis.x) - Math.PI / 2); // hatched along the line
      return;
    }
    this.carried.position.copy(this.railed ? this.to : this.from);
    this.carried.scale.setScalar(size);
    if (this.railed) {
      this.slide(turn, size, world.planar);
      this.middle.copy(this.to);
    } else this.middle.copy(this.from);
    this.gape(size);
  }

  /** The rail reaches from where a has it to the block, and a bit further on both sides. */
  private slide(turn: Quaternion, size: number, planar: boolean): void {
    const along = this.scratch.subVectors(this.to, this.from).dot(this.axis);
    const low = Math.min(0, along) - 3 * size;
    const high = Math.max(0, along) + 3 * size;
    const double = this.rails.length === 2;
    this.rails.forEach((rail, i) => {
      rail.quaternion.copy(turn);
      rail.scale.set(size, size, high - low);
      rail.position.copy(this.from).addScaledVector(this.axis, (low + high) / 2);
      // a slot has two sides: across the axis, in the plane of the mechanism
      if (double) rail.position.addScaledVector(this.scratch.set(planar ? 0 : 1, planar ? 1 : 0, 0).applyQuaternion(turn), i ? 1.15 * size : -1.15 * size);
    });
    this.ends.forEach((end, i) => {
      end.quaternion.copy(turn);
      end.scale.set(double ? 2.6 * size : size, double ? 2.6 * size : size, size);
      end.position.copy(this.from).addScaledVector(this.axis, i ? high : low);
    });
  }

  private stand(at: Vector3, size: number, planar: boolean, up: Vector3, down: Vector3): void {
    const ground = this.ground!;
    ground.position.copy(at);
    ground.scale.setScalar(size);
    if (!planar) ground.quaternion.setFromUnitVectors(Z_UP, up);
    else if (this.railed) {
      // along the rail, on the side gravity pulls to
      const x = this.axis.set(0, 0, 1).applyQuaternion(this.carried.quaternion);
      const below = x.y * down.x - x.x * down.y >= 0;
      ground.quaternion.setFromAxisAngle(Z_UP, Math.atan2(x.y, x.x) + (below ? 0 : Math.PI));
      ground.position.add(this.scratch.set(0, -0.95 * size, 0).applyQuaternion(ground.quaternion));
    } else ground.quaternion.setFromAxisAngle(Z_UP, Math.atan2(down.x, -down.y));
  }

  /** A joint that is not closed (yet) shows what is between its two points. */
  private gape(size: number): void {
    const gap = this.gap;
    const open = this.joint.states.includes("closing") && !this.railed && this.from.distanceTo(this.to) > 0.3 * size;
    if (open) stretch(gap, this.from, this.to, 0.16 * size);
    gap.visible = open;
  }
}

/** A fixed body stands on the ground by itself. */
export class FixedSign extends Sign {
  private centre = new Vector3();
  private foot = new Group();

  constructor(
    readonly body: string,
    centre: readonly [number, number, number],
    materials: Materials,
    index: number,
    planar: boolean,
  ) {
    super(body, "joint", materials, ORDER.joints + 20 * index);
    this.centre.fromArray(centre);
    this.above.add(this.foot);
    this.part(this.foot, planar ? parts.support() : parts.foot(), "ink");
    if (!planar) this.edges(this.foot, parts.plateEdges(), "ink");
  }

  update({ bodies, unit, world, down }: Stage): void {
    if (!this.show(bodies.placed(this.body))) return;
    bodies.point(this.body, this.centre, this.from);
    this.to.copy(this.from);
    this.middle.copy(this.from);
    this.foot.position.copy(this.from);
    this.foot.scale.setScalar(0.8 * unit);
    if (world.planar) this.foot.quaternion.setFromAxisAngle(Z_UP, Math.atan2(down.x, -down.y));
    else this.foot.quaternion.setFromUnitVectors(Z_UP, world.up);
  }
}

const STILL = new Quaternion();
const Z_UP = new Vector3(0, 0, 1);
