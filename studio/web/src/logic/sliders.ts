// Sliders: the range around a value, and what a place on them means.

/** From nothing to twice the value, within what is allowed; around zero one unit either way. */
export function sliderRange(value: number, min: number | null, max: number | null): [number, number] {
  const size = value === 0 ? 1 : 2 * Math.abs(value);
  let low = value > 0 ? 0 : -size;
  let high = value < 0 ? 0 : size;
  if (min !== null) low = Math.max(low, min);
  if (max !== null) high = Math.min(high, max);
  return high > low ? [low, high] : [value - size, value + size];
}

/** "even": equal ways are equal differences; "whole": of integers; "decades": equal ways are equal ratios, for what is positive and may be tiny. */
export type Spacing = "even" | "whole" | "decades";

export interface Scale {
  low: number; // at its ends, as they are read
  high: number;
  place(value: number): number; // from 0 to 1
  value(place: number): number; // with few digits
}

export function scale(around: number, min: number | null, max: number | null, spacing: Spacing): Scale {
  if (spacing === "decades" && around > 0) {
    const middle = Math.round(Math.log10(around));
    const [low, high] = [10 ** (middle - 2), 10 ** (middle + 2)];
    return {
      low,
      high,
      place: (value) => Math.min(1, Math.max(0, (Math.log10(value) - middle + 2) / 4)),
      value: (place) => Number((10 ** (middle - 2 + 4 * place)).toPrecision(2)),
    };
  }
  const [low, high] = sliderRange(around, min, max);
  const rounded = (value: number) => (spacing === "whole" ? Math.round(value) : Number(value.toPrecision(4)));
  return { low, high, place: (value) => (value - low) / (high - low), value: (place) => rounded(low + place * (high - low)) };
}
