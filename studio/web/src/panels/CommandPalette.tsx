// All commands, found by a few letters.

import { useMemo, useState } from "preact/hooks";

import { commands, connectionCommands, isEnabled, type Command, type Item } from "../commands";
import { Icon } from "../icons";
import { score } from "../logic/finding";
import * as act from "../actions";
import * as store from "../store";
import { Modal, closeDialog } from "./Modal";
import { keysOf } from "./parts";

const MOST = 60;

type Row = Item & { section: string; keys?: string[]; off?: boolean };

function rows(): Row[] {
  const fromTable = (list: Command[]): Row[] => list.filter((item) => item.id !== "view.palette").map((item) => ({ ...item, off: !isEnabled(item) || (item.items && item.id !== "selection.plot") }));
  const components = (store.scene.value ? [...store.scene.value.bodies, ...store.scene.value.joints, ...store.scene.value.forces] : []).map((item) => ({ id: `select.${item.name}`, title: item.name, section: "Select", run: () => act.select([item.name]) }));
  const examples = (store.hello.value?.examples ?? []).map((example) => ({ id: `open.${example.name}`, title: example.title, section: "Open example", run: () => act.open({ do: "open", example: example.name }, example.title) }));
  return [...fromTable(commands), ...fromTable(connectionCommands()), ...components, ...examples].filter((row) => !(row as Row).off);
}

export function CommandPalette() {
  const all = useMemo(rows, []);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const found = all
    .map((row) => ({ row, points: score(`${row.title} ${row.section}`, typed) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, MOST)
    .map(({ row }) => row);
  const run = (row: Row | undefined) => {
    if (!row) return;
    closeDialog();
    row.run();
  };
  return (
    <Modal title="Commands" bare>
      <input
        class="palette-input"
        type="text"
        data-autofocus
        placeholder="Search commands, components, examples"
        aria-label="Search commands"
        data-testid="palette.input"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[at] ? `row-${at}` : undefined}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(at + 1, found.length - 1));
          else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
          else if (event.key === "Enter") run(found[at]);
          else return;
          event.preventDefault();
        }}
      />
      <ul class="palette-list" id="palette-list" role="listbox">
        {found.map((row, i) => (
          <li key={row.id} id={`row-${i}`} role="option" aria-selected={i === at} class="palette-row" data-testid={`palette.${row.id}`} ref={(element) => { if (i === at) element?.scrollIntoView({ block: "nearest" }); }} onPointerMove={() => setAt(i)} onClick={() => run(row)}>
            {row.icon ? <Icon name={row.icon} size={16} /> : <span class="icon" />}
            <span class="menu-title">{row.title}</span>
            <span class="section">{row.section}</span>
            {row.keys && <kbd>{keysOf(row.keys)}</kbd>}
          </li>
        ))}
        {found.length === 0 && <li class="menu-heading">Nothing of that name.</li>}
      </ul>
    </Modal>
  );
}
