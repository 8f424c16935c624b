// The room that a mechanism needs when it moves, as far as that is plain: what hangs from one pivot swings about it.
import type { SceneJoint, SceneMessage, Vec3 } from "../protocol";

const FREE = new Set(["spherical", "universal"]);
/** Kinds that hold on to joints, not to the ground. */
export const COUPLING = new Set(["gear", "rotor"]);
const HINGES = new Set(["pin", "revolute"]);

/** Opposite corners: those of the scene, and as far from its only pivot on the ground as it reaches; against gravity nothing is added. */
export function sweep(scene: Pick<SceneMessage, "bounds" | "joints" | "gravity">): [Vec3, Vec3] {
  const [low, high] = scene.bounds.map((corner) => corner.map((x) => (Number.isFinite(x) ? x : 0))) as [Vec3, Vec3];
  const grounded = scene.joints.filter((joint) => !joint.unseen && !COUPLING.has(joint.kind) && (joint.a === "ground" || joint.b === "ground"));
  const [pivot] = grounded;
  if (grounded.length !== 1 || !pivot || !(FREE.has(pivot.kind) || HINGES.has(pivot.kind))) return [low, high];
  const [at, axis] = onGround(pivot);
  const pull = Math.max(...scene.gravity.map(Math.abs));
  // nothing moves along a hinge, nor out of a plane
  const moves = [0, 1, 2].filter((i) => !(HINGES.has(pivot.kind) && axis && Math.abs(axis[i]!) > 0.9));
  const reach = Math.hypot(...moves.map((i) => Math.max(Math.abs(high[i]! - at[i]!), Math.abs(low[i]! - at[i]!))));
  for (const i of moves) {
    const falls = pull > 0 && Math.abs(scene.gravity[i]!) > 0.5 * pull ? Math.sign(scene.gravity[i]!) : 0;
    if (falls <= 0) low[i] = Math.min(low[i]!, at[i]! - reach);
    if (falls >= 0) high[i] = Math.max(high[i]!, at[i]! + reach);
  }
  return [low, high];
}

function onGround(joint: SceneJoint): [Vec3, Vec3 | null] {
  return joint.a === "ground" ? [joint.point_a, joint.axis_a] : [joint.point_b, joint.axis_b];
}
