// How the motion is computed: chosen while it runs. Only what applies is shown.

import { useState } from "preact/hooks";

import { evaluate } from "../logic/expression";
import { editable, formatNumber, withUnit } from "../logic/format";
import { ENERGY_LIMITS, GAP_LIMITS, extent, grade } from "../logic/gauges";
import { FAMILIES, fixedStep, formulations, integrators, solverRequest } from "../logic/solvers";
import type { Solver } from "../protocol";
import { ask } from "../session";
import * as store from "../store";
import { Empty } from "./parts";
import { Slider, SliderToggle } from "./Slider";

/** Null, or why it was refused. */
type Send = (part: Partial<Solver>) => Promise<string | null>;

export function SolverPanel() {
  const [error, setError] = useState<string | null>(null);
  const solver = store.scene.value?.solver;
  const clock = store.clock.value;
  if (!solver) return <Empty icon="gear">There is nothing to solve yet.</Empty>;
  const send: Send = async (part) => {
    try {
      await ask(solverRequest(solver, part));
      setError(null);
      return null;
    } catch (refusal) {
      return refusal instanceof Error ? refusal.message : String(refusal);
    }
  };
  const change = async (part: Partial<Solver>) => setError(await send(part));
  const disabled = !store.mayEdit.value || store.past.value !== null;
  const methods = integrators(solver.family, solver.formulation);
  const fixed = fixedStep(solver.family, solver.integrator);
  const scene = store.scene.value!;
  return (
    <div class="solver" data-testid="solver">
      <div class="families" role="radiogroup" aria-label="Solver">
        {FAMILIES.map(({ family, title, text }) => (
          <button key={family} type="button" role="radio" class="family" aria-checked={solver.family === family} title={text} disabled={disabled} data-testid={`solver.${family}`} onClick={() => void change({ family })}>
            {title}
          </button>
        ))}
      </div>
      <p class="note">{FAMILIES.find(({ family }) => family === solver.family)?.text}</p>
      <div class="fields">
        {solver.family === "central" && <Choice label="Formulation" testid="solver.formulation" value={solver.formulation} list={formulations(solver.family)} disabled={disabled} onChange={(formulation) => void change({ formulation })} />}
        {methods.length > 0 && <Choice label="Integrator" testid="solver.integrator" value={solver.integrator} list={methods} disabled={disabled} onChange={(integrator) => void change({ integrator })} />}
        {fixed ? (
          <Amount key="step" label="Step" unit="s" testid="solver.step" value={solver.step} disabled={disabled} send={(step) => send({ step })} />
        ) : (
          <Amount key="rtol" label="Relative tolerance" unit="" testid="solver.rtol" value={solver.rtol} disabled={disabled} send={(rtol) => send({ rtol })} />
        )}
        {solver.family === "modular" && solver.tolerance !== null && (
          <Amount key="tolerance" label="Gap in joints" unit="m" testid="solver.tolerance" value={solver.tolerance} disabled={disabled} send={(tolerance) => send({ tolerance })} />
        )}
      </div>
      {error && <p class="error" role="alert" data-testid="solver.error">{error}</p>}
      {clock && (
        <>
          <h4>Now</h4>
          <dl class="readings">
            {clock.cost !== null && <><dt>Cost per step</dt><dd>{withUnit(clock.cost, "s", 3)}</dd></>}
            {clock.iterations !== null && clock.iterations > 0 && <><dt>Iterations per step</dt><dd data-testid="solver.iterations">{formatNumber(clock.iterations, 3)}</dd></>}
            {clock.steps !== null && <><dt>Steps</dt><dd>{clock.steps.toLocaleString("en")}</dd></>}
            <dt>Energy error</dt><dd class={grade(clock.energy.error, ENERGY_LIMITS)}>{formatNumber(clock.energy.error, 2)}</dd>
            <dt>Gap in joints</dt><dd class={grade(clock.gap === null ? null : clock.gap / extent(scene.bounds), GAP_LIMITS)}>{withUnit(clock.gap, "m", 2)}</dd>
            <dt>Speed</dt><dd>{clock.running ? `${formatNumber(clock.achieved, 2)} of ${formatNumber(clock.factor, 2)}` : "paused"}</dd>
            {clock.lost > 0 && <><dt>Time lost</dt><dd class="fair">{withUnit(clock.lost, "s", 2)}</dd></>}
          </dl>
          <h4>Energy</h4>
          <dl class="readings">
            <dt>Kinetic</dt><dd>{withUnit(clock.energy.kinetic, "J")}</dd>
            <dt>Potential</dt><dd>{withUnit(clock.energy.potential, "J")}</dd>
            <dt>Dissipated</dt><dd>{withUnit(clock.energy.dissipated, "J")}</dd>
            <dt>Total</dt><dd>{withUnit(clock.energy.total, "J")}</dd>
          </dl>
        </>
      )}
      {solver.text && <p class="note mono">{solver.text}</p>}
    </div>
  );
}

function Choice(props: { label: string; testid: string; value: string | null; list: string[]; disabled: boolean; onChange(value: string): void }) {
  const list = props.value && !props.list.includes(props.value) ? [props.value, ...props.list] : props.list;
  return (
    <div class="field">
      <label for={props.testid}>{props.label}</label>
      <div class="editor">
        <select id={props.testid} data-testid={props.testid} value={props.value ?? ""} disabled={props.disabled} onChange={(event) => props.onChange(event.currentTarget.value)}>
          {list.map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
      </div>
    </div>
  );
}

interface AmountProps {
  label: string;
  unit: string;
  testid: string;
  value: number | null;
  disabled: boolean;
  send(value: number): Promise<string | null>;
}

/** A number, with a slider over decades; what is refused stays in its box, with the reason below. */
function Amount({ label, unit, testid, value, disabled, send }: AmountProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const drop = () => {
    setTyped(null);
    setError(null);
  };
  const commit = async () => {
    if (typed === null || typed === editable(value)) return drop();
    const next = evaluate(typed);
    const refusal = next === null ? `“${typed}” is not a number. Write 0.001, 1e-3 or 1 ms.` : await send(next);
    if (refusal === null) setTyped((later) => (later === typed ? null : later)); // what was typed meanwhile stays
    setError(refusal);
  };
  const slide = async (next: number) => setError(await send(next));
  return (
    <div class={`field ${error ? "wrong" : ""}`}>
      <label for={testid}>{label}</label>
      <div class="editor">
        <input
          id={testid}
          class="number"
          data-testid={testid}
          inputMode="decimal"
          autocomplete="off"
          aria-invalid={error !== null}
          disabled={disabled}
          value={typed ?? editable(value)}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => void commit()}
          onKeyDown={(event) => {
            if (event.key === "Enter") void commit();
            if (event.key === "Escape") {
              event.stopPropagation();
              drop();
            }
          }}
        />
        {unit && <span class="unit">{unit}</span>}
        {value !== null && !disabled && <SliderToggle id={` ${testid}`} label={label} testid={`slider-toggle.${testid}`} />}
      </div>
      {value !== null && !disabled && store.sliders.value.has(` ${testid}`) && <Slider label={label} testid={`slider.${testid}`} value={value} spacing="decades" send={slide} />}
      {error && <p class="error" role="alert" data-testid={`${testid}.error`}>{error}</p>}
    </div>
  );
}
