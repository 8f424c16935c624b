// Where the page begins: the connection, the messages, the keys, the panels.

import { effect } from "@preact/signals";
import { render } from "preact";

import { askTrails, opened, setArrows, setPlots, tellSelection } from "./actions";
import { commandOf, isEnabled } from "./commands";
import { Link, liveAddress } from "./link";
import { takesKey, written } from "./logic/keys";
import { App } from "./panels/App";
import { ARROWS, POSES, type Packet } from "./protocol";
import { rememberLooks } from "./remember";
import { session } from "./session";
import * as store from "./store";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/panels.css";
import "./styles/dialogs.css";

function receivePacket(packet: Packet): void {
  if (packet.kind === POSES) {
    store.shownTime.value = packet.time;
    session.poses = packet;
    session.view?.poses(packet.version, packet.time, packet.x);
  } else if (packet.kind === ARROWS) session.view?.arrows([...store.arrows.value], packet.x);
}

let begun = false;
let number: number | undefined; // of the session that is shown

function connect(): void {
  session.link = new Link(liveAddress(window.location), {
    packet: receivePacket,
    state(state, retryIn) {
      const retryAt = state === "lost" ? Date.now() + 1000 * retryIn : state === "open" ? 0 : store.link.value.retryAt;
      store.link.value = { state, retryAt };
    },
    message(message) {
      switch (message.type) {
        case "hello":
          store.hello.value = message;
          if (store.plots.value.length > 0) void setPlots(store.plots.value); // after a lost connection: this viewer is new to the server
          if (store.arrows.value.size > 0) setArrows(store.arrows.value);
          if (store.viewOptions.value.trails.length > 0) askTrails(store.viewOptions.value.trails);
          if (store.selection.value.size > 0) tellSelection(store.selection.value);
          break;
        case "scene":
          if (begun && message.session !== undefined && message.session !== number) opened();
          number = message.session ?? number;
          store.receiveScene(message);
          if (!begun) begin(message.bodies.length === 0 && !message.file);
          begun = true;
          break;
        case "clock":
          if (!store.clock.value && message.factor > 0) store.factor.value = message.factor;
          store.clock.value = message;
          break;
        case "time":
          if (store.clock.value) store.clock.value = { ...store.clock.value, time: message.time, end: message.time, running: message.running, factor: message.factor };
          break;
        case "plots":
          store.receivePlots(message);
          break;
        case "paths":
          session.view?.paths(message, message.restart ?? false);
          break;
        case "notice":
          store.notify(message.level, message.text);
      }
    },
  });
}

/** The first picture: the start page, if there is nothing to see; and where to find what was not saved. */
function begin(empty: boolean): void {
  if (empty) store.dialog.value = { type: "start" };
  else if (store.hello.value?.left) store.notify("info", "Work of before that was not saved can be recovered: New or open, in the menu of the file.");
}

/** Shortcuts, unless the keys go into a field, a menu or a dialog. */
function pressed(event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  const keys = written(event);
  const inDialog = store.dialog.value !== null || store.menu.value !== null;
  if (inDialog && keys !== "Escape") return;
  const typing = takesKey(event.target, event.key);
  if (typing && !(event.ctrlKey || event.metaKey)) return;
  const item = commandOf(keys);
  if (!item || (typing && item.section !== "File" && keys !== "Ctrl+K")) return;
  event.preventDefault();
  if (isEnabled(item)) item.run();
}

/** Buttons that were clicked give the focus back, so that Space runs and does not press them again; those reached by Tab keep it. */
function giveFocusBack(event: MouseEvent): void {
  if (event.detail > 0 && event.target instanceof Element) event.target.closest<HTMLElement>("main button, header button, summary, .scrubber button, .quick button")?.blur();
}

function followSystemTheme(): void {
  const query = window.matchMedia("(prefers-color-scheme: dark)");
  store.systemDark.value = query.matches;
  query.addEventListener("change", () => (store.systemDark.value = query.matches));
  effect(() => {
    document.documentElement.dataset.theme = store.dark.value ? "dark" : "light";
  });
}

rememberLooks();
followSystemTheme();
effect(() => {
  const title = store.scene.value?.title || store.scene.value?.file;
  document.title = title ? `${title} – bielle studio` : "bielle studio";
});
let trailing = "";
effect(() => {
  const { trails } = store.viewOptions.value;
  if (JSON.stringify(trails) !== trailing && (trailing || trails.length > 0)) askTrails(trails);
  trailing = JSON.stringify(trails);
});
let seen = store.selection.value;
effect(() => {
  if (store.selection.value !== seen) tellSelection((seen = store.selection.value));
});
window.addEventListener("keydown", pressed);
window.addEventListener("click", giveFocusBack);
connect();
render(<App />, document.getElementById("app")!);

declare global {
  interface Window {
    studio: unknown; // for tests of the page in a browser, and for the curious
  }
}

window.studio = {
  get view() {
    return session.view;
  },
  get link() {
    return session.link;
  },
  store,
};
