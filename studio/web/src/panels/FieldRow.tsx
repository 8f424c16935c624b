// One property: label, editor, unit, and the server's sentence if it refuses a value. What was typed stays, so that it can be mended.

import { useRef, useState } from "preact/hooks";

import { selectMade } from "../actions";
import { evaluate } from "../logic/expression";
import { editable, formatNumber } from "../logic/format";
import type { Field } from "../protocol";
import { ask } from "../session";
import * as store from "../store";
import { Slider, SliderToggle } from "./Slider";

type Send = (value: unknown) => Promise<boolean>;

export function FieldRow({ name, field }: { name: string; field: Field }) {
  const [error, setError] = useState<string | null>(null);
  const id = `field-${field.key}`;
  const send: Send = async (value) => {
    try {
      const before = store.selection.value;
      const data = await ask<{ name: string }>({ do: "set", name, key: field.key, value });
      if (data.name !== name) selectMade(data.name, before); // an event is called after its limit
      setError(null);
      return true;
    } catch (refusal) {
      setError(refusal instanceof Error ? refusal.message : String(refusal));
      return false;
    }
  };
  const key = `${name} ${field.key}`;
  const numbers = slidable(field);
  const open = store.mayEdit.value && store.past.value === null;
  const wide = field.type === "json" || field.type === "vector";
  return (
    <div class={`field ${wide ? "tall" : ""} ${error ? "wrong" : ""}`} data-testid={`field.${field.key}`}>
      <label for={id} title={field.help || undefined}>{field.label}</label>
      <div class="editor">
        {field.fixed || !open ? <Shown field={field} /> : <Editor id={id} field={field} send={send} fail={setError} wrong={error !== null} />}
        {field.unit && <span class="unit">{field.unit}</span>}
        {numbers.length > 0 && open && <SliderToggle id={key} label={field.label} testid={`slider-toggle.${field.key}`} />}
      </div>
      {open && store.sliders.value.has(key) && numbers.map((value, i) => <Sliding key={i} field={field} value={value} part={Array.isArray(field.value) ? i : null} send={send} />)}
      {error && <p class="error" role="alert" data-testid={`error.${field.key}`}>{error}</p>}
    </div>
  );
}

/** The numbers of a field that sliders can be bound to: one, or those of a vector. */
function slidable({ type, value, fixed }: Field): number[] {
  if (fixed) return [];
  if ((type === "number" || type === "integer") && typeof value === "number") return [value];
  return type === "vector" && Array.isArray(value) && value.every((x) => typeof x === "number") ? (value as number[]) : [];
}

/** A slider of a number, or of a part of a vector, whose other parts stay. */
function Sliding({ field, value, part, send }: { field: Field; value: number; part: number | null; send: Send }) {
  const axis = part === null ? "" : ("xyzw"[part] ?? String(part + 1));
  const sent = (x: number) => send(part === null ? x : (field.value as number[]).map((old, i) => (i === part ? x : old)));
  return <Slider label={`${field.label} ${axis}`.trim()} testid={`slider.${field.key}${axis && `.${axis}`}`} value={value} min={field.min} max={field.max} spacing={field.type === "integer" ? "whole" : "even"} send={sent} />;
}

function text(field: Field): string {
  const { value } = field;
  if (field.type === "number" || field.type === "integer") return editable(value);
  if (field.type === "json") return value === null ? "" : typeof value === "string" ? value : JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
  return value === null || value === undefined ? "" : String(value);
}

/** A value at rest: few digits; all of them come up for editing. */
function short(value: unknown): string {
  return typeof value === "number" ? editable(Number(value.toPrecision(6))) : editable(value);
}

function Shown({ field }: { field: Field }) {
  const { value } = field;
  if (field.type === "color") return <span class="swatch" style={{ background: String(value) }} />;
  if (Array.isArray(value) && value.every((x) => typeof x === "number")) {
    return <output class="value vector">{value.map((x: number, i) => <span key={i}>{formatNumber(x, 4)}</span>)}</output>;
  }
  if (typeof value === "number") return <output class="value">{formatNumber(value)}</output>;
  if (typeof value === "boolean") return <output class="value">{value ? "yes" : "no"}</output>;
  return <output class="value">{text(field) || "—"}</output>;
}

/** The colour a body has in the picture if it was given none. */
function drawnColour(): string | undefined {
  const { only } = store.selected.value;
  return store.scene.value?.bodies.find((body) => body.name === only)?.color;
}

interface EditorProps {
  id: string;
  field: Field;
  send: Send;
  fail(sentence: string | null): void;
  wrong: boolean;
}

function Editor(props: EditorProps) {
  const { id, field, send } = props;
  switch (field.type) {
    case "bool":
      return <input id={id} type="checkbox" class="switch" role="switch" checked={Boolean(field.value)} onChange={(event) => void send(event.currentTarget.checked)} />;
    case "choice":
      return (
        <select id={id} value={String(field.value ?? "")} onChange={(event) => void send(event.currentTarget.value)}>
          {(field.choices ?? []).map((choice) => <option key={choice} value={choice}>{choice || "—"}</option>)}
        </select>
      );
    case "color":
      return <input id={id} type="color" value={String(field.value || drawnColour() || "#888888")} onChange={(event) => void send(event.currentTarget.value)} />;
    case "vector":
      return <VectorEditor {...props} />;
    default:
      return <TextEditor {...props} />;
  }
}

/** What was typed, as the value to send; undefined if it is none, with the reason told. */
function parsed(typed: string, field: Field, fail: (sentence: string) => void): unknown {
  if (field.type === "number" || field.type === "integer") {
    if (typed.trim() === "") return null;
    const value = evaluate(typed);
    if (value === null) fail(`“${typed}” is not a number. Write 0.25, 2*pi/3 or 45 deg.`);
    return value ?? undefined;
  }
  if (field.type !== "json") return typed;
  if (typed.trim() === "") return null;
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    fail('This is not JSON. Write a number, or {"type": "harmonic", "amplitude": 1, "frequency": 2}, say.');
    return undefined;
  }
}

/** A line of text that is sent on Enter and on leaving; while it is edited the live value stays out of it. */
function TextEditor({ id, field, send, fail, wrong }: EditorProps) {
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const dropping = useRef(false); // left by Escape: what was typed is not sent
  const sending = useRef<string | null>(null); // Enter has sent it: to leave the field before the answer does not send it again
  const [typed, setTyped] = useState<string | null>(null);
  const isNumber = field.type === "number" || field.type === "integer";
  const now = text(field);
  const commit = async () => {
    if (typed === null || (typed === now && !wrong)) {
      setTyped(null);
      return;
    }
    if (typed === sending.current) return;
    const value = parsed(typed, field, fail);
    if (value === undefined) return;
    sending.current = typed;
    const taken = await send(value);
    sending.current = null;
    if (taken) setTyped((later) => (later === typed ? null : later)); // what was typed meanwhile stays
  };
  const drop = () => {
    dropping.current = true;
    input.current?.blur();
    dropping.current = false;
    setTyped(null);
    fail(null);
  };
  const Tag = field.type === "json" ? "textarea" : "input";
  return (
    <Tag
      ref={input}
      id={id}
      class={isNumber ? "number" : ""}
      spellcheck={false}
      autocomplete="off"
      inputMode={isNumber ? "decimal" : undefined}
      rows={field.type === "json" ? 2 : undefined}
      aria-invalid={wrong}
      title={range(field)}
      value={typed ?? (isNumber ? short(field.value) : now)}
      onFocus={() => setTyped((before) => before ?? now)}
      onInput={(event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value)}
      onBlur={() => !dropping.current && void commit()}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Enter" && !event.shiftKey) {
          event.preventDefault();
          void commit();
        }
        if (event.key === "Escape") {
          event.stopPropagation();
          drop();
        }
        if (isNumber && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
          event.preventDefault();
          const value = evaluate(typed ?? now);
          if (value !== null) setTyped(editable(value + (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1) * nudge(value, field)));
        }
      }}
    />
  );
}

/** A step that suits the size of a number. */
function nudge(value: number, field: Field): number {
  if (field.type === "integer") return 1;
  return value === 0 ? 0.1 : 10 ** Math.floor(Math.log10(Math.abs(value)) - 1);
}

function range({ min, max, help }: Field): string {
  const limits = min !== null && max !== null ? `${min} … ${max}` : min !== null ? `at least ${min}` : max !== null ? `at most ${max}` : "";
  return [help, limits].filter(Boolean).join("\n");
}

function VectorEditor({ id, field, send, fail, wrong }: EditorProps) {
  const values: unknown[] = Array.isArray(field.value) ? field.value : new Array<null>(store.planar.value ? 2 : 3).fill(null);
  const [typed, setTyped] = useState<string[] | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const sending = useRef<string[] | null>(null); // as above
  const now = values.map(editable);
  const sent = async (value: number[] | null) => {
    sending.current = typed;
    const taken = await send(value);
    sending.current = null;
    if (taken) done();
  };
  const done = () => setTyped((later) => (later === typed ? null : later)); // what was typed meanwhile stays
  const commit = async () => {
    if (typed === null || (typed.join() === now.join() && !wrong)) {
      setTyped(null);
      return;
    }
    if (typed === sending.current) return;
    if (typed.every((value) => value.trim() === "")) return sent(null);
    const numbers = typed.map((value) => (value.trim() === "" && field.value === null ? 0 : evaluate(value))); // of one that was not set, one number will do
    const bad = numbers.indexOf(null);
    if (bad >= 0) fail(`“${typed[bad]}” is not a number. Write 0.25, 2*pi/3 or 45 deg.`);
    else await sent(numbers as number[]);
  };
  return (
    <div class="vector" ref={box} onFocusOut={(event) => !box.current?.contains(event.relatedTarget as Node | null) && void commit()}>
      {(typed ?? values.map(short)).map((value, i) => (
        <input
          key={i}
          id={i === 0 ? id : undefined}
          class="number"
          inputMode="decimal"
          autocomplete="off"
          aria-label={`${field.label} ${"xyzw"[i] ?? i + 1}`}
          aria-invalid={wrong}
          value={value}
          onFocus={() => setTyped((before) => before ?? now)}
          onInput={(event) => setTyped((before) => (before ?? now).map((old, k) => (k === i ? event.currentTarget.value : old)))}
          onKeyDown={(event) => {
            if (event.key === "Enter") void commit();
            if (event.key === "Escape") {
              event.stopPropagation();
              setTyped(null);
              fail(null);
            }
          }}
        />
      ))}
    </div>
  );
}
