// What a tool made in the scene, as a request: shapes and connections with parameters that make sense to begin with.

import type { ConnectionKind, Kind, Request, Vec3 } from "../protocol";
import { usualThickness } from "../view/rise";
import type { Made } from "../view/types";

const MASS = 1; // kg, until somebody says otherwise

const minus = (p: Vec3, q: Vec3): Vec3 => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
const dot = (p: Vec3, q: Vec3): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const cross = (p: Vec3, q: Vec3): Vec3 => [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
const scaled = (p: Vec3, factor: number): Vec3 => [factor * p[0], factor * p[1], factor * p[2]];

/** Digits of a tenth of a micrometre: what a pointer can mean, and what reads well in a file. */
const tidy = (x: number): number => Number(x.toFixed(7));
const tidied = (p: Vec3): Vec3 => p.map(tidy) as Vec3;

function centroid(points: Vec3[]): Vec3 {
  const sum = points.reduce<Vec3>((s, p) => [s[0] + p[0], s[1] + p[1], s[2] + p[2]], [0, 0, 0]);
  return scaled(sum, 1 / points.length);
}

/** Unit normal of a flat polygon, towards +z where that can be said. */
function normalOf(points: Vec3[]): Vec3 {
  const sum = points.reduce<Vec3>(
    (s, p, i) => {
      const c = cross(p, points[(i + 1) % points.length]!);
      return [s[0] + c[0], s[1] + c[1], s[2] + c[2]];
    },
    [0, 0, 0],
  );
  const length = Math.hypot(...sum);
  if (length === 0) return [0, 0, 1];
  const normal = scaled(sum, 1 / length);
  return normal[2] < 0 ? scaled(normal, -1) : normal;
}

/** The shortest rotation that takes z to a unit vector, as a quaternion (w, x, y, z). */
function turnTo(n: Vec3): [number, number, number, number] {
  const w = 1 + n[2];
  if (w < 1e-9) return [0, 1, 0, 0];
  const length = Math.hypot(w, n[0], n[1]);
  return [w / length, (0 - n[1]) / length, n[0] / length, 0];
}

function turned(q: [number, number, number, number], p: Vec3): Vec3 {
  const axis: Vec3 = [q[1], q[2], q[3]];
  const t = scaled(cross(axis, p), 2);
  const s = cross(axis, t);
  return [p[0] + q[0] * t[0] + s[0], p[1] + q[0] * t[1] + s[1], p[2] + q[0] * t[2] + s[2]];
}

function polygon({ points, thickness, offset }: Extract<Made, { make: "polygon" }>, planar: boolean): Request {
  const centre = centroid(points);
  const quaternion = planar ? ([1, 0, 0, 0] as const) : turnTo(normalOf(points));
  const q = [...quaternion] as [number, number, number, number];
  const x = turned(q, [1, 0, 0]);
  const y = turned(q, [0, 1, 0]);
  const corners = points.map((p) => [tidy(dot(minus(p, centre), x)), tidy(dot(minus(p, centre), y))]);
  const shape: Kind = { type: "extrusion", polygon: corners, mass: MASS };
  if (planar) return { do: "add_body", shape, position: tidied(centre) };
  const [dx, dy, dz] = offset ?? [0, 0, 0];
  const middle: Vec3 = [centre[0] + dx, centre[1] + dy, centre[2] + dz];
  return { do: "add_body", shape: { ...shape, thickness: tidy(thickness ?? usualThickness(points)) }, position: tidied(middle), orientation: q };
}

/** The request that adds a body as it was drawn. Shapes of a planar mechanism have vectors of two numbers. */
export function bodyRequest(made: Exclude<Made, { kind: string }>, planar: boolean): Request {
  const vector = (p: Vec3): number[] => (planar ? tidied(p).slice(0, 2) : tidied(p));
  switch (made.make) {
    case "rod":
      return { do: "add_body", shape: { type: "rod", start: vector(made.from), end: vector(made.to), mass: MASS } };
    case "cylinder":
    case "capsule": {
      const [start, end, radius] = [vector(made.from), vector(made.to), tidy(made.radius)];
      return { do: "add_body", shape: { type: made.make, start, end, radius, mass: MASS } };
    }
    case "disc": {
      const shape: Kind = { type: "disc", radius: tidy(made.radius), mass: MASS };
      if (planar) return { do: "add_body", shape, position: tidied(made.centre) };
      shape.thickness = tidy(made.thickness);
      return { do: "add_body", shape, position: tidied(made.centre), orientation: turnTo(made.normal) };
    }
    case "sphere":
      return { do: "add_body", shape: { type: "sphere", radius: tidy(made.radius), mass: MASS }, position: tidied(made.centre) };
    case "box":
      return { do: "add_body", shape: { type: "box", size: vector(made.size), mass: MASS }, position: tidied(made.centre) };
    case "polygon":
      return polygon(made, planar);
  }
}

const harmonic = (amplitude: number): Kind => ({ type: "harmonic", amplitude, frequency: 1 });

/** Parameters to begin with, of the kinds that need some. The server fills in the others. */
export function defaults(type: string, planar: boolean): Kind {
  const given: Record<string, Record<string, unknown>> = {
    spring: { stiffness: 100, damping: 1 },
    torsion_spring: { stiffness: 10, damping: 0.1 },
    joint_damping: { coefficient: 0.5 },
    motor: { control: "speed", target: Math.PI, damping: 10, limit: 100 },
    linear_motor: { control: "speed", target: 0.5, damping: 100, limit: 1000 },
    angle_friction: { torque: 0.5 },
    slide_friction: { force: 1 },
    angle_limit: { lower: -1, upper: 1, stiffness: 1000, damping: 0.1 },
    slide_limit: { lower: -0.5, upper: 0.5, stiffness: 1e4, damping: 0.1 },
    point_force: { force: planar ? [10, 0] : [10, 0, 0] },
    torque: { torque: planar ? 1 : [0, 0, 1] },
    plane_contact: { stiffness: 1e4, damping: 10 },
    gear: { ratio: -1 },
    rotor: { ratio: 10 },
    rolling_wheel: { radius: 0.1 },
    rolling_disc: { radius: 0.1 },
    imposed_rotation: { angle: harmonic(0.5) },
    imposed_translation: { displacement: harmonic(0.1) },
    imposed_point: { path: planar ? [0, 0] : [0, 0, 0] },
    imposed_body: { position: planar ? [0, 0] : [0, 0, 0] },
  };
  return { type, ...given[type] };
}

/** Parameters that depend on where a connection was drawn. */
function placed(kind: Kind, at: Vec3, planar: boolean): Kind {
  const here = planar ? tidied(at).slice(0, 2) : tidied(at);
  if (kind.type === "imposed_point") return { ...kind, path: here };
  if (kind.type === "imposed_body") return { ...kind, position: here };
  return kind;
}

/** Kinds whose first body is the ground anyway. */
const GROUNDED = new Set(["imposed_point", "imposed_body"]);

/** How many bodies are clicked for a kind; the ground counts. */
export function bodiesOf(kind: Pick<ConnectionKind, "type" | "attachment">): 1 | 2 {
  return kind.attachment === "one" || kind.attachment === "any" || GROUNDED.has(kind.type) ? 1 : 2;
}

/** The request that adds a joint or force as it was drawn. */
export function connectionRequest(made: Extract<Made, { kind: string }>, planar: boolean): Request {
  const kind = placed(defaults(made.kind, planar), made.at_a, planar);
  const [at_a, at_b] = [tidied(made.at_a), tidied(made.at_b)];
  if (made.make === "joint") {
    if (GROUNDED.has(made.kind)) return { do: "add_joint", kind, a: "ground", b: made.a, at: at_a };
    return { do: "add_joint", kind, a: made.a, b: made.b ?? "ground", at_a, at_b };
  }
  if (made.b === null) return { do: "add_force", kind, a: made.a, ...(made.kind === "torque" ? {} : { at_a }) };
  return { do: "add_force", kind, a: made.a, b: made.b, at_a, at_b };
}
