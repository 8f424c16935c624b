// The bar at the top: file, undo, time, speed, theme, help.

import { command } from "../commands";
import { Icon } from "../icons";
import { fallsBehind } from "../logic/gauges";
import { formatFactor, formatNumber } from "../logic/format";
import * as act from "../actions";
import * as store from "../store";
import { CommandButton } from "./parts";

export function TopBar() {
  const running = store.running.value;
  const { scene } = store;
  const title = scene.value?.title || scene.value?.file || "Untitled";
  return (
    <header class="topbar" role="banner">
      <button
        type="button"
        class="button file-menu"
        data-testid="file-menu"
        aria-haspopup="menu"
        aria-label={`File menu of ${title}`}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          store.menu.value = { x: box.left, y: box.bottom + 4, what: "file", point: null };
        }}
      >
        <svg class="logo" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
          <path d="M7 24 16 9l9 9" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" />
          <circle cx="7" cy="24" r="4" /><circle cx="16" cy="9" r="4" /><circle cx="25" cy="18" r="4" />
        </svg>
        <span class="title" data-testid="title">{title}</span>
        <Icon name="down" size={14} />
      </button>
      <div class="group files">
        <CommandButton id="file.new" icon="open" />
        <CommandButton id="file.save" />
      </div>
      <div class="group">
        <CommandButton id="edit.undo" />
        <CommandButton id="edit.redo" />
        <CommandButton id="edit.cut" testid="toolbar.cut" title="Cut the selected joint" />
      </div>
      <div class="group transport">
        <CommandButton id="time.reset" />
        <CommandButton id="time.back" />
        <CommandButton id="time.play" icon={running ? "pause" : "play"} title={running ? "Pause" : "Run"} class={running ? "primary running" : "primary"} />
        <CommandButton id="time.step" />
      </div>
      <Speed />
      <div class="spring" />
      <button type="button" class="button search" data-testid="view.palette" aria-label="All commands" onClick={() => command("view.palette").run()}>
        <Icon name="search" size={16} />
        <span>Commands</span>
        <kbd>Ctrl K</kbd>
      </button>
      <div class="group">
        <CommandButton id="view.left" />
        <CommandButton id="view.drawer" />
        <CommandButton id="view.right-panel" />
      </div>
      <div class="group looks">
        <CommandButton id="view.theme" icon={({ auto: "auto", light: "sun", dark: "moon" } as const)[store.theme.value]} title={`Theme: ${({ auto: "as the system", light: "light", dark: "dark" } as const)[store.theme.value]}`} />
        <CommandButton id="view.help" />
      </div>
    </header>
  );
}

/** The speed in steps of a quarter of an octave: ¼ … 4 simulated seconds per second. */
function Speed() {
  const factor = store.factor.value;
  const clock = store.clock.value;
  const behind = clock !== null && fallsBehind(clock.running, clock.factor, clock.achieved);
  const achieved = clock?.running ? (clock.achieved ?? 0) : null;
  return (
    <label class={`speed ${behind ? "behind" : ""}`} title={behind ? `The computer manages only ${formatFactor(Number((achieved ?? 0).toPrecision(2)))} of real time` : "Simulated seconds per second"}>
      <span class="wanted">{formatFactor(factor)}</span>
      <input
        type="range"
        min={-2}
        max={2}
        step={0.25}
        value={Math.log2(factor)}
        list="speeds"
        data-testid="speed"
        aria-label="Speed"
        aria-valuetext={`${formatNumber(factor, 3)} times real time`}
        onInput={(event) => act.setFactor(Number((2 ** Number(event.currentTarget.value)).toPrecision(3)))}
        onDblClick={() => act.setFactor(1)}
      />
      <span class="achieved" data-testid="achieved">
        {behind && <Icon name="warning" size={14} />}
        {achieved === null ? "paused" : `${formatNumber(achieved, 2)}×`}
      </span>
    </label>
  );
}
