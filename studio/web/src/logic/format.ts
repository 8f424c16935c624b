// Numbers as people read them.

const MINUS = "\u2212";

/** A number with few digits: 0.12346, 1.5e-7, 12 346. Not a number and infinities are named. */
export function formatNumber(value: number | null, digits = 5): string {
  if (value === null || Number.isNaN(value)) return "—";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size < 1e-4 || size >= 1e6 ? exponential(value, digits) : String(Number(value.toPrecision(digits)));
  return text.replace("-", MINUS).replace("e-", `e${MINUS}`);
}

function exponential(value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  return `${Number(mantissa)}e${Number(exponent)}`;
}

/** A number to be edited: all its digits, but without the noise of binary fractions. */
export function editable(value: unknown): string {
  if (typeof value !== "number") return value === null || value === undefined ? "" : String(value);
  return String(Number(value.toPrecision(12)));
}

const PREFIXES: [number, string][] = [
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

/** A number with its unit; seconds get a prefix, since they span so many decades here. */
export function withUnit(value: number | null, unit: string, digits = 4): string {
  if (value === null) return "—";
  if (unit === "s" && value !== 0 && Math.abs(value) < 1 && Number.isFinite(value)) {
    const [scale, prefix] = PREFIXES.find(([least]) => Math.abs(value) >= 0.9995 * least) ?? PREFIXES[3]!;
    return `${formatNumber(value / scale, digits)} ${prefix}s`;
  }
  return unit ? `${formatNumber(value, digits)} ${unit}` : formatNumber(value, digits);
}

/** Simulated time, with as many decimals as a history of that length needs. */
export function formatTime(time: number, span = 10): string {
  const decimals = span < 1 ? 4 : span < 100 ? 3 : 2;
  return `${time.toFixed(decimals).replace("-", MINUS)} s`;
}

/** ×¼, ×1, ×2.5. */
export function formatFactor(factor: number): string {
  const named: Record<string, string> = { "0.25": "¼", "0.5": "½", "0.75": "¾" };
  return `×${named[String(factor)] ?? formatNumber(factor, 3)}`;
}

/** 1 joint, 2 joints. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** pin_in_slot → Pin in slot. */
export function readable(word: string): string {
  const words = word.replace(/[_-]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A moment on the clock of the reader, from seconds since 1970: the day, unless it is today, and the time. */
export function formatMoment(seconds: number, now = new Date()): string {
  const moment = new Date(1000 * seconds);
  const time = moment.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return moment.toDateString() === now.toDateString() ? `today, ${time}` : `${moment.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" })}, ${time}`;
}
