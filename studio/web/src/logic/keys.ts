// Shortcuts: "Ctrl+Shift+Z", "Space", "ArrowRight", "?". Ctrl stands for Cmd on a Mac.

export interface Stroke {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/** How a stroke is written in the table of commands. */
export function written(stroke: Stroke): string {
  const key = stroke.key === " " ? "Space" : stroke.key.length === 1 ? stroke.key.toUpperCase() : stroke.key;
  const letter = /^[A-Z]$/.test(key) || key.length > 1; // the shift of "?" is part of the sign
  return [stroke.ctrlKey || stroke.metaKey ? "Ctrl" : "", stroke.altKey ? "Alt" : "", stroke.shiftKey && letter ? "Shift" : "", key].filter(Boolean).join("+");
}

const SIGNS: Record<string, string> = { ArrowRight: "→", ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓", Backspace: "⌫", Escape: "Esc", Delete: "Del", Space: "Space" };

/** For people. */
export function shown(keys: string, mac = false): string {
  return keys
    .split("+")
    .map((key) => SIGNS[key] ?? (mac && key === "Ctrl" ? "⌘" : mac && key === "Shift" ? "⇧" : key))
    .join(mac ? "" : "+");
}

/** Whether an element wants a key for itself: fields all of them, sliders those that move them, buttons those that press them. */
export function takesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  const presses = key === " " || key === "Enter";
  if (target instanceof HTMLInputElement) {
    if (target.type === "range") return /^(Arrow|Page|Home|End)/.test(key);
    return ["checkbox", "radio", "button", "color"].includes(target.type) ? presses : true;
  }
  return presses && target.matches("button, summary, a");
}
