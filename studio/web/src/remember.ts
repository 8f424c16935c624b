// Looks of the page that outlive a reload: theme, panels, their sizes. Never anything of the mechanism.

import { effect, type Signal } from "@preact/signals";

import { drawerOpen, leftOpen, rightOpen, theme, viewOptions } from "./store";

const PREFIX = "bielle-studio.";

export function recalled<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise; // storage is refused, or holds something else
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // storage is refused: then the page begins with its defaults next time
  }
}

function bind<T>(key: string, state: Signal<T>): void {
  state.value = recalled(key, state.value);
  effect(() => remember(key, state.value));
}

export function rememberLooks(): void {
  bind("theme", theme);
  bind("left", leftOpen);
  bind("right", rightOpen);
  bind("drawer", drawerOpen);
  const { joints, frames, grid, shadows, labels, snap } = recalled("view", viewOptions.value);
  viewOptions.value = { ...viewOptions.value, joints, frames, grid, shadows, labels, snap };
  effect(() => remember("view", viewOptions.value));
}
