// The picture with what floats over it, and the wires between the view and the rest of the page.

import { effect } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import * as act from "../actions";
import { command } from "../commands";
import { Icon } from "../icons";
import type { Vec3 } from "../protocol";
import { newestWins, session, tell } from "../session";
import * as store from "../store";
import { View } from "../view/view";
import { CommandButton, keysOf } from "./parts";
import { ToolPalette } from "./ToolPalette";

const pull = newestWins((to: Vec3) => tell({ do: "pull", to }));

function mount(box: HTMLElement): () => void {
  const view = new View(box, {
    pick: act.picked,
    menu: (pick) => act.openMenu(pick.x, pick.y, pick.name, pick.point),
    hover: (name) => (store.hovered.value = name),
    grab: (body, at) => void tell({ do: "grab", body, at }),
    pull,
    release: () => void tell({ do: "release" }),
    made: (made) => void act.made(made),
    hint: (text) => (store.hint.value = text),
  });
  session.view = view;
  const stops = [
    effect(() => { if (store.scene.value) view.show(store.scene.value); }),
    effect(() => view.select(store.selection.value)),
    effect(() => view.options({ ...store.viewOptions.value, dark: store.dark.value })),
    effect(() => view.tool(store.tool.value)),
    effect(() => view.follow(store.following.value)),
    effect(() => view.hand(store.clock.value?.hand ?? null)),
  ];
  if (session.poses) view.poses(session.poses.version, session.poses.time, session.poses.x);
  return () => {
    for (const stop of stops) stop();
    session.view = null;
    view.dispose();
  };
}

const TALL = 580; // pixels, below which the tools lie flat

export function Viewport() {
  const box = useRef<HTMLDivElement>(null);
  const [short, setShort] = useState(false);
  useEffect(() => mount(box.current!), []);
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setShort(entry!.contentRect.height < TALL));
    watcher.observe(box.current!);
    return () => watcher.disconnect();
  }, []);
  return (
    <main class={`viewport ${short ? "short" : ""} ${store.past.value !== null ? "past" : ""} ${store.tool.value || store.jointPicking.value ? "making" : ""}`} aria-label="Scene" onPointerDown={() => (act.over.value = null)}>
      <div class="canvas" ref={box} data-testid="canvas" />
      <ToolPalette />
      <ViewBar />
      {store.past.value !== null && <div class="badge" data-testid="badge.past">Looking into the past</div>}
      {(store.tool.value || store.jointPicking.value) && store.hint.value && <div class="badge hint">{store.hint.value}</div>}
      {store.isEmpty.value && !store.tool.value && <div class="begin"><p>Draw a body with the tools on the left, or open an example.</p><CommandButton id="file.new" label="Open …" class="primary" /></div>}
    </main>
  );
}

const SHOWN = ["view.grid", "view.labels", "view.joints", "view.frames", "view.shadows", "view.snap"];

function ViewBar() {
  return (
    <div class="viewbar" role="toolbar" aria-label="View">
      <CommandButton id="view.frame" />
      <Display />
      <CommandButton id="view.grid" />
      <CommandButton id="view.labels" />
      <CommandButton id="view.snap" />
    </div>
  );
}

/** From where it is seen and what is shown; goes with a choice, Escape or a click elsewhere. */
function Display() {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => { // before the next key arrives
    if (!open) return undefined;
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation(); // what is selected stays so
      setOpen(false);
    };
    window.addEventListener("pointerdown", outside, true);
    window.addEventListener("keydown", escape, true);
    return () => {
      window.removeEventListener("pointerdown", outside, true);
      window.removeEventListener("keydown", escape, true);
    };
  }, [open]);
  return (
    <div class="display" ref={box}>
      <button type="button" class="button square" title="View and display" aria-label="View and display" aria-haspopup="menu" aria-expanded={open} data-testid="display" onClick={() => setOpen(!open)}><Icon name="eye" /></button>
      {open && (
        <div class="menu below" role="menu" data-testid="display.menu">
          {["view.front", "view.right", "view.top", "view.iso", ...SHOWN].map((id) => {
            const item = command(id);
            const checked = item.checked?.();
            return (
              <button key={id} type="button" class="menu-item" role={item.checked ? "menuitemcheckbox" : "menuitem"} aria-checked={checked} data-testid={`display.${id}`} onClick={() => { item.run(); setOpen(false); }}>
                {item.checked ? checked ? <Icon name="check" size={16} /> : <span class="icon" /> : <Icon name="cube" size={16} />}
                <span class="menu-title">{item.title}</span>
                {item.keys && <kbd>{keysOf(item.keys)}</kbd>}
              </button>
            );
          })}
        </div>
      )}
    </div>
  );
}
