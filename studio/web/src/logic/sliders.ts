// The range of a slider around a value.

/** From nothing to twice the value, within what is allowed; around zero one unit either way. */
export function sliderRange(value: number, min: number | null, max: number | null): [number, number] {
  const size = value === 0 ? 1 : 2 * Math.abs(value);
  let low = value > 0 ? 0 : -size;
  let high = value < 0 ? 0 : size;
  if (min !== null) low = Math.max(low, min);
  if (max !== null) high = Math.min(high, max);
  return high > low ? [low, high] : [value - size, value + size];
}
