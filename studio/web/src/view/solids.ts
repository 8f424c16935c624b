// Geometry of primitives in space, in the frame of their body: faces to be lit, and the lines of their edges and marks.
import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  EdgesGeometry,
  ExtrudeGeometry,
  Float32BufferAttribute,
  Matrix4,
  Quaternion,
  Shape,
  SphereGeometry,
  Vector2,
  Vector3,
} from "three";
import { mergeGeometries, mergeVertices, toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { Primitive, Vec3 } from "../protocol";

export type Solid = { faces: BufferGeometry; edges: BufferGeometry | null; mark: BufferGeometry | null };

const Y = new Vector3(0, 1, 0);
const CREASE = 30; // degrees between faces that show an edge

/** `size` is that of the whole scene: what has no thickness is drawn as thin as can be seen. */
export function solidOf(primitive: Primitive, size: number): Solid | null {
  const least = 0.003 * size;
  switch (primitive.kind) {
    case "segment":
    case "capsule":
      return rod(primitive.points, Math.max(primitive.radius || 0, least));
    case "cylinder":
      return cylinder(primitive.points, Math.max(primitive.radius || 0, least));
    case "box":
      return box(primitive.size, primitive.position, primitive.rotation);
    case "sphere":
      return sphere(primitive.centre, primitive.radius || 4 * least);
    case "disc":
      return disc(primitive.centre, primitive.radius || 4 * least, primitive.normal);
    case "polygon":
      return polygon(primitive.points, Math.max(primitive.thickness || 0, least));
    case "mesh":
      return mesh(primitive.points, primitive.faces);
    case "point":
      return sphere([0, 0, 0], 0.012 * size);
  }
}

/** Turns geometry made along y to lie along a segment, and moves it to its middle. */
function along(geometry: BufferGeometry, a: Vector3, b: Vector3): BufferGeometry {
  const direction = new Vector3().subVectors(b, a);
  if (direction.lengthSq() === 0) direction.copy(Y);
  const turn = new Quaternion().setFromUnitVectors(Y, direction.normalize());
  return geometry.applyMatrix4(new Matrix4().compose(new Vector3().addVectors(a, b).multiplyScalar(0.5), turn, new Vector3(1, 1, 1)));
}

function rod(points: [Vec3, Vec3], radius: number): Solid {
  const [a, b] = [new Vector3(...points[0]), new Vector3(...points[1])];
  return { faces: along(new CapsuleGeometry(radius, Math.max(a.distanceTo(b), 1e-6 * radius), 8, 24), a, b), edges: null, mark: null };
}

function cylinder(points: [Vec3, Vec3], radius: number): Solid {
  const [a, b] = [new Vector3(...points[0]), new Vector3(...points[1])];
  const faces = along(new CylinderGeometry(radius, radius, a.distanceTo(b), 40), a, b);
  // a diameter on each end shows the turning about the axis
  const ends: number[] = [];
  const across = new Vector3().subVectors(b, a).normalize();
  across.crossVectors(across, Math.abs(across.x) < 0.8 ? new Vector3(1, 0, 0) : Y).normalize();
  for (const p of [a, b])
    for (const side of [-radius, radius]) ends.push(p.x + side * across.x, p.y + side * across.y, p.z + side * across.z);
  return { faces, edges: lines(new EdgesGeometry(faces, CREASE), ends), mark: null };
}

function box(size: Vec3, position: Vec3, rotation: [Vec3, Vec3, Vec3]): Solid {
  const [r0, r1, r2] = rotation;
  const place = new Matrix4().set(...r0, position[0], ...r1, position[1], ...r2, position[2], 0, 0, 0, 1);
  const faces = new BoxGeometry(...size).applyMatrix4(place);
  return { faces, edges: new EdgesGeometry(faces, CREASE), mark: null };
}

function sphere(centre: Vec3, radius: number): Solid {
  const faces = new SphereGeometry(radius, 40, 24).translate(...centre);
  // two great circles show the turning
  const circles: number[] = [];
  const steps = 64;
  for (const plane of [0, 1])
    for (let i = 0; i < steps; i++)
      for (const k of [i, i + 1]) {
        const [c, s] = [1.002 * radius * Math.cos((2 * Math.PI * k) / steps), 1.002 * radius * Math.sin((2 * Math.PI * k) / steps)];
        circles.push(centre[0] + c, centre[1] + (plane ? s : 0), centre[2] + (plane ? 0 : s));
      }
  return { faces, edges: lines(null, circles), mark: null };
}

function disc(centre: Vec3, radius: number, normal: Vec3): Solid {
  const half = 0.06 * radius;
  const middle = new Vector3(...centre);
  const up = new Vector3(...normal).normalize();
  const [a, b] = [middle.clone().addScaledVector(up, -half), middle.clone().addScaledVector(up, half)];
  const faces = along(new CylinderGeometry(radius, radius, 2 * half, 56), a, b);
  const x = new Vector3().crossVectors(Math.abs(up.y) < 0.9 ? Y : new Vector3(1, 0, 0), up).normalize();
  const y = new Vector3().crossVectors(up, x);
  const spokes: number[] = [];
  for (const level of [-1.02 * half, 1.02 * half])
    for (let k = 0; k < 6; k++)
      for (const r of [0.18 * radius, 0.94 * radius]) {
        const angle = (Math.PI * k) / 3;
        const p = middle.clone().addScaledVector(up, level);
        p.addScaledVector(x, r * Math.cos(angle)).addScaledVector(y, r * Math.sin(angle));
        spokes.push(p.x, p.y, p.z);
      }
  // one spot near the rim, through the disc: which way it has turned is seen at a glance
  const spot = middle.clone().addScaledVector(x, 0.76 * radius * Math.cos(Math.PI / 6)).addScaledVector(y, 0.76 * radius * Math.sin(Math.PI / 6));
  const mark = along(
    new CylinderGeometry(0.1 * radius, 0.1 * radius, 2.1 * half, 24),
    spot.clone().addScaledVector(up, -half),
    spot.clone().addScaledVector(up, half),
  );
  return { faces, edges: lines(new EdgesGeometry(faces, CREASE), spokes), mark };
}

/** Any plane polygon: its normal is that of the sum of its corner areas. */
function polygon(points: Vec3[], thickness: number): Solid | null {
  if (points.length < 3) return null;
  const corners = points.map((p) => new Vector3(...p));
  const normal = new Vector3();
  corners.forEach((p, i) => normal.add(new Vector3().crossVectors(p, corners[(i + 1) % corners.length]!)));
  if (normal.lengthSq() === 0) return null;
  normal.normalize();
  const x = new Vector3().subVectors(corners[1]!, corners[0]!).normalize();
  const y = new Vector3().crossVectors(normal, x);
  const from = corners[0]!;
  const outline = corners.map((p) => new Vector2(p.clone().sub(from).dot(x), p.clone().sub(from).dot(y)));
  const place = new Matrix4().makeBasis(x, y, normal).setPosition(from.clone().addScaledVector(normal, -thickness / 2));
  const faces = new ExtrudeGeometry(new Shape(outline), { depth: thickness, bevelEnabled: false }).applyMatrix4(place);
  return { faces, edges: new EdgesGeometry(faces, CREASE), mark: null };
}

function mesh(points: Vec3[], triangles: Vec3[]): Solid | null {
  if (triangles.length === 0) return null;
  const indexed = new BufferGeometry();
  indexed.setAttribute("position", new Float32BufferAttribute(points.flat(), 3));
  indexed.setIndex(triangles.flat());
  const faces = toCreasedNormals(indexed, (CREASE * Math.PI) / 180);
  // edges of a scan would be a fur of lines
  const edges = triangles.length < 20000 ? new EdgesGeometry(indexed, CREASE) : null;
  indexed.dispose();
  return { faces, edges, mark: null };
}

function lines(edges: BufferGeometry | null, more: number[]): BufferGeometry {
  const own = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(more, 3));
  return edges ? mergeGeometries([edges, own])! : own;
}

/** The same faces with one normal at each corner: what an outline is pushed along, without gaps. */
export function hullOf(faces: BufferGeometry): BufferGeometry {
  const bare = new BufferGeometry().setAttribute("position", faces.getAttribute("position"));
  bare.setIndex(faces.getIndex());
  bare.computeBoundingSphere();
  const hull = mergeVertices(bare, 1e-5 * (bare.boundingSphere?.radius ?? 1));
  hull.computeVertexNormals();
  return hull;
}
