// The pointer over the picture: who gets a press, a drag, a click.
import { Vector3 } from "three";
import type { Body } from "./bodies";
import type { Picking, Found } from "./picking";
import type { Rig } from "./rig";
import type { Tools } from "./tools";
import type { Pick, Vec, ViewEvents } from "./types";
import type { World } from "./world";

const CLICK = 5; // pixels a click may move
const LONG = 450; // ms of a finger that holds on
const STILL = 10; // pixels that a finger moves which holds still

export interface Desk {
  canvas: HTMLCanvasElement;
  world: World;
  rig: Rig;
  picking: Picking;
  tools: Tools;
  on: ViewEvents;
  find(x: number, y: number): Found | null;
  hover(found: Found | null): void;
  /** The hand of this page: drawn at once, before the server knows. */
  hand(body: Body | null, local: Vector3, to: Vector3): void;
  redraw(): void;
}

/** held: a finger rests; if it moves it pulls what is below, if it goes it has asked for the menu. */
type Mode = "idle" | "press" | "held" | "orbit" | "pan" | "grab" | "tool" | "pinch";

export class Pointer {
  private mode: Mode = "idle";
  private button = 0;
  private startX = 0;
  private startY = 0;
  private lastX = 0;
  private lastY = 0;
  private fingers = new Map<number, { x: number; y: number }>();
  private spread = 0;
  private local = new Vector3();
  private to = new Vector3();
  private anchor = new Vector3();
  private long = 0;
  private inside: { x: number; y: number } | null = null;
  private looked = true;
  private pulled = true;
  private listeners = new AbortController();

  constructor(private desk: Desk) {
    const { canvas } = desk;
    const { signal } = this.listeners;
    const on = <K extends keyof HTMLElementEventMap>(name: K, react: (e: HTMLElementEventMap[K]) => void, passive = true) =>
      canvas.addEventListener(name, react, { signal, passive });
    on("pointerdown", (e) => this.down(e));
    on("pointermove", (e) => this.move(e));
    on("pointerup", (e) => this.up(e));
    on("pointercancel", (e) => this.stop(e));
    on("pointerleave", () => this.leave());
    on("wheel", (e) => this.wheel(e), false);
    on("contextmenu", (e) => e.preventDefault(), false);
    on("dblclick", () => desk.tools.close());
    window.addEventListener("keydown", (e) => this.key(e), { signal, capture: true });
  }

  /** Escape and Enter belong to a drawing that was begun; the page gets them otherwise. */
  private key(e: KeyboardEvent): void {
    if (e.target instanceof HTMLInputElement || e.target instanceof HTMLTextAreaElement || e.target instanceof HTMLSelectElement) return;
    if (e.key === "Escape" && this.desk.tools.cancel()) e.stopPropagation();
    if (e.key === "Enter" && this.desk.tools.tool?.make === "polygon") this.desk.tools.close(true);
  }

  private at(e: MouseEvent): [number, number] {
    const box = this.desk.canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  private down(e: PointerEvent): void {
    const { desk } = this;
    const [x, y] = this.at(e);
    this.fingers.set(e.pointerId, { x, y });
    try {
      desk.canvas.setPointerCapture(e.pointerId);
    } catch {
      // a pointer of a test is not known to the browser
    }
    if (this.fingers.size === 2) return this.pinchStart();
    if (this.fingers.size > 2 || this.mode !== "idle") return;
    [this.startX, this.startY, this.lastX, this.lastY, this.button] = [x, y, x, y, e.button];
    this.mode = "press";
    if (e.button !== 0) return;
    if (desk.tools.tool) {
      this.mode = "tool";
      desk.tools.down(x, y, e.altKey);
    } else if (e.ctrlKey || e.metaKey) this.take(x, y);
    else if (e.pointerType === "touch") this.long = window.setTimeout(() => this.hold(x, y), LONG);
  }

  private move(e: PointerEvent): void {
    const { desk } = this;
    const [x, y] = this.at(e);
    const finger = this.fingers.get(e.pointerId);
    if (finger) [finger.x, finger.y] = [x, y];
    this.inside = { x, y };
    const far = Math.hypot(x - this.startX, y - this.startY) >= CLICK;
    if (this.mode === "held" && Math.hypot(x - this.startX, y - this.startY) >= STILL) {
      this.mode = "press";
      this.take(this.startX, this.startY);
    }
    if (this.mode === "press" && far) {
      window.clearTimeout(this.long);
      const pan = this.button !== 0 || e.shiftKey || desk.world.planar;
      this.mode = pan ? "pan" : "orbit";
      desk.canvas.style.cursor = pan ? "grabbing" : "";
      desk.hover(null);
    }
    const [dx, dy] = [x - this.lastX, y - this.lastY];
    if (this.mode === "orbit") desk.rig.orbit(dx, dy);
    else if (this.mode === "pan") desk.rig.pan(dx, dy);
    else if (this.mode === "grab") this.pull(x, y);
    else if (this.mode === "pinch") this.pinch();
    else if (desk.tools.tool) desk.tools.move(x, y, e.altKey, this.mode === "tool" && far);
    else if (this.mode === "idle" && e.pointerType !== "touch") this.looked = false;
    if (this.mode !== "pinch") [this.lastX, this.lastY] = [x, y];
    desk.redraw();
  }

  private up(e: PointerEvent): void {
    const { desk } = this;
    const [x, y] = this.at(e);
    window.clearTimeout(this.long);
    this.fingers.delete(e.pointerId);
    const mode = this.mode;
    if (mode === "pinch") {
      if (this.fingers.size === 0) this.mode = "idle";
      return;
    }
    this.mode = "idle";
    desk.canvas.style.cursor = "";
    if (mode === "grab") this.release();
    else if (mode === "tool") desk.tools.up(x, y, e.altKey);
    else if (mode === "held") {
      desk.hover(null);
      desk.on.menu(this.pick(e, this.startX, this.startY));
    } else if (mode === "press" && this.button !== 1) {
      const pick = this.pick(e, x, y);
      if (this.button === 2) desk.on.menu(pick);
      else desk.on.pick(pick);
    }
  }

  /** The system took the pointer away. */
  private stop(e: PointerEvent): void {
    window.clearTimeout(this.long);
    this.fingers.delete(e.pointerId);
    if (this.mode === "grab") this.release();
    if (this.mode === "tool") this.desk.tools.cancel();
    this.mode = "idle";
  }

  private leave(): void {
    this.inside = null;
    this.desk.tools.leave();
    if (this.mode === "idle") this.desk.hover(null);
  }

  private pick(e: PointerEvent, x: number, y: number): Pick {
    const { desk } = this;
    const found = desk.find(x, y);
    const point = found?.point ?? this.ground(x, y);
    const what = found ? (found.body ? "body" : found.sign.what) : null;
    const name = found ? (found.body ? found.body.data.name : found.sign.name) : null;
    return { name, what, point: point.toArray(), x: e.clientX, y: e.clientY, shift: e.shiftKey };
  }

  /** The point of the ground (or of the plane) under pixels; facing the eye where the ground is not seen. */
  private ground(x: number, y: number): Vector3 {
    const { picking, world, rig } = this.desk;
    const { ray } = picking.aim(x, y);
    const slope = ray.direction.dot(world.up);
    const t = (world.floor - ray.origin.dot(world.up)) / slope;
    if (Number.isFinite(t) && t > 0 && t < 50 * Math.max(rig.height, world.size) * 10) return ray.direction.clone().multiplyScalar(t).add(ray.origin);
    return rig.facing(ray, rig.target, new Vector3());
  }

  /** A finger has not moved for a while: what it would take or ask about lights up. */
  private hold(x: number, y: number): void {
    if (this.mode !== "press") return;
    this.mode = "held";
    this.desk.hover(this.desk.find(x, y));
    this.desk.redraw();
  }

  // --- the hand ---

  private take(x: number, y: number): void {
    const { desk } = this;
    const found = desk.picking.body(x, y, desk.world.planar) ?? desk.find(x, y);
    if (!found?.body) return;
    this.mode = "grab";
    this.anchor.copy(found.point);
    this.to.copy(found.point);
    found.body.toLocal(found.point, this.local);
    desk.canvas.style.cursor = "grabbing";
    desk.hover(null);
    desk.hand(found.body, this.local, this.to);
    desk.on.grab(found.body.data.name, found.point.toArray());
  }

  private pull(x: number, y: number): void {
    const { picking, rig } = this.desk;
    rig.facing(picking.aim(x, y).ray, this.anchor, this.to);
    if (this.desk.world.planar) this.to.z = 0;
    this.pulled = false;
  }

  private release(): void {
    this.pulled = true;
    this.desk.hand(null, this.local, this.to);
    this.desk.on.release();
  }

  /** Once per picture: not more pulls and looks than can be seen. */
  tick(): void {
    const { desk } = this;
    if (!this.pulled) {
      this.pulled = true;
      desk.on.pull(this.to.toArray() as Vec);
    }
    if (!this.looked && this.inside && this.mode === "idle") {
      this.looked = true;
      desk.hover(desk.find(this.inside.x, this.inside.y));
    }
  }

  // --- zoom ---

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    const [x, y] = this.at(e);
    const lines = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? 18 : 1;
    const pace = e.ctrlKey ? 0.01 : 0.0016; // a pinch of a touchpad comes as small turns with Ctrl
    this.zoom(Math.exp(Math.max(-240, Math.min(240, e.deltaY * lines)) * pace), x, y);
  }

  private zoom(factor: number, x: number, y: number): void {
    const { desk } = this;
    const hit = desk.world.planar ? null : desk.picking.body(x, y, false);
    const ray = desk.picking.aim(x, y).ray;
    desk.rig.zoom(factor, hit ? hit.point : desk.rig.facing(ray, desk.rig.target, new Vector3()));
    desk.redraw();
  }

  private pinchStart(): void {
    window.clearTimeout(this.long);
    if (this.mode === "grab") this.release();
    if (this.mode === "tool") this.desk.tools.cancel();
    this.mode = "pinch";
    this.spread = 0;
    this.pinch();
  }

  private pinch(): void {
    const [a, b] = [...this.fingers.values()];
    if (!a || !b) return;
    const [x, y, spread] = [(a.x + b.x) / 2, (a.y + b.y) / 2, Math.hypot(a.x - b.x, a.y - b.y)];
    if (this.spread > 0) {
      this.desk.rig.pan(x - this.lastX, y - this.lastY);
      this.zoom(this.spread / Math.max(spread, 1), x, y);
    }
    [this.spread, this.lastX, this.lastY] = [spread, x, y];
  }

  dispose(): void {
    window.clearTimeout(this.long);
    this.listeners.abort();
  }
}
