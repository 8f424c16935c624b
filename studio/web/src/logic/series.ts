// What the plots show: samples of quantities over time, as they come in.

import type { Series } from "../protocol";

export const EMPTY: Series = { t: [], values: {} };

/** Samples behind others. Quantities that are missing in one of both are empty there. */
export function appended(series: Series, more: Series): Series {
  const { t, values } = series;
  const names = new Set([...Object.keys(values), ...Object.keys(more.values)]);
  const joined: Series["values"] = {};
  for (const name of names) {
    joined[name] = (values[name] ?? blank(t.length)).concat(more.values[name] ?? blank(more.t.length));
  }
  return { t: t.concat(more.t), values: joined };
}

function blank(length: number): null[] {
  return new Array<null>(length).fill(null);
}

/** The last sample at or before a time. */
export function indexAt(t: readonly number[], time: number): number {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Comma-separated values with a header, time first. */
export function csv(series: Series, quantities: readonly string[]): string {
  const quoted = (name: string) => (/[",\n]/.test(name) ? `"${name.replace(/"/g, '""')}"` : name);
  const rows = [["t", ...quantities.map(quoted)].join(",")];
  series.t.forEach((t, i) => rows.push([t, ...quantities.map((q) => series.values[q]?.[i] ?? "")].join(",")));
  return rows.join("\n") + "\n";
}
