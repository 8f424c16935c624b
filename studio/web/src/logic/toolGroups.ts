// Kinds of joints and forces in families, as people look for them.

import type { ConnectionKind, HelloMessage } from "../protocol";

export interface ToolGroup {
  id: string;
  title: string;
  icon: string;
  make: "joint" | "force";
  kinds: ConnectionKind[];
}

const FAMILIES: { id: string; title: string; icon: string; make: "joint" | "force"; types: RegExp }[] = [
  { id: "hinges", title: "Hinges and balls", icon: "hinge", make: "joint", types: /^(pin|revolute|spherical|universal)$/ },
  { id: "slides", title: "Slides and slots", icon: "slide", make: "joint", types: /^(slider|pin_in_slot|prismatic|cylindrical|planar|point_on_line|point_on_plane)$/ },
  { id: "welds", title: "Welds and rods", icon: "weld", make: "joint", types: /^(rigid|fixed|distance)$/ },
  { id: "couplings", title: "Gears, screws and wheels", icon: "coupling", make: "joint", types: /^(gear|rotor|helical|rolling_.*|knife_edge|velocity_relation)$/ },
  { id: "imposed", title: "Imposed motions", icon: "imposed", make: "joint", types: /^imposed_/ },
  { id: "joints", title: "Other joints", icon: "joint", make: "joint", types: /./ },
  { id: "springs", title: "Springs and dampers", icon: "spring", make: "force", types: /spring|damp/ },
  { id: "motors", title: "Motors", icon: "motor", make: "force", types: /motor/ },
  { id: "loads", title: "Loads", icon: "load", make: "force", types: /^(point_force|torque|gravity.*)$/ },
  { id: "limits", title: "Contacts, stops and friction", icon: "limit", make: "force", types: /limit|contact|friction/ },
  { id: "forces", title: "Other forces", icon: "force", make: "force", types: /./ },
];

/** Not drawn by hand: the hand itself, functions of Python, and matrices. */
const HIDDEN = new Set(["grab", "callable_force", "velocity_relation"]);

/** Families with the kinds that go with the mechanism; each kind in the first family it fits. */
export function toolGroups(hello: Pick<HelloMessage, "joints" | "forces"> | null, planar: boolean): ToolGroup[] {
  if (!hello) return [];
  const left = {
    joint: hello.joints.filter((kind) => !HIDDEN.has(kind.type) && (planar ? kind.planar : kind.spatial)),
    force: hello.forces.filter((kind) => !HIDDEN.has(kind.type) && (planar ? kind.planar : kind.spatial)),
  };
  return FAMILIES.map(({ types, ...family }) => {
    const kinds = left[family.make].filter((kind) => types.test(kind.type));
    left[family.make] = left[family.make].filter((kind) => !types.test(kind.type));
    return { ...family, kinds };
  }).filter((family) => family.kinds.length > 0);
}
