// The preview of what a tool is about to make.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Line, LineDashedMaterial, LineSegments, Mesh, type Material } from "three";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { Primitive } from "../protocol";
import { ORDER } from "./bodies";
import { flatOf } from "./flats";
import type { Materials } from "./materials";
import { solidOf } from "./solids";
import type { Vec } from "./types";

const CORNERS = 256;

export class Ghost {
  readonly group = new Group();
  private shape = new Group();
  private attribute = new BufferAttribute(new Float32Array(3 * CORNERS), 3).setUsage(DynamicDrawUsage);
  private dashes = new LineDashedMaterial({ transparent: true, depthTest: false, toneMapped: false });
  private line = new Line(new BufferGeometry().setAttribute("position", this.attribute), this.dashes);

  constructor() {
    this.line.frustumCulled = false;
    this.line.renderOrder = ORDER.top + 2;
    this.group.add(this.shape, this.line);
    this.clear();
  }

  show(primitive: Primitive, materials: Materials, size: number): void {
    this.drop();
    const { accent } = materials.colors;
    const flat = materials.planar ? flatOf(primitive, size) : null;
    const solid = flat ? null : solidOf(primitive, size);
    const faces = flat?.faces ?? solid?.faces;
    if (!faces) return;
    this.put(new Mesh(faces, materials.plain(accent, 0.28)));
    if (flat) this.put(new LineSegments2(new LineSegmentsGeometry().setPositions([...flat.border, ...flat.marks]), materials.border("accent", "hover")));
    if (solid?.edges) this.put(new LineSegments(solid.edges, materials.line(accent)));
    solid?.mark?.dispose();
  }

  private put(object: Mesh | LineSegments): void {
    object.renderOrder = ORDER.top + this.shape.children.length;
    this.shape.add(object);
  }

  /** A dashed line through points, as long as the dash says. */
  path(points: readonly Vec[], materials: Materials, dash: number): void {
    const count = Math.min(points.length, CORNERS);
    for (let i = 0; i < count; i++) this.attribute.setXYZ(i, ...points[i]!);
    this.attribute.needsUpdate = true;
    this.dashes.color.copy(materials.colors.accent);
    this.dashes.dashSize = this.dashes.gapSize = dash;
    this.line.geometry.setDrawRange(0, count);
    this.line.computeLineDistances();
    this.line.visible = count > 1;
  }

  clear(): void {
    this.drop();
    this.line.visible = false;
  }

  private drop(): void {
    for (const child of this.shape.children as (Mesh<BufferGeometry, Material> | LineSegments)[]) child.geometry.dispose();
    this.shape.clear();
  }

  dispose(): void {
    this.clear();
    this.line.geometry.dispose();
    this.dashes.dispose();
  }
}
