// The seam between the picture (src/view) and the rest of the page.
import type { SceneMessage } from "../protocol";

export type Vec = [number, number, number];

export type Pick = {
  name: string | null;
  what: "body" | "joint" | "force" | "frame" | null;
  point: Vec;
  x: number;
  y: number;
  shift: boolean;
};

/** What the pointer makes in the scene. */
export type Tool =
  // placed and sized by dragging (polygon: clicks, Enter or double click closes; in space another click ends its thickness)
  | { make: "rod" | "disc" | "box" | "cylinder" | "sphere" | "polygon" | "capsule" }
  // click body a (or the ground), then b; ghost line and gap shown on the way
  | { make: "joint" | "force"; kind: string; bodies: 1 | 2 };

/** What a tool made: world points; "ground" is the name of the world. */
export type Made =
  | { make: "rod"; from: Vec; to: Vec }
  | { make: "cylinder" | "capsule"; from: Vec; to: Vec; radius: number }
  | { make: "disc"; centre: Vec; radius: number; normal: Vec; thickness: number }
  | { make: "sphere"; centre: Vec; radius: number }
  | { make: "box"; centre: Vec; size: Vec }
  // in space: its thickness, and how far its middle is from the polygon
  | { make: "polygon"; points: Vec[]; thickness?: number; offset?: Vec }
  | { make: "joint" | "force"; kind: string; a: string; b: string | null; at_a: Vec; at_b: Vec };

export interface ViewEvents {
  pick(p: Pick): void;
  menu(p: Pick): void;
  hover(name: string | null): void;
  /** Ctrl/Cmd+drag (or a long press of a finger) on a body. */
  grab(body: string, at: Vec): void;
  pull(to: Vec): void;
  release(): void;
  made(m: Made): void;
  /** One line for the status bar, e.g. "Click the second body, or the ground". */
  hint(text: string): void;
}

export interface ViewOptions {
  dark: boolean;
  joints: boolean;
  frames: boolean;
  grid: boolean;
  shadows: boolean;
  labels: boolean;
  snap: boolean;
  trails: string[];
}

/** The drawn spring of the mouse, with its force in N. */
export type Hand = { from: Vec; to: Vec; force: number };

export type StandardView = "front" | "right" | "top" | "iso";

export type Stats = { frames: number; last: number; packets: number };

export type { SceneMessage };
