// Chooses a quantity with one click: components on the left, what can be measured of them on the right.

import { useEffect, useRef, useState } from "preact/hooks";

import * as act from "../actions";
import { readable } from "../logic/format";
import { whatIs } from "../logic/tree";
import type { Quantity } from "../protocol";
import * as store from "../store";
import { IconButton } from "./parts";

let last = ""; // the component that was looked at last: the next quantity is often one of the same

export function QuantityPicker({ axis, choose, close }: { axis: "x" | "y"; choose(quantity: Quantity | null): void; close(): void }) {
  const [name, setName] = useState(() => store.selected.value.only ?? (store.scene.value && whatIs(store.scene.value, last) ? last : ""));
  const [filter, setFilter] = useState("");
  const [found, setFound] = useState<Quantity[]>([]);
  const [error, setError] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let there = true;
    last = name;
    act.quantities(name).then(
      (list) => there && (setFound(list), setError(null)),
      (refusal: unknown) => there && (setFound([]), setError(refusal instanceof Error ? refusal.message : String(refusal))),
    );
    return () => void (there = false);
  }, [name]);
  useEffect(() => {
    box.current?.querySelector<HTMLInputElement>("input")?.focus();
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) close();
    };
    window.addEventListener("pointerdown", outside, true);
    return () => window.removeEventListener("pointerdown", outside, true);
  }, []);
  const scene = store.scene.value;
  const wanted = filter.toLowerCase();
  const names = scene ? [...scene.bodies, ...scene.joints.filter((joint) => !/^(lock|fix) /.test(joint.name)), ...scene.forces, ...scene.frames].map((item) => item.name) : [];
  const shownNames = names.filter((other) => other.toLowerCase().includes(wanted));
  const matching = found.filter((quantity) => `${quantity.label} ${quantity.quantity}`.toLowerCase().includes(wanted));
  const shown = matching.length > 0 ? matching : found; // the filter may have been for the names
  return (
    <div class="picker" role="dialog" aria-label="Choose a quantity" ref={box} data-testid="picker" onKeyDown={(event) => event.key === "Escape" && (event.stopPropagation(), close())}>
      <header>
        <input type="search" placeholder={axis === "x" ? "Quantity of the horizontal axis" : "Component or quantity"} aria-label="Filter quantities" data-testid="picker.filter" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        <IconButton icon="close" size={16} class="small" title="Close" onClick={close} />
      </header>
      <div class="picker-columns">
        <ul role="listbox" aria-label="Components">
          {axis === "x" && <li><button type="button" data-testid="picker.time" onClick={() => choose(null)}>Time</button></li>}
          <li><button type="button" role="option" aria-selected={name === ""} data-testid="picker.whole" onClick={() => setName("")}>Whole mechanism</button></li>
          {shownNames.map((other) => <li key={other}><button type="button" role="option" aria-selected={name === other} data-testid={`picker.${other}`} onClick={() => setName(other)}>{other}</button></li>)}
        </ul>
        <ul aria-label="Quantities">
          {error && <li class="error">{error}</li>}
          {shown.map((quantity) => (
            <li key={quantity.quantity}>
              <button type="button" title={quantity.quantity} data-testid={`quantity.${quantity.quantity}`} onClick={() => choose(quantity)}>
                {readable(quantity.label)}<span class="unit">{quantity.unit}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
