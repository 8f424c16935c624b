// One line at the bottom: what to do next, how good the numbers are, who is there.

import { counted, formatNumber, withUnit } from "../logic/format";
import { ENERGY_LIMITS, GAP_LIMITS, extent, grade, type Grade } from "../logic/gauges";
import { tell } from "../session";
import * as store from "../store";

const FINGERS = typeof window !== "undefined" && window.matchMedia("(pointer: coarse)").matches;
const IDLE = FINGERS ? "Tap selects · hold and drag pulls a body · hold for more" : "Click selects, Shift adds · Ctrl+drag pulls a body · right click for more";

export function StatusBar() {
  const clock = store.clock.value;
  const scene = store.scene.value;
  const { names, only } = store.selected.value;
  const hint = store.hint.value || (store.tool.value ? "" : names.length > 0 ? (only ?? `${names.length} selected`) : IDLE);
  const gap = clock && scene && clock.gap !== null ? clock.gap / extent(scene.bounds) : null;
  return (
    <footer class="status">
      <span class="hint" role="status" data-testid="hint">{store.busy.value ?? hint}</span>
      {clock?.hand && <span class="gauge" title="Force of the hand">{withUnit(clock.hand.force, "N", 3)}</span>}
      {clock && <Gauge testid="gauge.energy" label="Energy" value={formatNumber(clock.energy.error, 2)} grade={grade(clock.energy.error, ENERGY_LIMITS)} title={`Error of the energy balance, relative: ${formatNumber(clock.energy.error, 3)}\nkinetic ${withUnit(clock.energy.kinetic, "J")}, potential ${withUnit(clock.energy.potential, "J")}, dissipated ${withUnit(clock.energy.dissipated, "J")}`} />}
      {clock && gap !== null && <Gauge testid="gauge.gap" label="Gap" value={withUnit(clock.gap, "m", 2)} grade={grade(gap, GAP_LIMITS)} title={`Largest gap in a closed joint: ${withUnit(clock.gap, "m", 3)}, ${formatNumber(gap, 2)} of the size`} />}
      {clock && clock.viewers > 1 && <span class="gauge" title="People who look at this mechanism">{clock.viewers} viewers</span>}
      {clock && clock.viewers > 1 && clock.control === "me" && <button type="button" class="link" title="Let somebody else edit; you look on" data-testid="hand-over" onClick={() => void tell({ do: "control", take: false })}>Hand over control</button>}
      {scene && <span class="gauge count" data-testid="count">{[counted(scene.bodies.length, "body", "bodies"), counted(scene.joints.length, "joint"), counted(scene.forces.length, "force")].join(" · ")}</span>}
      <span class={`gauge connection ${store.link.value.state}`} data-testid="link" title={store.link.value.state === "open" ? `Connected to bielle ${store.hello.value?.version ?? ""}` : "Not connected"}>
        <i />{store.link.value.state === "open" ? "live" : "offline"}
      </span>
    </footer>
  );
}

function Gauge(props: { testid: string; label: string; value: string; grade: Grade; title: string }) {
  return (
    <span class={`gauge ${props.grade}`} title={props.title} data-testid={props.testid} data-grade={props.grade}>
      <i />{props.label} <b>{props.value}</b>
    </span>
  );
}
