// The tree of components: filter, keyboard, several at once, rename in place, menu on each.

import { signal } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";

import * as act from "../actions";
import { runCommand } from "../commands";
import { Icon, hasIcon, iconOfKind, type IconName } from "../icons";
import { readable } from "../logic/format";
import { clicked } from "../logic/selection";
import { groups, type Entry, type Group } from "../logic/tree";
import { session, tell } from "../session";
import * as store from "../store";
import { Empty, IconButton } from "./parts";

const closed = signal<ReadonlySet<string>>(new Set());

const STATE_ICONS: Record<string, IconName> = {
  broken: "broken",
  locked: "lock",
  closing: "closing",
  redundant: "redundant",
  breakable: "breakable",
  motor: "motor",
  fixed: "pinned",
  pause: "pause",
  mark: "flag",
  cut: "cut",
  lock: "lock",
  call: "python",
};

function iconOf(entry: Entry): IconName {
  if (entry.what === "joint" || entry.what === "force") return iconOfKind(entry.kind, entry.what);
  if (entry.what === "frame") return "frames";
  if (entry.what === "event") return "event";
  return hasIcon(entry.kind) ? entry.kind : "body";
}

export function Tree() {
  const scene = store.scene.value;
  const shown = scene ? groups(scene, store.filter.value) : [];
  const open = (group: Group) => store.filter.value !== "" || !closed.value.has(group.what);
  const visible = shown.filter(open).flatMap((group) => group.entries).filter((entry) => !entry.gone);
  return (
    <nav class="panel tree" aria-label="Components">
      <div class="filter">
        <Icon name="search" size={16} />
        <input
          type="search"
          placeholder="Filter"
          aria-label="Filter components"
          data-testid="tree.filter"
          value={store.filter.value}
          onInput={(event) => (store.filter.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            store.filter.value = "";
            event.currentTarget.blur();
          }}
        />
        {store.filter.value && <IconButton icon="close" size={14} title="Clear the filter" onClick={() => (store.filter.value = "")} />}
      </div>
      <div class="scroll" role="tree" aria-label="Components" aria-multiselectable="true" tabIndex={0} data-testid="tree" onKeyDown={(event) => navigate(event, visible)}>
        {shown.map((group) => (
          <section key={group.what} role="treeitem" aria-expanded={open(group)} aria-label={group.title}>
            <button
              type="button"
              class="tree-group"
              tabIndex={-1}
              data-testid={`tree.group.${group.what}`}
              onClick={() => {
                const next = new Set(closed.value);
                if (!next.delete(group.what)) next.add(group.what);
                closed.value = next;
              }}
            >
              <Icon name={open(group) ? "down" : "right"} size={14} />
              <span>{group.title}</span>
              <span class="count">{group.entries.filter((entry) => !entry.gone).length}</span>
            </button>
            {open(group) && (
              <div role="group">
                {group.entries.map((entry) => (entry.gone ? <Gone key={`${entry.name} broken`} entry={entry} /> : <Row key={entry.name} entry={entry} list={visible} />))}
              </div>
            )}
          </section>
        ))}
        {scene && shown.length === 0 && <Empty icon={store.filter.value ? "search" : "cube"}>{store.filter.value ? "Nothing of that name." : "Nothing here yet. Draw a body with the tools beside."}</Empty>}
      </div>
    </nav>
  );
}

function Row({ entry, list }: { entry: Entry; list: Entry[] }) {
  const isSelected = store.selection.value.has(entry.name);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected && store.selection.value.size === 1) row.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    <div
      ref={row}
      class={`tree-row ${entry.states.includes("broken") ? "broken" : ""} ${store.hovered.value === entry.name ? "hovered" : ""}`}
      role="treeitem"
      aria-selected={isSelected}
      data-testid={`tree.${entry.name}`}
      data-name={entry.name}
      title={`${readable(entry.kind)}${entry.detail ? `: ${entry.detail}` : ""}${entry.states.length ? ` (${entry.states.join(", ")})` : ""}`}
      onClick={(event) => click(event, entry, list)}
      onDblClick={() => runCommand("edit.rename")}
      onContextMenu={(event) => {
        event.preventDefault();
        act.openMenu(event.clientX, event.clientY, entry.name);
      }}
    >
      <Icon name={iconOf(entry)} size={16} />
      {store.renaming.value === entry.name ? <Rename name={entry.name} /> : <span class="name">{entry.name}</span>}
      <span class="states">
        {entry.states.map((state) => (
          <span key={state} class={`state ${state}`} title={state}>
            <Icon name={STATE_ICONS[state] ?? "info"} size={14} />
          </span>
        ))}
      </span>
    </div>
  );
}

/** A joint that broke: greyed, with the time, to be made again. */
function Gone({ entry }: { entry: Entry }) {
  const disabled = !store.mayEdit.value || store.past.value !== null;
  return (
    <div class="tree-row broken" role="treeitem" data-testid={`tree.broken.${entry.name}`} title={`${readable(entry.kind)}: ${entry.detail}`}>
      <Icon name={iconOf(entry)} size={16} />
      <span class="name">{entry.name}</span>
      <span class="states">
        <span class="state broken" title={entry.detail}><Icon name="broken" size={14} /></span>
      </span>
      <IconButton icon="undo" size={14} class="small" title={`Join again: ${entry.name}`} testid={`tree.restore.${entry.name}`} disabled={disabled} onClick={() => void tell({ do: "restore", name: entry.name })} />
    </div>
  );
}

function click(event: MouseEvent, entry: Entry, list: Entry[]): void {
  if (entry.what === "joint" && store.jointPicking.value) {
    void act.pickJoint(entry.name);
    return;
  }
  const how = { add: event.ctrlKey || event.metaKey, range: event.shiftKey };
  store.selection.value = clicked(store.selection.value, entry.name, list.map((other) => other.name), store.anchor.value, how);
  if (!event.shiftKey) store.anchor.value = entry.name;
}

function navigate(event: TargetedKeyboardEvent<HTMLDivElement>, list: Entry[]): void {
  if (store.renaming.value !== null || list.length === 0) return;
  const names = list.map((entry) => entry.name);
  const current = [...store.selection.value].at(-1);
  const at = current === undefined ? -1 : names.indexOf(current);
  const to = { ArrowDown: Math.min(at + 1, names.length - 1), ArrowUp: at < 0 ? names.length - 1 : Math.max(at - 1, 0), Home: 0, End: names.length - 1 }[event.key];
  if (to !== undefined) {
    if (event.shiftKey) store.selection.value = new Set([...store.selection.value].filter((name) => name !== names[to]).concat(names[to]!));
    else act.select([names[to]!]);
    if (!event.shiftKey) store.anchor.value = names[to]!;
    event.currentTarget.querySelector(`[data-name="${CSS.escape(names[to]!)}"]`)?.scrollIntoView({ block: "nearest" });
  } else if (event.key === "Enter") session.view?.frame([...store.selection.value]);
  else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
    const row = current && event.currentTarget.querySelector(`[data-name="${CSS.escape(current)}"]`);
    if (!row) return;
    const box = row.getBoundingClientRect();
    act.openMenu(box.left + 24, box.bottom, current);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

function Rename({ name }: { name: string }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const commit = () => {
    if (store.renaming.value !== name) return; // Escape came first
    store.renaming.value = null;
    const next = input.current!.value.trim();
    if (next && next !== name) void rename(name, next);
  };
  return (
    <input
      ref={input}
      class="rename"
      aria-label={`New name of ${name}`}
      data-testid="rename"
      defaultValue={name}
      onBlur={commit}
      onClick={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") commit();
        if (event.key === "Escape") store.renaming.value = null;
      }}
    />
  );
}

async function rename(name: string, next: string): Promise<void> {
  const before = store.selection.value;
  if ((await tell({ do: "rename", name, new: next })) !== undefined) act.selectMade(next, before);
}
