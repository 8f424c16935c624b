// Round numbers of scales, and their words.

/** The smallest of 1, 2, 5 · 10^k that is not below a positive number. */
export function stepAbove(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) return 1;
  const decade = 10 ** Math.floor(Math.log10(least));
  for (const digit of [1, 2, 5]) if (digit * decade >= least * (1 - 1e-9)) return round(digit * decade);
  return round(10 * decade);
}

/** The parts of a step that are lines of their own: fifths of 1 and 5, quarters of 2. */
export function divisions(step: number): number {
  return Math.round(step / 10 ** Math.floor(Math.log10(step) + 1e-9)) === 2 ? 4 : 5;
}

function round(x: number): number {
  return Number(x.toPrecision(12));
}

const PREFIXES: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

/** A quantity in words, e.g. "0.5 m", "20 mm", "1.25 kN"; `digits` that count. */
export function quantity(value: number, unit: string, digits = 3): string {
  const size = Math.abs(value);
  if (!(size > 0) || !Number.isFinite(size)) return `0 ${unit}`;
  // 0.1 and more stay in the unit itself: "0.5 m" reads better than "500 mm"
  const found = size >= 0.1 && size < 1 ? [1, ""] as const : (PREFIXES.find(([factor]) => size >= factor * (1 - 1e-9)) ?? PREFIXES.at(-1)!);
  return `${Number((value / found[0]).toPrecision(digits))} ${found[1]}${unit}`;
}
