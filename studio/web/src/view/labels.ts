// Words at places of the scene. Elements are kept and moved, and touched only where something has changed.
import { Vector3 } from "three";

export type LabelKind = "name" | "selected" | "quiet" | "measure" | "hand" | "function";

type Label = { element: HTMLElement; text: string; kind: string; x: number; y: number; used: boolean; shown: boolean };

export class Labels {
  private labels = new Map<string, Label>();
  private marker = document.createElement("div");
  private point = new Vector3();

  constructor(
    private box: HTMLElement,
    /** Pixels of the box of a world point; null behind the eye. */
    private project: (p: Vector3) => { x: number; y: number } | null,
  ) {
    this.marker.className = "view-snap";
    this.marker.hidden = true;
    box.append(this.marker);
  }

  begin(): void {
    for (const label of this.labels.values()) label.used = false;
  }

  put(key: string, text: string, kind: LabelKind, at: Vector3, dx = 10, dy = -22): void {
    const pixel = this.project(at);
    if (!pixel) return;
    let label = this.labels.get(key);
    if (!label) {
      const element = document.createElement("div");
      element.className = "view-label";
      this.box.append(element);
      label = { element, text: "", kind: "", x: NaN, y: NaN, used: true, shown: true };
      this.labels.set(key, label);
    }
    label.used = true;
    if (!label.shown) label.element.hidden = !(label.shown = true);
    if (label.text !== text) label.element.textContent = label.text = text;
    if (label.kind !== kind) label.element.dataset.kind = label.kind = kind;
    const x = Math.round(pixel.x + dx);
    const y = Math.round(pixel.y + dy);
    if (x !== label.x || y !== label.y) label.element.style.transform = `translate(${(label.x = x)}px, ${(label.y = y)}px)`;
  }

  end(): void {
    for (const [key, label] of this.labels)
      if (!label.used && label.shown) {
        label.element.hidden = true;
        label.shown = false;
      } else if (!label.used && this.labels.size > 200) {
        label.element.remove();
        this.labels.delete(key);
      }
  }

  snap(at: readonly [number, number, number] | null, kind: "place" | "grid"): void {
    const pixel = at && this.project(this.point.fromArray(at));
    this.marker.hidden = !pixel;
    if (!pixel) return;
    this.marker.dataset.kind = kind;
    this.marker.style.transform = `translate(${pixel.x}px, ${pixel.y}px)`;
  }

  dispose(): void {
    this.box.replaceChildren();
  }
}
