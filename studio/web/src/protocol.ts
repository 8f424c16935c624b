// What the page and the server say to each other. Coordinates are SI; every vector of the server has three numbers.

export type Vec3 = [number, number, number];

// --- scene ---------------------------------------------------------------------------------------------------------------------------

export type Primitive = { color?: string } & (
  | { kind: "segment" | "cylinder" | "capsule"; points: [Vec3, Vec3]; radius: number }
  | { kind: "box"; size: Vec3; position: Vec3; rotation: [Vec3, Vec3, Vec3] }
  | { kind: "sphere"; centre: Vec3; radius: number }
  | { kind: "disc"; centre: Vec3; radius: number; normal: Vec3 }
  | { kind: "polygon"; points: Vec3[]; thickness: number }
  | { kind: "mesh"; points: Vec3[]; faces: Vec3[] }
  | { kind: "point" }
);

export interface SceneBody {
  name: string;
  color: string;
  outline: Primitive[];
  centre: Vec3;
  mass: number;
  coordinates: string;
  fixed: boolean;
  grabbed: boolean;
  /** Not drawn: a rotor behind a gear. */
  unseen: boolean;
}

export type JointState = "closing" | "locked" | "breakable" | "redundant" | "broken";

export interface SceneJoint {
  name: string;
  kind: string;
  a: string;
  b: string;
  point_a: Vec3;
  point_b: Vec3;
  axis_a: Vec3 | null;
  axis_b: Vec3 | null;
  states: JointState[];
  sliding: boolean;
  turning: boolean;
  /** Drawn only while it is selected: the bearing of a rotor. */
  unseen: boolean;
}

export type ForceLook =
  | "spring"
  | "damper"
  | "spring-damper"
  | "torsion"
  | "motor"
  | "arrow"
  | "torque"
  | "plane"
  | "function"
  | "grab"
  | "friction"
  | "limit";

export interface SceneForce {
  name: string;
  kind: string;
  look: ForceLook;
  a: string | null;
  b: string | null;
  joint: string | null;
  point_a: Vec3 | null;
  point_b: Vec3 | null;
  direction: Vec3 | null;
  /** The direction is one of the world, not of body a. */
  in_world?: boolean;
  /** A load that changes with time: to and fro along its direction, or without one. */
  varies?: boolean;
  states: string[];
}

export interface SceneFrame {
  name: string;
  body: string;
  position: Vec3;
  quaternion: [number, number, number, number];
}

/** What an event does when it comes true. */
export type Deed = "mark" | "pause" | "cut" | "lock";

export interface SceneEvent {
  name: string;
  text: string;
  does: Deed | "call";
}

export interface Mark {
  time: number;
  label: string;
  kind: string;
}

export type Family = "central" | "recursive" | "modular";

export interface Solver {
  family: Family;
  formulation: string | null;
  integrator: string | null;
  step: number | null;
  rtol: number | null;
  /** On the gap of joints, of the modular solver. */
  tolerance: number | null;
  text: string;
}

/** A joint that is gone because it broke; it can be made again. */
export interface BrokenJoint {
  name: string;
  kind: string;
  a: string;
  b: string;
  time: number;
}

export interface SceneMessage {
  type: "scene";
  version: number;
  past: number | null;
  /** Another number when another mechanism was opened. */
  session?: number;
  title: string;
  planar: boolean;
  up: Vec3;
  gravity: Vec3;
  bounds: [Vec3, Vec3];
  file: string | null;
  /** The name of the file that a page has brought along: it is in no file of the folder. */
  brought?: string | null;
  bodies: SceneBody[];
  joints: SceneJoint[];
  forces: SceneForce[];
  frames: SceneFrame[];
  events: SceneEvent[];
  broken: BrokenJoint[];
  undo: string | null;
  redo: string | null;
  marks: Mark[];
  solver: Solver;
}

// --- properties ----------------------------------------------------------------------------------------------------------------------

export type FieldType = "number" | "integer" | "vector" | "text" | "choice" | "color" | "bool" | "json";

export interface Field {
  key: string;
  label: string;
  type: FieldType;
  value: unknown;
  unit: string;
  min: number | null;
  max: number | null;
  choices: string[] | null;
  help: string;
  fixed: boolean;
}

export interface Properties {
  name: string;
  what: "body" | "joint" | "force" | "frame" | "event" | "mechanism";
  kind: string;
  fields: Field[];
}

export interface Quantity {
  quantity: string;
  label: string;
  unit: string;
}

// --- other messages of the server ----------------------------------------------------------------------------------------------------

export interface Example {
  name: string;
  title: string;
  text: string;
  picture: string | null;
}

export interface ShapeKind {
  type: string;
  title: string;
  planar: boolean;
  spatial: boolean;
}

export interface ConnectionKind extends ShapeKind {
  attachment: string; // joints: "bodies" | "joints"; forces: "one" | "two" | "any" | "joint"
  fields: Field[];
}

export interface HelloMessage {
  type: "hello";
  viewer: number;
  secret: string; // with which the page says who it is where it does not use its WebSocket
  version: string;
  left: number; // sessions with work that was not saved
  examples: Example[];
  shapes: ShapeKind[];
  joints: ConnectionKind[];
  forces: ConnectionKind[];
}

/** Null: not a finite number at the moment. */
export interface Energy {
  kinetic: number | null;
  potential: number | null;
  dissipated: number | null;
  total: number | null;
  error: number | null;
}

export interface ClockMessage {
  type: "clock";
  time: number;
  start: number;
  end: number;
  running: boolean;
  factor: number;
  achieved: number | null;
  lost: number;
  energy: Energy;
  gap: number | null;
  cost: number | null; // seconds of computing per step
  steps: number | null;
  iterations: number | null; // per step, of methods that iterate
  branching: { time: number; share: number } | null; // a moment that is computed again, to go on from there
  hand: { body: string; from: Vec3; to: Vec3; force: number } | null;
  control: "me" | "other" | "none";
  viewers: number;
}

/** Time passes, or stands still, or is another: told before the answer to whoever has asked for that. */
export interface TimeMessage {
  type: "time";
  time: number;
  running: boolean;
  factor: number;
}

export interface Series {
  t: number[];
  values: Record<string, (number | null)[]>;
}

export interface PlotsMessage extends Series {
  type: "plots";
  restart?: boolean;
}

/** Of centres of bodies: x, y, z and their rates at each time, in one list; null where there is no body. */
export interface Paths {
  t: number[];
  paths: Record<string, (number | null)[]>;
}

export interface PathsMessage extends Paths {
  type: "paths";
  restart?: boolean;
}

export interface NoticeMessage {
  type: "notice";
  level: "info" | "warning" | "error";
  text: string;
}

export interface AnswerMessage {
  type: "answer";
  id: number;
  error: string | null;
  data?: unknown;
}

export type ServerMessage = HelloMessage | SceneMessage | ClockMessage | TimeMessage | PlotsMessage | PathsMessage | NoticeMessage | AnswerMessage;

export const POSES = 0;
export const ARROWS = 1;

export interface Packet {
  kind: number;
  version: number;
  time: number;
  x: Float32Array;
}

/** A binary message: u32 kind, u32 version, f64 time, then float32 numbers; all little endian. */
export function decodePacket(buffer: ArrayBuffer): Packet {
  const head = new DataView(buffer);
  return { kind: head.getUint32(0, true), version: head.getUint32(4, true), time: head.getFloat64(8, true), x: new Float32Array(buffer, 16) };
}

// --- what the page asks for ----------------------------------------------------------------------------------------------------------

/** A kind of joint, force or shape with its parameters. */
export interface Kind {
  type: string;
  [parameter: string]: unknown;
}

/** `exists`: another file has that name, and nothing was written. */
export interface Saved {
  file: string;
  exists: boolean;
}

export interface Files {
  folder: string;
  files: string[];
  recent: string[];
  left: Left[];
}

/** Work that was not saved, of a studio that has ended or of what was there before. */
export interface Left {
  id: string;
  name: string;
  time: number; // seconds since 1970
  folder: string;
}

export interface Report {
  dof: number;
  redundant: number;
  text: string;
  notes: { name: string | null; text: string; remedy: { label: string; message: Request } | null }[];
}

export type Request =
  | { do: "run"; factor?: number }
  | { do: "pause" | "reset" | "cancel" | "undo" | "redo" | "release" | "report" | "files" }
  | { do: "step"; count?: number }
  | { do: "remove" | "cut" | "lock" | "unlock" | "fix" | "free" | "arrows" | "trails" | "select"; names: string[] }
  | { do: "rename"; name: string; new: string }
  | { do: "duplicate"; names: string[]; offset?: Vec3; count?: number; mirror?: "x" | "y" | "z" }
  | { do: "retype"; name: string; kind?: Kind; coordinates?: string }
  | { do: "properties" | "quantities" | "watchable"; name: string }
  | { do: "set"; name: string; key: string; value: unknown }
  | { do: "add_body"; shape: Kind; position?: Vec3; orientation?: number | number[]; name?: string; color?: string }
  | {
      do: "add_joint";
      kind: Kind;
      a: string;
      b: string;
      at?: Vec3;
      at_a?: Vec3;
      at_b?: Vec3;
      name?: string;
      joining?: "gentle" | "impulse";
    }
  | { do: "add_force"; kind: Kind; a?: string; b?: string; joint?: string; at?: Vec3; at_a?: Vec3; at_b?: Vec3; name?: string }
  | { do: "add_frame"; body: string; at?: Vec3; name?: string }
  | { do: "gravity"; value: Vec3 }
  | { do: "grab"; body: string; at: Vec3 }
  | { do: "pull"; to: Vec3 }
  | { do: "push"; body: string; impulse: Vec3; at?: Vec3 }
  | { do: "restore"; name: string }
  | { do: "breaks"; name: string; limit: number | null }
  | { do: "when"; quantity: string; than: "above" | "below"; limit: number; does: Deed; target?: string; once?: boolean }
  | { do: "plot"; quantities: string[] }
  | { do: "look"; time: number | null }
  | { do: "branch"; time: number }
  | { do: "solver"; family: Family; formulation?: string; integrator?: string; step?: number; rtol?: number; tolerance?: number }
  | { do: "open"; example?: string; file?: string; empty?: "xy" | "space" }
  | { do: "save"; file: string; replace?: boolean }
  | { do: "recover"; left: string }
  | { do: "discard"; left: string }
  | { do: "python"; what?: "mechanism" | "actions" }
  | { do: "control"; take: boolean };
