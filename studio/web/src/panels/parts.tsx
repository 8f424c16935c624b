// Small parts that every panel uses.

import type { ComponentChildren, TargetedKeyboardEvent, TargetedPointerEvent } from "preact";
import { useRef } from "preact/hooks";

import { command, isEnabled } from "../commands";
import { Icon, type IconName } from "../icons";
import { shown } from "../logic/keys";

const mac = typeof navigator !== "undefined" && /Mac|iP(hone|ad)/.test(navigator.userAgent);

export function keysOf(keys: string[] | undefined): string {
  return keys?.[0] ? shown(keys[0], mac) : "";
}

/** A button of a command: icon, tooltip with shortcut, pressed if it is on. */
export function CommandButton({ id, icon, title, label, testid = id, class: more = "" }: { id: string; icon?: IconName; title?: string; label?: string; testid?: string; class?: string }) {
  const item = command(id);
  const keys = keysOf(item.keys);
  const detail = item.detail?.();
  const name = title ?? item.title;
  return (
    <button
      type="button"
      class={`button ${label ? "" : "square"} ${more}`}
      data-testid={testid}
      title={`${name}${detail ? `: ${detail}` : ""}${keys ? `  (${keys})` : ""}`}
      aria-label={name}
      aria-pressed={item.checked ? item.checked() : undefined}
      disabled={!isEnabled(item)}
      onClick={() => item.run()}
    >
      {(icon ?? item.icon) && <Icon name={(icon ?? item.icon)!} />}
      {label && <span>{label}</span>}
    </button>
  );
}

export function IconButton(props: { icon: IconName; title: string; testid?: string; pressed?: boolean; disabled?: boolean; size?: number; class?: string; onClick(event: MouseEvent): void }) {
  return (
    <button
      type="button"
      class={`button square ${props.class ?? ""}`}
      title={props.title}
      aria-label={props.title}
      aria-pressed={props.pressed}
      disabled={props.disabled}
      data-testid={props.testid}
      onClick={props.onClick}
    >
      <Icon name={props.icon} size={props.size ?? 20} />
    </button>
  );
}

/** The border between two panels; drag it, or use the arrow keys. */
export function Splitter(props: { axis: "x" | "y"; value: number; min: number; max: number; sign: 1 | -1; label: string; onChange(value: number): void }) {
  const start = useRef({ pointer: 0, value: 0 });
  const clamp = (value: number) => props.onChange(Math.round(Math.min(props.max, Math.max(props.min, value))));
  const place = (event: PointerEvent) => (props.axis === "x" ? event.clientX : event.clientY);
  return (
    <div
      class={`splitter ${props.axis}`}
      role="separator"
      tabIndex={0}
      aria-label={props.label}
      aria-orientation={props.axis === "x" ? "vertical" : "horizontal"}
      aria-valuenow={props.value}
      aria-valuemin={props.min}
      aria-valuemax={props.max}
      onPointerDown={(event: TargetedPointerEvent<HTMLDivElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { pointer: place(event), value: props.value };
      }}
      onPointerMove={(event: TargetedPointerEvent<HTMLDivElement>) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) clamp(start.current.value + props.sign * (place(event) - start.current.pointer));
      }}
      onKeyDown={(event: TargetedKeyboardEvent<HTMLDivElement>) => {
        const direction = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
        if (!direction) return;
        event.preventDefault();
        event.stopPropagation();
        clamp(props.value + props.sign * direction * 16);
      }}
    />
  );
}

export function Empty({ icon, children }: { icon: IconName; children: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} size={28} />
      <p>{children}</p>
    </div>
  );
}
