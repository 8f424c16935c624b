// The corner of the picture: the compass with the pull of gravity, the scale of the grid, the scales of arrows.
import type { Vector3 } from "three";
import type { Arrows } from "./arrows";
import { AXES } from "./frames";
import type { Rig } from "./rig";
import { quantity } from "./scale";

const SVG = "http://www.w3.org/2000/svg";

export class Hud {
  private corner = document.createElement("div");
  private compass = document.createElementNS(SVG, "svg");
  private axes: { line: SVGLineElement; tip: SVGGElement; direction: [number, number, number] }[] = [];
  private pull: { group: SVGGElement; line: SVGLineElement; head: SVGPathElement; text: SVGTextElement };
  private bar = div("view-bar");
  private scale = document.createElement("span");
  private legends: Record<"force" | "velocity", { row: HTMLElement; arrow: HTMLElement; text: HTMLElement }>;

  constructor(box: HTMLElement, look: (direction: [number, number, number]) => void) {
    this.corner.className = "view-corner";
    this.compass.setAttribute("class", "view-compass");
    this.compass.setAttribute("viewBox", "-36 -36 72 72");
    this.compass.setAttribute("aria-hidden", "true");
    this.pull = this.gravity();
    ["x", "y", "z"].forEach((name, i) => this.axis(name, i, look));
    const scale = div("view-scale");
    scale.append(this.scale, this.bar);
    const legends = div("view-legends");
    this.legends = { force: legend(legends), velocity: legend(legends) };
    this.corner.append(this.compass, scale, legends);
    box.append(this.corner);
  }

  private axis(name: string, i: number, look: (direction: [number, number, number]) => void): void {
    const color = `#${AXES[i]!.getHexString()}`;
    const line = svg("line", { stroke: color, "stroke-width": "2", "stroke-linecap": "round" });
    const tip = svg("g", { class: "tip" });
    const text = svg("text", {});
    text.textContent = name;
    tip.append(svg("circle", { r: "7.5", fill: color }), text);
    const direction: [number, number, number] = [0, 0, 0];
    direction[i] = 1;
    tip.addEventListener("click", () => look(direction));
    this.compass.append(line, tip);
    this.axes.push({ line, tip, direction });
  }

  private gravity(): typeof this.pull {
    const group = svg("g", { class: "pull" });
    const line = svg("line", { stroke: "currentColor", "stroke-width": "1.5", "stroke-dasharray": "2 2" });
    const head = svg("path", { d: "M0 0 -3.4 -6.5 3.4 -6.5Z", fill: "currentColor" });
    const text = svg("text", {});
    text.textContent = "g";
    group.append(line, head, text);
    this.compass.append(group);
    return { group, line, head, text };
  }

  /** Turns with the camera. */
  turn(rig: Rig, gravity: Vector3, planar: boolean): void {
    const order = this.axes.map((axis) => {
      const [x, y, z] = axis.direction;
      const at = (v: Vector3) => x * v.x + y * v.y + z * v.z;
      const [px, py, depth] = [25 * at(rig.right), -25 * at(rig.upward), at(rig.toEye)];
      axis.line.setAttribute("x2", px.toFixed(1));
      axis.line.setAttribute("y2", py.toFixed(1));
      axis.tip.setAttribute("transform", `translate(${px.toFixed(1)} ${py.toFixed(1)})`);
      const hidden = planar && axis.direction[2] === 1;
      axis.line.style.display = axis.tip.style.display = hidden ? "none" : "";
      axis.tip.style.opacity = depth < -0.2 ? "0.55" : "1";
      return { axis, depth };
    });
    order.sort((a, b) => a.depth - b.depth);
    this.compass.append(...order.flatMap(({ axis }) => [axis.line, axis.tip]));
    const size = gravity.length();
    this.pull.group.style.display = size > 0 ? "" : "none";
    if (size === 0) return;
    const [gx, gy] = [gravity.dot(rig.right) / size, -gravity.dot(rig.upward) / size];
    const long = Math.hypot(gx, gy);
    const tip = [32 * gx, 32 * gy] as const;
    this.pull.line.setAttribute("x2", (tip[0] * 0.85).toFixed(1));
    this.pull.line.setAttribute("y2", (tip[1] * 0.85).toFixed(1));
    this.pull.head.setAttribute("transform", `translate(${tip[0].toFixed(1)} ${tip[1].toFixed(1)}) rotate(${((Math.atan2(gy, gx) * 180) / Math.PI - 90).toFixed(1)})`);
    this.pull.head.style.display = long > 0.2 ? "" : "none";
    this.pull.text.setAttribute("x", (tip[0] * 0.8 + 9).toFixed(1));
    this.pull.text.setAttribute("y", (tip[1] * 0.9).toFixed(1));
  }

  measure(step: number, pixel: number): void {
    const text = quantity(step, "m");
    if (this.scale.textContent !== text) this.scale.textContent = text;
    this.bar.style.width = `${Math.round(step / pixel)}px`;
  }

  arrows(arrows: Arrows, force: string, velocity: string): void {
    for (const [kind, unit, color] of [["force", "N", force], ["velocity", "m/s", velocity]] as const) {
      const { row, arrow, text } = this.legends[kind];
      row.hidden = !arrows.has(kind === "velocity");
      row.style.display = row.hidden ? "none" : "";
      row.style.color = color;
      arrow.style.width = `${arrows.length() * 0.5}px`;
      text.textContent = quantity(arrows[kind].full / 2, unit);
    }
  }
}

function div(className: string): HTMLElement {
  const element = document.createElement("div");
  element.className = className;
  return element;
}

function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string>): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function legend(box: HTMLElement): { row: HTMLElement; arrow: HTMLElement; text: HTMLElement } {
  const row = div("view-legend");
  const arrow = document.createElement("i");
  const text = document.createElement("span");
  row.append(arrow, text);
  row.style.display = "none";
  box.append(row);
  return { row, arrow, text };
}
