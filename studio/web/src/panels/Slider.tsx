// A slider bound to a number: what it is dragged to takes effect on the way, and is one step to undo.

import { useEffect, useRef, useState } from "preact/hooks";

import { formatNumber } from "../logic/format";
import { scale, type Spacing } from "../logic/sliders";
import { toggled } from "../logic/selection";
import { newestWins } from "../session";
import * as store from "../store";
import { IconButton } from "./parts";

interface SliderProps {
  label: string;
  testid: string;
  value: number;
  min?: number | null;
  max?: number | null;
  spacing?: Spacing;
  send(value: number): Promise<unknown>;
}

const FINE = 400; // places of a slider

export function Slider({ label, testid, value, min = null, max = null, spacing = "even", send }: SliderProps) {
  const [at, setAt] = useState(() => scale(value, min, max, spacing));
  const [held, setHeld] = useState<number | null>(null);
  const sender = useRef(send);
  const push = useRef(newestWins((x: number) => sender.current(x)));
  sender.current = send;
  const within = value >= at.low && value <= at.high;
  useEffect(() => {
    if (held === null && !within) setAt(scale(value, min, max, spacing));
  }, [held, within]);
  return (
    <div class="slider">
      <span>{formatNumber(at.low, 3)}</span>
      <input
        type="range"
        min={0}
        max={1}
        step={spacing === "whole" ? 1 / (at.high - at.low) : 1 / FINE}
        value={at.place(held ?? value)}
        aria-label={label}
        aria-valuetext={formatNumber(held ?? value)}
        data-testid={testid}
        onInput={(event) => {
          const x = at.value(Number(event.currentTarget.value));
          setHeld(x);
          push.current(x);
        }}
        onChange={() => {
          setHeld(null);
          setAt(scale(held ?? value, min, max, spacing));
        }}
      />
      <span>{formatNumber(at.high, 3)}</span>
    </div>
  );
}

/** The small button that turns a number into a slider and back; `id` names the number among all of the page. */
export function SliderToggle({ id, label, testid }: { id: string; label: string; testid: string }) {
  return <IconButton icon="slider" size={16} class="small" title={`Slider for ${label}`} testid={testid} pressed={store.sliders.value.has(id)} onClick={() => (store.sliders.value = toggled(store.sliders.value, id))} />;
}
