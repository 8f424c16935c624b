// The bar over the whole history: drag to look into the past, marks where something was changed or happened.

import type { TargetedPointerEvent } from "preact";
import { useRef, useState } from "preact/hooks";

import * as act from "../actions";
import { formatTime } from "../logic/format";
import { clusters, placeOf, stride, timeAt } from "../logic/history";
import * as store from "../store";
import { CommandButton } from "./parts";

export function Scrubber() {
  const clock = store.clock.value;
  const past = store.past.value;
  const [held, setHeld] = useState<number | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const [start, end] = [clock?.start ?? 0, clock?.end ?? 0];
  const time = held ?? past ?? clock?.time ?? 0;
  const span = end - start;
  const timeOf = (event: PointerEvent): number => {
    const box = bar.current!.getBoundingClientRect();
    return timeAt((event.clientX - box.left) / box.width, start, end);
  };
  const drag = (event: PointerEvent) => {
    const to = timeOf(event);
    setHeld(to);
    act.look(to >= end - 1e-9 * span ? null : to);
  };
  const found = clusters(store.scene.value?.marks ?? [], start, end, 0.008);
  return (
    <section class={`scrubber ${past !== null ? "past" : ""}`} aria-label="History">
      <output class="now" data-testid="time" aria-label="Time">{formatTime(time, span)}</output>
      <div
        ref={bar}
        class="bar"
        role="slider"
        tabIndex={0}
        aria-label="Time in the history"
        aria-valuemin={start}
        aria-valuemax={end}
        aria-valuenow={time}
        aria-valuetext={formatTime(time, span)}
        data-testid="scrubber"
        onPointerDown={(event: TargetedPointerEvent<HTMLDivElement>) => {
          if (span <= 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          drag(event);
        }}
        onPointerMove={(event: TargetedPointerEvent<HTMLDivElement>) => {
          if (span > 0) setPointed(timeOf(event));
          if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
        }}
        onPointerLeave={() => setPointed(null)}
        onLostPointerCapture={() => setHeld(null)}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10 }[event.key];
          const to = event.key === "Home" ? start : event.key === "End" ? end : by ? time + by * stride(start, end) : null;
          if (to === null) return;
          event.preventDefault();
          event.stopPropagation();
          act.look(to >= end ? null : Math.max(start, to));
        }}
      >
        <div class="rail" />
        <div class="fill" style={{ width: `${100 * placeOf(time, start, end)}%` }} />
        {found.map((cluster) => (
          <span
            key={`${cluster.time} ${cluster.marks.length}`}
            class={`mark ${cluster.marks[0]!.kind}`}
            style={{ left: `${100 * cluster.place}%` }}
            title={cluster.marks.map((mark) => `${formatTime(mark.time, span)}  ${mark.label}`).slice(0, 12).join("\n")}
            data-testid="mark"
          >
            <span class="bubble">
              {cluster.marks.slice(0, 4).map((mark, i) => <span key={i}>{mark.label}</span>)}
              {cluster.marks.length > 4 && <span>and {cluster.marks.length - 4} more</span>}
            </span>
          </span>
        ))}
        <span class="thumb" style={{ left: `${100 * placeOf(time, start, end)}%` }} />
        {pointed !== null && held === null && <span class="pointed" style={{ left: `${100 * placeOf(pointed, start, end)}%` }}>{formatTime(pointed, span)}</span>}
      </div>
      <output class="end" aria-label="End of the history">{formatTime(end, span)}</output>
      {past !== null && (
        <div class="past-actions">
          <CommandButton id="time.branch" label="Go on from here" class="primary" />
          <CommandButton id="time.present" label="Back to the present" class="outlined" />
        </div>
      )}
    </section>
  );
}
