// Geometry of symbols, about the size of 1, shared by all that show them. Axes of joints are along z.
import {
  BoxGeometry,
  BufferGeometry,
  CatmullRomCurve3,
  ConeGeometry,
  CylinderGeometry,
  EdgesGeometry,
  ExtrudeGeometry,
  Float32BufferAttribute,
  PlaneGeometry,
  Shape,
  SphereGeometry,
  TorusGeometry,
  TubeGeometry,
  Vector2,
  Vector3,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { coilPoints, gearOutline, spiralPoints } from "./curves";

const known = new Map<string, BufferGeometry>();

function once(key: string, make: () => BufferGeometry): () => BufferGeometry {
  return () => {
    let geometry = known.get(key);
    if (!geometry) known.set(key, (geometry = make()));
    return geometry;
  };
}

export function disposeParts(): void {
  for (const geometry of known.values()) geometry.dispose();
  known.clear();
}

const upright = <G extends BufferGeometry>(geometry: G): G => geometry.rotateX(Math.PI / 2);

export const ring = once("ring", () => new TorusGeometry(0.86, 0.2, 12, 40));
export const hub = once("hub", () => upright(new CylinderGeometry(0.74, 0.74, 0.5, 32)));
export const pivot = once("pivot", () => upright(new CylinderGeometry(0.26, 0.26, 0.75, 20)));
export const ball = once("ball", () => new SphereGeometry(0.68, 28, 18));
export const dot = once("dot", () => new SphereGeometry(0.3, 20, 12));
export const cup = once("cup", () => upright(new SphereGeometry(0.98, 28, 14, 0, 2 * Math.PI, Math.PI / 2, Math.PI / 2.6)));
/** Of length 1 along z, to be stretched. */
export const rail = once("rail", () => new BoxGeometry(0.34, 0.34, 1));
export const pole = once("pole", () => upright(new CylinderGeometry(0.32, 0.32, 1, 20)));
/** Of radius 1, from 0 to 1 along z, to be stretched. */
export const bar = once("bar", () => upright(new CylinderGeometry(1, 1, 1, 20)).translate(0, 0, 0.5));
export const block = once("block", () => new BoxGeometry(1.5, 1.5, 2.3));
export const blockEdges = once("block edges", () => new EdgesGeometry(block()));
export const stop = once("stop", () => new BoxGeometry(1, 1, 0.22));
export const sleeve = once("sleeve", () => upright(new CylinderGeometry(0.78, 0.78, 2.3, 28)));
export const sleeveEdges = once("sleeve edges", () => new EdgesGeometry(sleeve(), 30));
export const band = once("band", () => new TorusGeometry(0.8, 0.1, 8, 32));
export const square = once("square", () => new BoxGeometry(1.5, 1.5, 1.5));
export const squareInside = once("square inside", () => new BoxGeometry(0.9, 0.9, 1.56));
export const crossX = once("cross x", () => new CylinderGeometry(0.22, 0.22, 2.1, 16).rotateZ(Math.PI / 2));
export const crossY = once("cross y", () => new CylinderGeometry(0.22, 0.22, 2.1, 16));
export const patch = once("patch", () => new BoxGeometry(3.2, 3.2, 0.14));
export const blade = once("blade", () => new BoxGeometry(2.4, 0.3, 0.9));
export const gear = once("gear", () => {
  const outline = new Shape(gearOutline(12).map(([x, y]) => new Vector2(1.25 * x, 1.25 * y)));
  outline.holes.push(new Shape(new Shape().absarc(0, 0, 0.45, 0, 2 * Math.PI, true).getPoints(20)));
  return new ExtrudeGeometry(outline, { depth: 0.4, bevelEnabled: false }).translate(0, 0, -0.2);
});

/** An arc about z with a head at its end: what turns. */
function turning(radius: number, from: number, to: number, wire: number): BufferGeometry {
  const arc = new TorusGeometry(radius, wire, 10, 48, to - from).rotateZ(from);
  const head = new ConeGeometry(3.1 * wire, 6.4 * wire, 20);
  head.rotateZ(to).translate(radius * Math.cos(to) - 1.5 * wire * Math.sin(to), radius * Math.sin(to) + 1.5 * wire * Math.cos(to), 0);
  return mergeGeometries([arc, head])!;
}

export const motor = once("motor", () => turning(1.75, 0.5, 5.3, 0.16));
export const torque = once("torque", () => turning(2.4, -0.6, 3.4, 0.17));
export const limit = once("limit", () => {
  const arc = new TorusGeometry(1.95, 0.12, 8, 32, 1.7).rotateZ(-0.85);
  const ticks = [-0.85, 0.85].map((angle) => new BoxGeometry(0.9, 0.22, 0.22).translate(1.95, 0, 0).rotateZ(angle));
  return mergeGeometries([arc, ...ticks])!;
});
export const friction = once("friction", () =>
  mergeGeometries(Array.from({ length: 10 }, (_, i) => new TorusGeometry(1.5, 0.13, 8, 6, 0.34).rotateZ((2 * Math.PI * i) / 10)))!,
);
export const spiral = once("spiral", () => tube(spiralPoints(2.5, 20, 0.45 / 1.7), 0.13 / 1.7).scale(1.7, 1.7, 1.7));

function tube(points: Float32Array, wire: number): BufferGeometry {
  const path = Array.from({ length: points.length / 3 }, (_, i) => new Vector3().fromArray(points, 3 * i));
  return new TubeGeometry(new CatmullRomCurve3(path), 4 * path.length, wire, 8);
}

/** An arrow along z: its shaft from 0 to 1 of length, to be stretched, and its head with the tip at 0. */
export const shaft = once("shaft", () => upright(new CylinderGeometry(0.2, 0.2, 1, 14)).translate(0, 0, 0.5));
export const head = once("head", () => upright(new ConeGeometry(0.62, 1.7, 22)).translate(0, 0, -0.85));

export const sheet = once("sheet", () => new PlaneGeometry(1, 1));
export const sheetEdges = once("sheet edges", () => new EdgesGeometry(sheet()));

/** The hatched support of the drawings of mechanisms, seen from z, below a joint at 0. */
export const support = once("support", () => {
  const base = -1.95;
  const strips = [strip(-0.25, -0.6, -1.25, base, 0.16), strip(0.25, -0.6, 1.25, base, 0.16), strip(-1.9, base, 1.9, base, 0.2)];
  for (let x = -1.4; x < 2; x += 0.75) strips.push(strip(x, base - 0.08, x - 0.5, base - 0.68, 0.13));
  return mergeGeometries(strips)!;
});

/** Hatching along x below a rail. */
export const hatching = once("hatching", () => {
  const strips = [strip(-3, 0, 3, 0, 0.2)];
  for (let x = -2.5; x < 3.1; x += 0.75) strips.push(strip(x, -0.08, x - 0.5, -0.68, 0.13));
  return mergeGeometries(strips)!;
});

/** A long hatched line along x: what is below it is solid. */
export const shore = once("shore", () => {
  const strips = [strip(-24, 0, 24, 0, 0.2)];
  for (let x = -23.5; x < 24; x += 0.8) strips.push(strip(x, -0.08, x - 0.55, -0.72, 0.12));
  return mergeGeometries(strips)!;
});

/** The support in space: a foot on a plate, along −z from 0. */
export const foot = once("foot", () => upright(new CylinderGeometry(0.3, 1.15, 1.7, 4, 1, false, Math.PI / 4)).translate(0, 0, -1.05));
export const plate = once("plate", () => new BoxGeometry(3.2, 3.2, 0.22).translate(0, 0, -2));
export const plateEdges = once("plate edges", () => mergeGeometries([new EdgesGeometry(plate()), hatches()])!);

function hatches(): BufferGeometry {
  const at: number[] = [];
  for (let k = -4; k <= 4; k++) {
    const shift = (k * 3.2) / 5;
    const [x0, y0, x1, y1] = [Math.max(-1.6, -1.6 + shift), Math.max(-1.6, -1.6 - shift), Math.min(1.6, 1.6 + shift), Math.min(1.6, 1.6 - shift)];
    at.push(x0, y0, -1.88, x1, y1, -1.88);
  }
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(at, 3));
}

function strip(ax: number, ay: number, bx: number, by: number, width: number): BufferGeometry {
  const length = Math.hypot(bx - ax, by - ay);
  return new PlaneGeometry(length + width, width).rotateZ(Math.atan2(by - ay, bx - ax)).translate((ax + bx) / 2, (ay + by) / 2, 0);
}

/** A frame: three bars of length 1 from 0, as geometry of each axis. */
export const axis = once("axis", () => upright(new CylinderGeometry(0.06, 0.06, 1, 10)).translate(0, 0, 0.5));

/**
 * A coil of wire along z from 0 to 1, of radius 1. The wire is kept apart from its middle line (attribute `wire`), so that stretching the
 * coil does not stretch the wire.
 */
export const coil = once("coil", () => {
  const points = coilPoints(9, 20);
  const path = Array.from({ length: points.length / 3 }, (_, i) => new Vector3(points[3 * i + 1], points[3 * i + 2], points[3 * i]));
  const around = 7;
  const [position, wire, index] = [[] as number[], [] as number[], [] as number[]];
  const tangent = new Vector3();
  const out = new Vector3();
  const side = new Vector3();
  path.forEach((p, i) => {
    // the wire's own directions: away from the axis, and across that and the tangent of a coil about as long as it is wide
    tangent.subVectors(path[Math.min(i + 1, path.length - 1)]!, path[Math.max(i - 1, 0)]!).multiply(new Vector3(1, 1, 6)).normalize();
    out.set(p.x, p.y, 0);
    if (out.lengthSq() < 1e-9) out.set(0, 1, 0);
    out.addScaledVector(tangent, -out.dot(tangent)).normalize();
    side.crossVectors(tangent, out);
    for (let k = 0; k <= around; k++) {
      const angle = (2 * Math.PI * k) / around;
      position.push(p.x, p.y, p.z);
      for (const c of ["x", "y", "z"] as const) wire.push(Math.cos(angle) * out[c] + Math.sin(angle) * side[c]);
      if (i > 0 && k > 0) {
        const [a, b] = [(i - 1) * (around + 1) + k, i * (around + 1) + k];
        index.push(a - 1, b - 1, a, b - 1, b, a);
      }
    }
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(wire, 3));
  geometry.setIndex(index);
  return geometry;
});
