// The drawer with the plots: any number, each with any number of quantities.

import { useState } from "preact/hooks";

import * as act from "../actions";
import { csv } from "../logic/series";
import type { Quantity } from "../protocol";
import * as store from "../store";
import { Chart, SERIES_COLOURS } from "./Chart";
import { Empty, IconButton } from "./parts";
import { QuantityPicker } from "./QuantityPicker";

export function Plots() {
  const plots = store.plots.value;
  const [picking, setPicking] = useState<{ plot: number | null; axis: "x" | "y" } | null>(null);
  const choose = (quantity: Quantity | null) => {
    if (picking?.axis === "x") void act.setPlots(plots.map((plot) => (plot.id === picking.plot ? { ...plot, x: quantity?.quantity ?? null } : plot)));
    else if (quantity) void act.plot(quantity.quantity, picking?.plot ?? null);
    setPicking(null);
  };
  return (
    <section class="plots" aria-label="Plots" data-testid="plots">
      {plots.map((plot) => (
        <PlotCard key={plot.id} plot={plot} pick={(axis) => setPicking({ plot: plot.id, axis })} />
      ))}
      {plots.length === 0 ? (
        <Empty icon="chart">
          Plot anything while it moves.<br />
          <button type="button" class="button primary" data-testid="plot.add" onClick={() => setPicking({ plot: null, axis: "y" })}>Choose a quantity</button>
        </Empty>
      ) : (
        <button type="button" class="button add-plot" data-testid="plot.add" title="Another plot" aria-label="Another plot" onClick={() => setPicking({ plot: null, axis: "y" })}>+</button>
      )}
      {picking && <QuantityPicker axis={picking.axis} choose={choose} close={() => setPicking(null)} />}
    </section>
  );
}

function PlotCard({ plot, pick }: { plot: store.Plot; pick(axis: "x" | "y"): void }) {
  const [at, setAt] = useState<number | null>(null); // the sample under the pointer
  const data = store.series.value;
  const index = at ?? data.t.length - 1;
  return (
    <article class="plot" data-testid={`plot.${plot.id}`}>
      <header>
        <ul class="legend">
          {plot.quantities.map((quantity, i) => {
            const { label, unit } = act.labelOf(quantity);
            const value = data.values[quantity]?.[index];
            return (
              <li key={quantity} title={quantity}>
                <i style={{ background: SERIES_COLOURS[i % SERIES_COLOURS.length] }} />
                <span class="legend-name">{label}</span>
                <output>{value === null || value === undefined ? "—" : value.toPrecision(4)}{unit && ` ${unit}`}</output>
                <IconButton icon="close" size={12} class="tiny" title={`Remove ${label}`} onClick={() => void act.setPlots(store.withoutQuantity(store.plots.value, quantity, plot.id))} />
              </li>
            );
          })}
        </ul>
        <div class="plot-buttons">
          <IconButton icon="plus" size={16} class="small" title="Add a quantity" testid="plot.more" onClick={() => pick("y")} />
          <button type="button" class="button small text" title="Horizontal axis" data-testid="plot.x" onClick={() => pick("x")}>x: {plot.x === null ? "time" : act.labelOf(plot.x).label}</button>
          <IconButton icon="download" size={16} class="small" title="Download as CSV" testid="plot.csv" onClick={() => saveCsv(plot)} />
          <IconButton icon="close" size={16} class="small" title="Close the plot" testid="plot.close" onClick={() => void act.setPlots(store.plots.value.filter((other) => other.id !== plot.id))} />
        </div>
      </header>
      <Chart plot={plot} point={setAt} />
    </article>
  );
}

function saveCsv(plot: store.Plot): void {
  const names = plot.x === null ? plot.quantities : [plot.x, ...plot.quantities];
  const address = URL.createObjectURL(new Blob([csv(store.series.value, names)], { type: "text/csv" }));
  act.download(address, {}, "plot.csv");
  window.setTimeout(() => URL.revokeObjectURL(address), 1000);
}
