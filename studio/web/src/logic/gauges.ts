// How good the numbers are: green, amber or red.

export type Grade = "good" | "fair" | "poor" | "unknown";

/** Relative thresholds between good, fair and poor. */
export const ENERGY_LIMITS: [number, number] = [1e-6, 1e-3];
export const GAP_LIMITS: [number, number] = [1e-9, 1e-6];

export function grade(value: number | null | undefined, [fair, poor]: [number, number]): Grade {
  if (value === null || value === undefined || Number.isNaN(value)) return "unknown";
  const size = Math.abs(value);
  return size <= fair ? "good" : size <= poor ? "fair" : "poor";
}

/** Whether the run falls behind the speed that was asked for. */
export function fallsBehind(running: boolean, wanted: number, achieved: number | null): boolean {
  return running && achieved !== null && achieved > 0 && achieved < 0.9 * wanted;
}

/** The length of a mechanism, by which gaps are judged. */
export function extent(bounds: [readonly number[], readonly number[]]): number {
  return Math.hypot(...bounds[1].map((high, i) => high - bounds[0][i]!)) || 1;
}
