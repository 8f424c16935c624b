// Small dialogs: save, code to copy, break at, mirror, array, keys.

import { useEffect, useState } from "preact/hooks";

import * as act from "../actions";
import { commands, type Section } from "../commands";
import { evaluate } from "../logic/expression";
import { formatNumber } from "../logic/format";
import type { Properties, Vec3 } from "../protocol";
import { ask } from "../session";
import * as store from "../store";
import { CommandPalette } from "./CommandPalette";
import { Modal, Refusal, blamed, closeDialog, useAsking, useClosing } from "./Modal";
import { keysOf } from "./parts";
import { QuantityPicker } from "./QuantityPicker";
import { StartPage } from "./StartPage";
import { WhenDialog } from "./WhenDialog";

export function Dialogs() {
  const dialog = store.dialog.value;
  switch (dialog?.type) {
    case "start":
      return <StartPage />;
    case "commands":
      return <CommandPalette />;
    case "help":
      return <Help />;
    case "save":
      return <Save />;
    case "code":
      return <Code title={dialog.title} text={dialog.text} />;
    case "breaks":
      return <Breaks joint={dialog.joint} />;
    case "when":
      return <WhenDialog name={dialog.name} />;
    case "mirror":
      return <Mirror />;
    case "array":
      return <Copies />;
    case "plot":
      return <QuantityPicker axis="y" close={closeDialog} choose={(quantity) => { closeDialog(); if (quantity) void act.plot(quantity.quantity); }} />;
    default:
      return null;
  }
}

function Save() {
  const [name, setName] = useState(act.suggestedName);
  const [exists, setExists] = useState<string | null>(null); // a file of that name is there
  const { refusal, attempt, forget } = useAsking();
  const close = useClosing();
  const file = name.trim();
  const save = async () => {
    let done = false;
    await attempt(async () => {
      done = file !== "" && (await act.saveAs(file, exists === file)) === "saved";
      setExists(done ? null : file);
    });
    if (done) close();
  };
  const warned = exists === file && file !== "" && refusal === null;
  return (
    <Modal title="Save as">
      <form onSubmit={(event) => { event.preventDefault(); void save(); }}>
        <label class="stack">Name<input type="text" data-autofocus data-testid="save.name" value={name} {...blamed(refusal)} onInput={(event) => { forget(); setName(event.currentTarget.value); }} /></label>
        <Refusal text={refusal} />
        {warned && <p class="refusal" role="alert" data-testid="save.exists">There is a file {file} already. Replace it, or choose another name.</p>}
        <p class="note">.yaml or .json keeps the mechanism as it stands; .session keeps its whole history, too.</p>
        <footer><button type="button" class="button outlined" onClick={closeDialog}>Cancel</button><button type="submit" class={`button ${warned ? "danger" : "primary"}`} data-testid="save.ok">{warned ? "Replace" : "Save"}</button></footer>
      </form>
    </Modal>
  );
}

function Code({ title, text }: { title: string; text: string }) {
  return (
    <Modal title={title} wide>
      <pre class="code" tabIndex={0} data-testid="code">{text}</pre>
      <footer>
        <button type="button" class="button primary" data-testid="code.copy" onClick={async () => { await navigator.clipboard?.writeText(text).then(() => { store.notify("info", "Copied."); closeDialog(); }, () => store.notify("warning", "The browser does not let the page copy. Select the text and copy it.")); }}>Copy</button>
      </footer>
    </Modal>
  );
}

/** The force at which a joint breaks now; null: it does not. */
async function presentLimit(joint: string): Promise<number | null> {
  const event = store.scene.value?.events.find((each) => each.name === `${joint} breaks (force)`);
  if (!event) return null;
  const { fields } = await ask<Properties>({ do: "properties", name: event.name });
  const value = fields.find((field) => field.key === "limit")?.value;
  return typeof value === "number" ? value : null;
}

function Breaks({ joint }: { joint: string }) {
  const [typed, setTyped] = useState("");
  const [present, setPresent] = useState<number | null>(null);
  const { refusal, attempt, forget } = useAsking();
  const close = useClosing();
  useEffect(() => {
    let there = true;
    void presentLimit(joint).then((found) => {
      if (!there) return;
      setPresent(found);
      setTyped((before) => before || String(found ?? 100));
    }, () => undefined);
    return () => void (there = false);
  }, []);
  const limit = evaluate(typed);
  const send = async (value: number | null) => {
    if (await attempt(() => ask({ do: "breaks", name: joint, limit: value }))) close();
  };
  return (
    <Modal title={`${joint} breaks at …`}>
      <form onSubmit={(event) => { event.preventDefault(); if (limit !== null) void send(limit); }}>
        <label class="stack">Largest force [N]<input type="text" inputMode="decimal" data-autofocus data-testid="breaks.limit" value={typed} aria-invalid={limit === null && typed !== ""} {...blamed(refusal)} onInput={(event) => { forget(); setTyped(event.currentTarget.value); }} /></label>
        <Refusal text={refusal} />
        <p class="note" data-testid="breaks.present">{present === null ? "It does not break now." : `It breaks at ${formatNumber(present, 6)} N now.`}</p>
        <footer><button type="button" class="button outlined" data-testid="breaks.never" onClick={() => void send(null)}>Never breaks</button><button type="submit" class="button primary" disabled={limit === null} data-testid="breaks.ok">Set</button></footer>
      </form>
    </Modal>
  );
}

function Mirror() {
  const axes = store.planar.value ? (["x", "y"] as const) : (["x", "y", "z"] as const);
  const { refusal, attempt } = useAsking();
  const close = useClosing();
  const send = async (mirror: "x" | "y" | "z") => {
    if (await attempt(() => ask({ do: "duplicate", names: store.selected.value.names, mirror }))) close();
  };
  return (
    <Modal title="Mirror">
      <p class="note">A mirrored copy of what is selected, on the other side of the origin.</p>
      <Refusal text={refusal} />
      <footer class="spread">{axes.map((axis, i) => <button key={axis} type="button" class="button outlined" data-autofocus={i === 0 ? true : undefined} data-testid={`mirror.${axis}`} onClick={() => void send(axis)}>Along {axis}</button>)}</footer>
    </Modal>
  );
}

function Copies() {
  const [count, setCount] = useState("3");
  const [offset, setOffset] = useState(() => act.besideOffset().map(String));
  const { refusal, attempt, forget } = useAsking();
  const close = useClosing();
  const numbers = offset.map(evaluate);
  const copies = evaluate(count);
  const good = copies !== null && copies >= 1 && numbers.every((x) => x !== null);
  const send = async () => {
    if (good && (await attempt(() => ask({ do: "duplicate", names: store.selected.value.names, count: Math.round(copies), offset: numbers as Vec3 })))) close();
  };
  return (
    <Modal title="Array">
      <form onSubmit={(event) => { event.preventDefault(); void send(); }}>
        <label class="stack">Copies<input type="text" inputMode="numeric" data-autofocus data-testid="array.count" value={count} aria-invalid={copies === null || copies < 1} {...blamed(refusal)} onInput={(event) => { forget(); setCount(event.currentTarget.value); }} /></label>
        <Refusal text={refusal} />
        <div class="stack">Distance from one to the next [m]
          <div class="vector">{offset.slice(0, store.planar.value ? 2 : 3).map((value, i) => <input key={i} type="text" inputMode="decimal" aria-label={`Distance ${"xyz"[i]}`} data-testid={`array.${"xyz"[i]}`} value={value} aria-invalid={numbers[i] === null} onInput={(event) => setOffset(offset.map((old, k) => (k === i ? event.currentTarget.value : old)))} />)}</div>
        </div>
        <footer><button type="button" class="button outlined" onClick={closeDialog}>Cancel</button><button type="submit" class="button primary" disabled={!good} data-testid="array.ok">Copy</button></footer>
      </form>
    </Modal>
  );
}

const SECTIONS: Section[] = ["Time", "Edit", "Selection", "Tools", "View", "File"];

const MOUSE: [string, string][] = [
  ["Click", "select"],
  ["Shift+click", "add to the selection"],
  ["Ctrl+drag", "pull a body with a spring"],
  ["Drag", "turn the view (space), shift it (plane)"],
  ["Right-drag", "shift the view"],
  ["Wheel", "nearer, farther"],
  ["Right click", "menu of what is there"],
  ["Hold a finger", "the same; moved, it pulls a body"],
];

function Help() {
  return (
    <Modal title="Keys and mouse" wide>
      <div class="help" data-testid="help">
        <section><h4>Mouse</h4><dl>{MOUSE.map(([keys, text]) => <><dt key={keys}><kbd>{keys}</kbd></dt><dd>{text}</dd></>)}</dl></section>
        {SECTIONS.map((section) => (
          <section key={section}>
            <h4>{section}</h4>
            <dl>{commands.filter((item) => item.section === section && item.keys).map((item) => <><dt key={item.id}><kbd>{keysOf(item.keys)}</kbd></dt><dd>{item.title}</dd></>)}</dl>
          </section>
        ))}
      </div>
      <p class="note">Number fields understand expressions and units: <code>2*pi/3</code>, <code>45 deg</code>, <code>120 rpm</code>, <code>15 mm</code>. bielle {store.hello.value?.version} · <a href="licences.txt" target="_blank" rel="noreferrer">licences</a></p>
    </Modal>
  );
}
