// Colours of the picture, light and dark. The accent is the page's own (--accent), so that there is one only.
import { Color } from "three";

export type Palette = {
  sky: [string, string]; // top and bottom of the background
  flat: string; // background of planar mechanisms
  grid: Color;
  ink: Color; // symbols of joints
  paper: Color; // what is inside of symbols
  metal: Color; // springs and dampers
  accent: Color;
  hover: Color;
  force: Color;
  velocity: Color;
  motor: Color;
  warn: Color;
  bad: Color;
  lines: number; // how much darker (or lighter) than its fill an outline is
};

export function palette(dark: boolean, box: HTMLElement): Palette {
  const accent = new Color(accentOf(box) ?? (dark ? "#6ea0ff" : "#2f6fed"));
  const common = { accent, hover: accent.clone().lerp(new Color(dark ? "#ffffff" : "#ffffff"), 0.35) };
  return dark
    ? {
        ...common,
        sky: ["#23272e", "#16181c"],
        flat: "#1a1d21",
        grid: new Color("#8b95a5"),
        ink: new Color("#d5dbe5"),
        paper: new Color("#23272e"),
        metal: new Color("#828d9d"),
        force: new Color("#ff8a5c"),
        velocity: new Color("#3ecfa0"),
        motor: new Color("#b794f6"),
        warn: new Color("#f5b83d"),
        bad: new Color("#ff6b6b"),
        lines: 0.14,
      }
    : {
        ...common,
        sky: ["#fbfcfd", "#e6eaef"],
        flat: "#fafbfc",
        grid: new Color("#5b6675"),
        ink: new Color("#2b3340"),
        paper: new Color("#ffffff"),
        metal: new Color("#76828f"),
        force: new Color("#e2552b"),
        velocity: new Color("#0f9f73"),
        motor: new Color("#7c4ddb"),
        warn: new Color("#d98a00"),
        bad: new Color("#d92d2d"),
        lines: -0.35,
      };
}

/** The page's accent if three can read it. */
function accentOf(box: HTMLElement): string | null {
  const text = getComputedStyle(box).getPropertyValue("--accent").trim();
  return /^#[0-9a-f]{3,8}$|^rgb\(|^hsl\(/i.test(text) ? text : null;
}

/** A colour moved towards black (negative) or white (positive). */
export function shade(color: Color, amount: number): Color {
  return color.clone().lerp(amount < 0 ? new Color(0x000000) : new Color(0xffffff), Math.abs(amount));
}
