// The page: where the panels are, and how large.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";

import * as act from "../actions";
import { Icon } from "../icons";
import { recalled, remember } from "../remember";
import * as store from "../store";
import { Banners } from "./Banners";
import { ContextMenu } from "./ContextMenu";
import { Dialogs } from "./Dialogs";
import { Splitter } from "./parts";
import { Plots } from "./Plots";
import { Properties } from "./Properties";
import { ReportPanel } from "./ReportPanel";
import { Scrubber } from "./Scrubber";
import { SolverPanel } from "./SolverPanel";
import { StatusBar } from "./StatusBar";
import { Toasts } from "./Toasts";
import { TopBar } from "./TopBar";
import { Tree } from "./Tree";
import { Viewport } from "./Viewport";

const sizes = signal(recalled("sizes", { left: 232, right: 304, drawer: 240 }));

function resize(change: Partial<typeof sizes.value>): void {
  sizes.value = { ...sizes.value, ...change };
  remember("sizes", sizes.value);
}

const NARROW = "(max-width: 900px)"; // as in layout.css

export function App() {
  const { left, right, drawer } = sizes.value;
  const longPress = useLongPress();
  useEffect(() => {
    const query = window.matchMedia(NARROW);
    const follow = () => {
      act.narrow.value = query.matches;
      act.over.value = null;
    };
    follow();
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return (
    <div class="app" style={{ "--left": `${left}px`, "--right": `${right}px`, "--drawer": `${drawer}px` }}>
      <TopBar />
      <Banners />
      <div class="middle">
        {act.leftShown.value && (
          <aside class="left" {...longPress}>
            <Tree />
            <Splitter axis="x" sign={1} value={left} min={160} max={420} label="Width of the tree" onChange={(value) => resize({ left: value })} />
          </aside>
        )}
        <Viewport />
        {act.rightShown.value && (
          <aside class="right">
            <Splitter axis="x" sign={-1} value={right} min={240} max={520} label="Width of the properties" onChange={(value) => resize({ right: value })} />
            <Tabs />
          </aside>
        )}
      </div>
      <Scrubber />
      {store.drawerOpen.value && (
        <div class="drawer">
          <Splitter axis="y" sign={-1} value={drawer} min={140} max={520} label="Height of the plots" onChange={(value) => resize({ drawer: value })} />
          <Plots />
        </div>
      )}
      <StatusBar />
      <Toasts />
      <ContextMenu />
      <Dialogs />
      <Dropping />
    </div>
  );
}

const TABS: [store.Side, string][] = [
  ["properties", "Properties"],
  ["solver", "Solver"],
  ["report", "Report"],
];

function Tabs() {
  const side = store.side.value;
  return (
    <div class="panel">
      <div class="tabs" role="tablist" onKeyDown={(event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        const next = TABS[(TABS.findIndex(([id]) => id === side) + by + TABS.length) % TABS.length]![0];
        store.side.value = next;
        document.getElementById(`tab-${next}`)?.focus();
      }}>
        {TABS.map(([id, title]) => (
          <button key={id} id={`tab-${id}`} type="button" role="tab" tabIndex={side === id ? 0 : -1} aria-selected={side === id} aria-controls="side" data-testid={`tab.${id}`} onClick={() => (store.side.value = id)}>{title}</button>
        ))}
      </div>
      <div class="scroll" id="side" role="tabpanel" aria-labelledby={`tab-${side}`}>
        {side === "properties" ? <Properties /> : side === "solver" ? <SolverPanel /> : <ReportPanel />}
      </div>
    </div>
  );
}

const LONG = 450; // ms of a finger that holds on

/** A finger that rests on a row of the tree opens its menu, as the right button of a mouse does. */
function useLongPress() {
  const timer = useRef(0);
  const stop = () => window.clearTimeout(timer.current);
  return {
    onPointerDown: (event: PointerEvent) => {
      stop();
      const row = (event.target as Element).closest<HTMLElement>("[data-name]");
      if (event.pointerType !== "touch" || !row) return;
      const { clientX, clientY } = event;
      timer.current = window.setTimeout(() => act.openMenu(clientX, clientY, row.dataset.name!), LONG);
    },
    onPointerUp: stop,
    onPointerCancel: stop, // it scrolls
    onPointerLeave: stop,
  };
}

/** A file that is dropped anywhere on the page is opened. */
function Dropping() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const files = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => {
      if (!files(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      void act.upload(file);
    };
    window.addEventListener("dragover", enter);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", enter);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, []);
  return over ? <div class="dropping" data-testid="dropping"><Icon name="open" size={40} />Drop to open</div> : null;
}
