// The tree of components: rows of groups and entries, in the order in which they are shown.

import { formatTime } from "./format";
import type { SceneJoint, SceneMessage } from "../protocol";

export type What = "body" | "joint" | "force" | "frame" | "event";

export interface Entry {
  name: string;
  what: What;
  kind: string;
  detail: string;
  states: string[];
  gone?: boolean; // it broke: it is shown, but nothing can be done with it except to make it again
}

export interface Group {
  what: What;
  title: string;
  entries: Entry[];
}

/** Joints the studio itself makes to hold something; they show as a state of what they hold. */
export function isHelper(name: string): boolean {
  return name.startsWith("lock ") || name.startsWith("fix ");
}

function between(joint: Pick<SceneJoint, "a" | "b">): string {
  return `${joint.a} – ${joint.b}`;
}

/** All components of a scene, by what they are; a filter keeps those whose name, kind or states contain it. */
export function groups(scene: SceneMessage, filter = ""): Group[] {
  const motors = new Set(scene.forces.filter((force) => force.look === "motor" && force.joint).map((force) => force.joint));
  const all: Group[] = [
    {
      what: "body",
      title: "Bodies",
      entries: scene.bodies.map((body) => ({
        name: body.name,
        what: "body",
        kind: body.outline[0]?.kind ?? "point",
        detail: "",
        states: body.fixed ? ["fixed"] : [],
      })),
    },
    {
      what: "joint",
      title: "Joints",
      entries: scene.joints
        .filter((joint) => !isHelper(joint.name))
        .map((joint) => ({
          name: joint.name,
          what: "joint",
          kind: joint.kind,
          detail: between(joint),
          states: motors.has(joint.name) ? [...joint.states, "motor"] : joint.states,
        }) as Entry)
        .concat(
          scene.broken.map((joint) => ({
            name: joint.name,
            what: "joint",
            kind: joint.kind,
            detail: `${between(joint)}, broke at ${formatTime(joint.time)}`,
            states: ["broken"],
            gone: true,
          })),
        ),
    },
    {
      what: "force",
      title: "Forces",
      entries: scene.forces
        .filter((force) => force.look !== "grab")
        .map((force) => ({
          name: force.name,
          what: "force",
          kind: force.kind,
          detail: force.joint ?? [force.a, force.b].filter(Boolean).join(" – "),
          states: force.states,
        })),
    },
    {
      what: "frame",
      title: "Frames and sensors",
      entries: scene.frames.map((frame) => ({ name: frame.name, what: "frame", kind: "frame", detail: frame.body, states: [] })),
    },
    {
      what: "event",
      title: "Events",
      entries: scene.events.map((event) => ({ name: event.name, what: "event", kind: "event", detail: event.text, states: [event.does] })),
    },
  ];
  const wanted = filter.trim().toLowerCase();
  if (wanted) {
    const matches = (entry: Entry) => [entry.name, entry.kind, ...entry.states].some((text) => text.toLowerCase().includes(wanted));
    for (const group of all) group.entries = group.entries.filter(matches);
  }
  return all.filter((group) => group.entries.length > 0);
}

/** What a name is in a scene. */
export function whatIs(scene: SceneMessage | null, name: string): What | null {
  if (!scene) return null;
  const has = (list: { name: string }[]) => list.some((item) => item.name === name);
  if (has(scene.bodies)) return "body";
  if (has(scene.joints)) return "joint";
  if (has(scene.forces)) return "force";
  if (has(scene.frames)) return "frame";
  return has(scene.events) ? "event" : null;
}

export function allNames(scene: SceneMessage): Set<string> {
  return new Set([scene.bodies, scene.joints, scene.forces, scene.frames, scene.events].flatMap((list) => list.map((item) => item.name)));
}
