// The tools that make things in the scene: drag a shape, click the corners of a polygon, click the two bodies of a joint.
import { Vector3 } from "three";
import type { Bodies } from "./bodies";
import { draft, type Dragged, type Sheet } from "./draft";
import type { Ghost } from "./ghost";
import type { Grid } from "./grid";
import type { Labels } from "./labels";
import type { Materials } from "./materials";
import type { Picking } from "./picking";
import { placesOf } from "./places";
import type { Rig } from "./rig";
import { Rise } from "./rise";
import { quantity } from "./scale";
import type { Sign } from "./sign";
import { nearestPlace, type Place, snapToGrid, type Snapped } from "./snap";
import type { Made, Tool, Vec, ViewEvents } from "./types";
import type { World } from "./world";

const REACH = 12; // pixels within which a place is meant

export interface Workshop {
  world: World;
  rig: Rig;
  grid: Grid;
  bodies: Bodies;
  picking: Picking;
  labels: Labels;
  ghost: Ghost;
  on: ViewEvents;
  materials(): Materials;
  signs(): readonly Sign[];
  snapping(): boolean;
  highlight(name: string | null): void;
  redraw(): void;
}

type End = { name: string; at: Vec };

export class Tools {
  tool: Tool | null = null;
  private sheet: Sheet | null = null;
  private places: Place[] = [];
  private from: Vec | null = null;
  private corners: Vec[] = [];
  private rise: Rise | null = null; // the polygon is closed, its thickness is next
  private first: End | null = null;
  private pressed = false;
  private moved = false;
  /** What the pointer means now. */
  private now: (Snapped & { onGrid?: boolean }) | null = null;
  private pointer: [number, number] = [0, 0];
  private measures: { text: string; at: Vector3 }[] = [];
  private scratch = new Vector3();

  constructor(private shop: Workshop) {}

  set(tool: Tool | null): void {
    if (tool === null && this.tool === null) return;
    this.tool = tool;
    this.cancel();
    this.now = null;
    this.shop.highlight(null);
    if (tool === null) this.shop.on.hint("");
  }

  /** Forgets what was begun. */
  cancel(): boolean {
    const busy = this.from !== null || this.corners.length > 0 || this.first !== null;
    this.from = this.first = this.sheet = this.rise = null;
    this.corners = [];
    this.pressed = false;
    this.measures = [];
    this.shop.ghost.clear();
    if (this.tool) this.shop.on.hint(this.hint());
    this.shop.redraw();
    return busy;
  }

  private hint(): string {
    const { tool } = this;
    if (!tool) return "";
    if (tool.make === "joint" || tool.make === "force") {
      if (tool.bodies === 1) return `Click the body where the ${words(tool.kind)} acts`;
      return this.first ? "Click the second body, or the ground" : "Click the first body, or the ground";
    }
    if (this.rise) return "Move up or down to give it a thickness, then click · Enter: as it is";
    if (tool.make === "polygon")
      return this.corners.length < 3 ? "Click the corners of the polygon" : "Enter, a double click or the first corner closes the polygon";
    const from = tool.make === "disc" || tool.make === "sphere" ? "from the centre to the rim" : tool.make === "box" ? "from corner to corner" : "from end to end";
    return this.from ? "Release to make it · Alt: no snapping · Esc: leave it" : `Drag ${from} of the ${tool.make}`;
  }

  down(x: number, y: number, free: boolean): void {
    const { tool } = this;
    if (!tool) return;
    this.pressed = true;
    this.moved = false;
    if (this.corners.length === 0 && !this.first) this.begin(x, y);
    this.aim(x, y, free);
    if (tool.make === "joint" || tool.make === "force" || tool.make === "polygon" || !this.now) return;
    this.from = this.now.point;
    this.shop.on.hint(this.hint());
  }

  move(x: number, y: number, free: boolean, dragged: boolean): void {
    if (!this.tool) return;
    this.moved ||= dragged;
    if (!this.sheet || (!this.pressed && !this.from && !this.first && this.corners.length === 0)) this.begin(x, y);
    this.aim(x, y, free);
    this.preview(x, y);
    this.shop.redraw();
  }

  up(x: number, y: number, free: boolean): void {
    const { tool } = this;
    if (!tool || !this.pressed) return;
    this.aim(x, y, free);
    this.pressed = false;
    if (this.rise) return this.finish(this.rise.made);
    if (tool.make === "joint" || tool.make === "force") this.connect(tool, x, y);
    else if (tool.make === "polygon") this.corner(x, y);
    else if (this.from && this.now && this.moved) {
      const made = this.sheet && draft(tool.make, this.from, this.now.point, this.sheet, this.shop.world.planar, this.roundness())?.made;
      this.finish(made || null);
    } else this.cancel();
  }

  /** Enter (`done`) or a double click: the polygon is closed. In space its thickness follows, by the pointer; then Enter is the end of it. */
  close(done = false): void {
    if (this.rise) {
      if (done) this.finish(this.rise.made);
    } else if (this.corners.length >= 3 && this.shop.world.planar) this.finish({ make: "polygon", points: this.corners });
    else if (this.corners.length >= 3) {
      const { picking, rig, on } = this.shop;
      this.rise = new Rise(this.corners, this.sheet!.normal, picking.aim(...this.pointer).ray, this.pointer[1], rig.pixel);
      on.hint(this.hint());
      this.preview(...this.pointer);
      this.shop.redraw();
    }
  }

  private finish(made: Made | null): void {
    this.cancel();
    if (made) this.shop.on.made(made);
  }

  private corner(x: number, y: number): void {
    if (!this.now) return;
    const first = this.corners[0];
    if (first && this.corners.length >= 3 && this.pixels(first, x, y) < REACH) return this.close();
    const last = this.corners.at(-1);
    if (last && this.pixels(last, x, y) < 3) return; // the second click of a double click
    this.corners.push(this.now.point);
    this.shop.on.hint(this.hint());
    this.preview(x, y);
  }

  private connect(tool: Extract<Tool, { bodies: 1 | 2 }>, x: number, y: number): void {
    const end = this.end(x, y);
    if (!end) return;
    const { make, kind } = tool;
    if (tool.bodies === 1) return this.finish({ make, kind, a: end.name, b: null, at_a: end.at, at_b: end.at });
    if (this.first) return this.finish({ make, kind, a: this.first.name, b: end.name, at_a: this.first.at, at_b: end.at });
    this.first = end;
    this.shop.on.hint(this.hint());
    this.preview(x, y);
  }

  /** What a click at a place means. Where bodies overlap, the second click means the other one. */
  private end(x: number, y: number): End | null {
    const { picking, world } = this.shop;
    if (!this.now) return null;
    const hit = picking.body(x, y, world.planar, this.first?.name);
    const near = this.now.body !== null && this.now.body !== this.first?.name ? this.now.body : null;
    return { name: hit?.body.data.name ?? near ?? "ground", at: this.now.point };
  }

  /** Chooses the plane that is drawn in: that of the mechanism, the ground, or through a body, square to the axis nearest to the eye. */
  private begin(x: number, y: number): void {
    const { world, picking, rig, bodies } = this.shop;
    const { right, ahead, up } = world;
    this.places = placesOf(bodies, this.shop.signs(), world.planar);
    const origin = this.scratch.copy(up).multiplyScalar(world.floor);
    this.sheet = { origin: origin.toArray(), u: right.toArray(), v: ahead.toArray(), normal: up.toArray(), floor: true };
    if (world.planar) return;
    const hit = picking.body(x, y, false);
    const place = nearestPlace(this.places, (p) => this.pixel(p), x, y, REACH);
    const ray = picking.aim(x, y).ray;
    const flat = Math.abs(ray.direction.dot(up));
    const height = ray.origin.dot(up) - world.floor;
    // the ground, unless the eye is (nearly) in it or the ray meets it far away only
    const apart = Math.abs(height) > 0.01 * rig.height;
    const meets = apart && flat > 0.06 && height * ray.direction.dot(up) < 0 && Math.abs(height) / flat < 40 * Math.max(rig.height, world.size);
    if (!hit && !place && meets) return;
    const through = place ? new Vector3(...place.point) : (hit?.point ?? rig.target);
    const [n, u, v] = [[up, right, ahead], [right, ahead, up], [ahead, right, up]].reduce((best, axes) =>
      Math.abs(axes[0]!.dot(rig.toEye)) > Math.abs(best[0]!.dot(rig.toEye)) ? axes : best,
    ) as [Vector3, Vector3, Vector3];
    this.sheet = { origin: through.toArray(), u: u.toArray(), v: v.toArray(), normal: n.toArray(), floor: false };
  }

  private pixel(p: Vec): [number, number] {
    const at = this.shop.picking.project(this.scratch.fromArray(p), this.scratch);
    return at ? [at.x, at.y] : [Infinity, Infinity];
  }

  private pixels(p: Vec, x: number, y: number): number {
    const [px, py] = this.pixel(p);
    return Math.hypot(px - x, py - y);
  }

  private aim(x: number, y: number, free: boolean): void {
    const { picking, grid } = this.shop;
    this.pointer = [x, y];
    this.rise?.move(picking.aim(x, y).ray, y, this.shop.snapping() && !free ? grid.fine / 2 : 0);
    const { sheet } = this;
    this.now = null;
    if (!sheet) return;
    const snapping = this.shop.snapping() && !free;
    if (snapping) {
      const place = nearestPlace(this.places, (p) => this.pixel(p), x, y, REACH);
      if (place) {
        this.now = place;
        return;
      }
    }
    const { origin, direction } = picking.aim(x, y).ray;
    const normal = new Vector3(...sheet.normal);
    const slope = direction.dot(normal);
    if (Math.abs(slope) < 1e-9) return;
    const t = new Vector3(...sheet.origin).sub(origin).dot(normal) / slope;
    if (t < 0) return;
    // a joint on a body in space is where the body is hit
    const connecting = this.tool?.make === "joint" || this.tool?.make === "force";
    const hit = connecting && !this.shop.world.planar ? picking.body(x, y, false) : null;
    const point = hit ? hit.point : new Vector3().copy(direction).multiplyScalar(t).add(origin);
    if (snapping && !hit) {
      const snapped = snapToGrid(point.toArray(), sheet.floor ? sheet.origin : gridOrigin(sheet), sheet.u, sheet.v, grid.fine / 2);
      this.now = { point: snapped, label: null, body: null, onGrid: true };
    } else this.now = { point: point.toArray(), label: null, body: hit?.body.data.name ?? null };
  }

  private preview(x: number, y: number): void {
    const { tool, now, shop } = this;
    this.measures = [];
    if (this.rise) return this.raise(this.rise);
    if (!tool || !now) return shop.ghost.clear();
    const dash = 5 * shop.rig.pixel;
    if (tool.make === "joint" || tool.make === "force") {
      const end = this.end(x, y);
      shop.highlight(end && end.name !== "ground" ? end.name : null);
      if (!this.first) return shop.ghost.clear();
      shop.ghost.path([this.first.at, now.point], shop.materials(), dash);
      const gap = distance(this.first.at, now.point);
      if (gap > 2 * shop.rig.pixel) this.measure(tool.make === "joint" ? `gap ${quantity(gap, "m")}` : quantity(gap, "m"), this.first.at, now.point);
    } else if (tool.make === "polygon") {
      if (this.corners.length === 0) return shop.ghost.clear();
      const path = [...this.corners, now.point];
      if (path.length >= 3) shop.ghost.show({ kind: "polygon", points: path, thickness: 0 }, shop.materials(), shop.rig.height);
      shop.ghost.path([...path, this.corners[0]!], shop.materials(), dash);
      this.measure(quantity(distance(path.at(-2)!, now.point), "m"), path.at(-2)!, now.point);
    } else this.drag(tool.make, now.point);
  }

  private raise({ made, middle }: Rise): void {
    const { shop } = this;
    const [dx, dy, dz] = made.offset;
    const points = made.points.map(([x, y, z]): Vec => [x + dx, y + dy, z + dz]);
    shop.ghost.show({ kind: "polygon", points, thickness: made.thickness }, shop.materials(), shop.rig.height);
    shop.ghost.path([...made.points, made.points[0]!], shop.materials(), 5 * shop.rig.pixel);
    this.measure(quantity(made.thickness, "m"), middle.toArray(), middle.clone().add(new Vector3(...made.offset)).toArray());
  }

  private drag(make: Dragged, to: Vec): void {
    const { shop, from, sheet } = this;
    const made = from && sheet && draft(make, from, to, sheet, shop.world.planar, this.roundness());
    if (!made) return shop.ghost.clear();
    shop.ghost.show(made.ghost, shop.materials(), 0.3 * shop.rig.height);
    const text = made.lengths.map((length) => quantity(length, "m")).join(" × ");
    this.measure(make === "disc" || make === "sphere" ? `r ${text}` : text, from, to);
  }

  /** Radii are round numbers too, unless their end is a place of its own. */
  private roundness(): number {
    return this.now?.onGrid ? this.shop.grid.fine / 2 : 0;
  }

  private measure(text: string, a: Vec, b: Vec): void {
    this.measures.push({ text, at: new Vector3(...a).add(new Vector3(...b)).multiplyScalar(0.5) });
  }

  /** Marker of the snap and measures, with every picture. */
  label(): void {
    const { labels } = this.shop;
    const { now } = this;
    labels.snap(this.tool && now && !this.rise ? now.point : null, now?.label ? "place" : "grid");
    if (!this.tool || (!now && !this.rise)) return;
    if (now?.label) labels.put("snap", now.label, "name", new Vector3(...now.point), 10, 8);
    this.measures.forEach(({ text, at }, i) => labels.put(`measure ${i}`, text, "measure", at, 8, -24));
  }

  /** The pointer has left the picture. */
  leave(): void {
    if (!this.pressed) this.now = null;
    this.shop.redraw();
  }
}

/** Grids of planes through bodies lie on the world's own lines, so that what is drawn there has round coordinates too. */
function gridOrigin({ origin, normal }: Sheet): Vec {
  const height = origin[0] * normal[0] + origin[1] * normal[1] + origin[2] * normal[2];
  return [height * normal[0], height * normal[1], height * normal[2]];
}

function distance(a: Vec, b: Vec): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function words(kind: string): string {
  return kind.replaceAll("_", " ");
}
