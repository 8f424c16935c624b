// Where a wheel touches what it rolls on. Pure.
import type { Vector3 } from "three";

/**
 * The lowest point of the rim of a disc (its centre, its unit axle) that touches the plane through a point with a unit normal. In the disc
 * it lies along −(n − (n·e) e), and the plane says how far: no radius is needed.
 */
export function contact(on: Vector3, normal: Vector3, centre: Vector3, axle: Vector3, out: Vector3): Vector3 {
  const height = normal.dot(centre) - normal.dot(on);
  const lean = normal.dot(axle);
  const share = 1 - lean * lean; // (n·m) of m = n − (n·e) e
  if (share < 1e-9) return out.copy(centre).addScaledVector(normal, -height);
  return out.copy(centre).addScaledVector(normal, -height / share).addScaledVector(axle, (height * lean) / share);
}
