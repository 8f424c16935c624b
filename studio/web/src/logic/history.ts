// The bar over the history: times to places and back, and marks that would lie on top of each other.

import type { Mark } from "../protocol";

export interface Cluster {
  time: number;
  place: number; // 0 … 1 along the bar
  marks: Mark[];
}

/** Where a time lies between start and end, 0 … 1. */
export function placeOf(time: number, start: number, end: number): number {
  if (end <= start) return 1;
  return Math.min(1, Math.max(0, (time - start) / (end - start)));
}

export function timeAt(place: number, start: number, end: number): number {
  return start + Math.min(1, Math.max(0, place)) * (end - start);
}

/** Marks by place, those nearer than `apart` (as a part of the bar) together. */
export function clusters(marks: readonly Mark[], start: number, end: number, apart: number): Cluster[] {
  const found: Cluster[] = [];
  for (const mark of [...marks].sort((a, b) => a.time - b.time)) {
    const place = placeOf(mark.time, start, end);
    const last = found[found.length - 1];
    if (last && place - last.place < apart) last.marks.push(mark);
    else found.push({ time: mark.time, place, marks: [mark] });
  }
  return found;
}

/** How far a press of an arrow key goes in the history. */
export function stride(start: number, end: number): number {
  return Math.max(1 / 60, (end - start) / 200);
}
