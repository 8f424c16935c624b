// Properties of what is selected, or of the whole mechanism if nothing is.

import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";

import * as act from "../actions";
import { runCommand } from "../commands";
import { formatTime, readable } from "../logic/format";
import type { Field, Properties as Shown } from "../protocol";
import { ask, newestWins } from "../session";
import * as store from "../store";
import { CommandButton, Empty } from "./parts";
import { FieldRow } from "./FieldRow";

const LIVE = 4; // readings per second while time passes

/** Reads the properties again; an answer that comes after the selection has changed is dropped. */
const read = newestWins(async (name: string) => {
  try {
    const found = await ask<Shown>({ do: "properties", name });
    if ((store.selected.value.only ?? "") === name && store.selection.value.size <= 1) store.properties.value = found;
  } catch {
    if ((store.selected.value.only ?? "") === name && store.link.value.state === "open") store.properties.value = null; // gone meanwhile
  }
});

/** Keeps the properties up to date with selection, scene and time. */
function watch(): () => void {
  const stopSelection = effect(() => {
    const { only, names } = store.selected.value;
    if (store.link.value.state !== "open" || store.scene.value === null) return;
    if (names.length > 1) store.properties.value = null;
    else read(only ?? "");
  });
  let before = NaN;
  const timer = window.setInterval(() => {
    const time = store.past.value ?? store.clock.value?.time ?? NaN;
    if (time === before || store.selection.value.size > 1 || store.side.value !== "properties" || !act.rightShown.value) return;
    before = time;
    read(store.selected.value.only ?? "");
  }, 1000 / LIVE);
  return () => {
    stopSelection();
    window.clearInterval(timer);
  };
}

export function Properties() {
  useEffect(watch, []);
  const found = store.properties.value;
  const { names, only } = store.selected.value;
  if (names.length > 1) return <Several />;
  if (!found) return <Empty icon="sliders">Select a component to see and change its properties.</Empty>;
  const fields = found.name === (only ?? "") ? found.fields : []; // until the answer comes they are those of what was selected before
  const [open, fixed] = [fields.filter((field) => !field.fixed), fields.filter((field) => field.fixed)];
  return (
    <div class="properties" data-testid="properties">
      <header class="properties-head">
        <h3 onDblClick={() => runCommand("edit.rename")}>{only ?? (store.scene.value?.title || "Mechanism")}</h3>
        <span class="tag">{readable(only === null ? (store.planar.value ? "planar mechanism" : "spatial mechanism") : found.kind || found.what)}</span>
      </header>
      {store.past.value !== null && <p class="note" data-testid="properties.past">As it was at {formatTime(store.past.value)}.</p>}
      {found.what === "body" && (
        <div class="quick">
          <CommandButton id="edit.fix" /><CommandButton id="edit.free" /><CommandButton id="edit.duplicate" /><CommandButton id="selection.velocity" /><CommandButton id="selection.trail" /><CommandButton id="selection.follow" /><CommandButton id="edit.delete" />
        </div>
      )}
      {found.what === "joint" && (
        <div class="quick">
          <CommandButton id="edit.cut" /><CommandButton id="edit.lock" /><CommandButton id="edit.unlock" /><CommandButton id="edit.breaks" /><CommandButton id="selection.arrows" /><CommandButton id="edit.delete" />
        </div>
      )}
      {found.what === "force" && (
        <div class="quick">
          <CommandButton id="selection.arrows" /><CommandButton id="edit.rename" /><CommandButton id="edit.delete" />
        </div>
      )}
      {found.what === "event" && (
        <div class="quick">
          <CommandButton id="edit.delete" />
        </div>
      )}
      <Fields name={only ?? ""} fields={open} />
      {fixed.length > 0 && open.length > 0 && <hr />}
      <Fields name={only ?? ""} fields={fixed} />
    </div>
  );
}

function Fields({ name, fields }: { name: string; fields: Field[] }) {
  return (
    <div class="fields">
      {fields.map((field) => (
        <FieldRow key={`${name} ${field.key}`} name={name} field={field} />
      ))}
    </div>
  );
}

function Several() {
  const { names, what } = store.selected.value;
  return (
    <div class="properties" data-testid="properties">
      <header class="properties-head">
        <h3>{names.length} selected</h3>
        {what && <span class="tag">{what === "body" ? "bodies" : `${what}s`}</span>}
      </header>
      <div class="quick">
        <CommandButton id="edit.fix" /><CommandButton id="edit.free" /><CommandButton id="edit.duplicate" /><CommandButton id="edit.mirror" /><CommandButton id="edit.array" /><CommandButton id="edit.cut" /><CommandButton id="edit.lock" /><CommandButton id="edit.delete" />
      </div>
      <ul class="names">{names.map((name) => <li key={name}><button type="button" class="link" onClick={() => (store.selection.value = new Set([name]))}>{name}</button></li>)}</ul>
    </div>
  );
}
