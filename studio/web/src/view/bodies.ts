// The bodies of the scene: their looks and where they are.
import { Box3, type BufferGeometry, Group, LineSegments, Mesh, type Object3D, Quaternion, Vector3 } from "three";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { SceneBody, SceneMessage } from "../protocol";
import { flatOf } from "./flats";
import type { Emphasis, Materials } from "./materials";
import { hullOf, solidOf } from "./solids";

/** Painting order in the plane: bodies, then forces, then joints. */
export const ORDER = { grid: 0, trails: 5, bodies: 10, forces: 4000, joints: 5000, top: 6000 };

type Shown = { faces: BufferGeometry; edges: BufferGeometry | null; mark: BufferGeometry | null; border: LineSegmentsGeometry | null; hull: BufferGeometry | null };

export class Body {
  readonly group = new Group();
  /** Faces that a ray may hit. */
  readonly targets: Mesh[] = [];
  readonly position = new Vector3();
  readonly quaternion = new Quaternion();
  readonly centre = new Vector3();
  emphasis: Emphasis = "";
  placed = false;
  private parts: { shape: Shown; color: string; mesh: Mesh; border: LineSegments2 | null; hull: Mesh | null }[] = [];

  constructor(
    public data: SceneBody,
    readonly key: string,
    private materials: Materials,
    size: number,
  ) {
    this.group.matrixAutoUpdate = false;
    this.group.visible = false;
    for (const primitive of data.outline) {
      const shape = geometryOf(JSON.stringify([primitive, materials.planar, size]), () => {
        const flat = materials.planar ? flatOf(primitive, size) : null;
        if (flat)
          return {
            faces: flat.faces,
            edges: null,
            mark: null,
            border: new LineSegmentsGeometry().setPositions([...flat.border, ...flat.marks]),
            hull: null,
          };
        const solid = solidOf(primitive, size);
        return solid && { ...solid, border: null, hull: null };
      });
      if (shape) this.add(shape, primitive.color ?? data.color);
    }
    this.take(data);
  }

  private add(shape: Shown, color: string): void {
    const mesh = still(new Mesh(shape.faces, this.materials.body(color, "")));
    mesh.castShadow = mesh.receiveShadow = !this.materials.planar;
    mesh.userData = { body: this };
    this.targets.push(mesh);
    this.group.add(mesh);
    if (shape.edges) this.group.add(still(new LineSegments(shape.edges, this.materials.edges(color))));
    if (shape.mark) this.group.add(still(new Mesh(shape.mark, this.materials.mark(color))));
    const border = shape.border ? still(new LineSegments2(shape.border, this.materials.border(color, ""))) : null;
    if (border) this.group.add(border);
    this.parts.push({ shape, color, mesh, border, hull: null });
  }

  /** What may change without new looks. */
  take(data: SceneBody): void {
    this.data = data;
    this.centre.fromArray(data.centre);
  }

  order(index: number): void {
    for (const child of this.group.children) child.renderOrder = ORDER.bodies + 2 * index + (child instanceof LineSegments2 ? 1 : 0);
  }

  place(x: Float32Array, k: number): void {
    this.position.set(x[k]!, x[k + 1]!, x[k + 2]!);
    this.quaternion.set(x[k + 4]!, x[k + 5]!, x[k + 6]!, x[k + 3]!);
    this.group.matrix.compose(this.position, this.quaternion, ONE);
    this.group.matrixWorldNeedsUpdate = true;
    this.group.visible = this.placed = true;
  }

  toWorld(local: Vector3, out: Vector3): Vector3 {
    return out.copy(local).applyQuaternion(this.quaternion).add(this.position);
  }

  toLocal(point: Vector3, out: Vector3): Vector3 {
    return out.copy(point).sub(this.position).applyQuaternion(BACK.copy(this.quaternion).conjugate());
  }

  emphasise(emphasis: Emphasis): void {
    if (emphasis === this.emphasis) return;
    this.emphasis = emphasis;
    for (const part of this.parts) {
      part.mesh.material = this.materials.body(part.color, emphasis);
      if (part.border) part.border.material = this.materials.border(part.color, emphasis);
      else if (emphasis && !part.hull) {
        part.hull = still(new Mesh((part.shape.hull ??= hullOf(part.shape.faces)), this.materials.hull(emphasis)));
        part.hull.raycast = () => undefined;
        this.group.add(part.hull);
      } else if (part.hull) {
        part.hull.visible = emphasis !== "";
        if (emphasis) part.hull.material = this.materials.hull(emphasis);
      }
    }
  }

  bounds(into: Box3): void {
    this.group.updateWorldMatrix(true, true);
    for (const mesh of this.targets) into.union(BOX.setFromObject(mesh, true));
  }

  dispose(): void {
    this.group.removeFromParent();
    for (const part of this.parts) drop(part.shape);
  }
}

const ONE = new Vector3(1, 1, 1);
const BACK = new Quaternion();
const BOX = new Box3();

/** An object that never moves in its parent. */
function still<O extends Object3D>(object: O): O {
  object.matrixAutoUpdate = false;
  return object;
}

// Copies of a body share their geometry; the last that goes disposes of it.
const shapes = new Map<string, { shape: Shown; used: number }>();
const keys = new WeakMap<Shown, string>();

function geometryOf(key: string, make: () => Shown | null): Shown | null {
  const known = shapes.get(key);
  if (known) {
    known.used++;
    return known.shape;
  }
  const shape = make();
  if (shape) {
    shapes.set(key, { shape, used: 1 });
    keys.set(shape, key);
  }
  return shape;
}

function drop(shape: Shown): void {
  const key = keys.get(shape)!;
  const entry = shapes.get(key);
  if (!entry || --entry.used > 0) return;
  shapes.delete(key);
  for (const geometry of [shape.faces, shape.edges, shape.mark, shape.border, shape.hull]) geometry?.dispose();
}

export class Bodies {
  readonly group = new Group();
  list: Body[] = [];
  private byName = new Map<string, Body>();
  private size = 0;

  constructor() {
    this.group.matrixAutoUpdate = false;
  }

  /** Bodies with the same name and looks are kept, so that nothing flashes. */
  show(scene: SceneMessage, materials: Materials, size: number): void {
    // least thicknesses depend on the size of the scene: in steps, so that bodies of a scene that grows are kept
    if (size > 2 * this.size || size < this.size / 2) this.size = size;
    const before = this.byName;
    this.byName = new Map();
    this.list = scene.bodies.map((data, i) => {
      const key = `${data.color} ${this.size} ${JSON.stringify(data.outline)}`;
      let body = before.get(data.name);
      if (body?.key === key) {
        before.delete(data.name);
        body.take(data);
      } else {
        body = new Body(data, key, materials, this.size);
        const old = before.get(data.name);
        if (old?.placed) body.place(poseOf(old), 0); // until its pose arrives
        this.group.add(body.group);
      }
      body.order(i);
      this.byName.set(data.name, body);
      return body;
    });
    for (const body of before.values()) body.dispose();
  }

  get(name: string | null): Body | null {
    return name === null ? null : (this.byName.get(name) ?? null);
  }

  place(x: Float32Array): void {
    for (let i = 0, k = 0; i < this.list.length && k + 6 < x.length; i++, k += 7) this.list[i]!.place(x, k);
  }

  /** A point of a body (or of the ground) in the world. */
  point(name: string | null, local: Vector3, out: Vector3): Vector3 {
    const body = this.get(name);
    return body ? body.toWorld(local, out) : out.copy(local);
  }

  direction(name: string | null, local: Vector3, out: Vector3): Vector3 {
    const body = this.get(name);
    return body ? out.copy(local).applyQuaternion(body.quaternion) : out.copy(local);
  }

  /** Whether all the named bodies have been placed (the ground always is). */
  placed(name: string | null): boolean {
    return this.get(name)?.placed ?? true;
  }

  clear(): void {
    for (const body of this.list) body.dispose();
    this.list = [];
    this.byName.clear();
  }
}

function poseOf(body: Body): Float32Array {
  const { position: p, quaternion: q } = body;
  return new Float32Array([p.x, p.y, p.z, q.w, q.x, q.y, q.z]);
}
