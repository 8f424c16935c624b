// One chart: over time, or one quantity over another. Samples come in ten times a second; the chart is drawn as often at most.

import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import { labelOf } from "../actions";
import { formatNumber } from "../logic/format";
import { indexAt } from "../logic/series";
import { dark, past, series, type Plot } from "../store";

/** Told apart by people who see colours differently, on light and on dark. */
export const SERIES_COLOURS = ["#3b82f6", "#e8743b", "#10a37f", "#b657d6", "#d4a012", "#e0507a", "#4bb3c9", "#8a8f98"];

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function axis(label: string, size: number): uPlot.Axis {
  return {
    label,
    size,
    gap: 3,
    labelGap: 0,
    labelSize: label ? 16 : 0,
    labelFont: "11px system-ui, sans-serif",
    font: "11px system-ui, sans-serif",
    stroke: colour("--text-2"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1, size: 4 },
    values: (_, splits) => splits.map((value) => formatNumber(value, 4)),
  };
}

/** The unit that all quantities share, if they do. */
function sharedUnit(quantities: readonly string[]): string {
  const units = new Set(quantities.map((quantity) => labelOf(quantity).unit));
  return units.size === 1 ? [...units][0]! : "";
}

/** A line through points in the order of time, for one quantity over another: x need not grow. */
const path: uPlot.Series.PathBuilder = (u, index) => {
  const stroke = new Path2D();
  const [xs, ys] = u.data[index] as unknown as [(number | null)[], (number | null)[]];
  let pen = false;
  for (let i = 0; i < xs.length; i++) {
    const [x, y] = [xs[i], ys[i]];
    if (x === null || x === undefined || y === null || y === undefined) {
      pen = false;
      continue;
    }
    const [px, py] = [u.valToPos(x, "x", true), u.valToPos(y, "y", true)];
    if (pen) stroke.lineTo(px, py);
    else stroke.moveTo(px, py);
    pen = true;
  }
  return { stroke, flags: 0 } as uPlot.Series.Paths;
};

function range(values: (number | null)[][]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const list of values)
    for (const value of list) {
      if (value === null || value === undefined) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  if (low > high) return [0, 1];
  const margin = 0.05 * (high - low) || 0.05 * Math.abs(high) || 1;
  return [low - margin, high + margin];
}

/** A thin line at the moment that is looked at. */
function moment(u: uPlot): void {
  const time = past.peek();
  if (time === null) return;
  const x = Math.round(u.valToPos(time, "x", true));
  u.ctx.save();
  u.ctx.strokeStyle = colour("--accent");
  u.ctx.lineWidth = window.devicePixelRatio;
  u.ctx.beginPath();
  u.ctx.moveTo(x, u.bbox.top);
  u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
  u.ctx.stroke();
  u.ctx.restore();
}

function options(plot: Plot, width: number, height: number, point: (index: number | null) => void): uPlot.Options {
  const lines = plot.quantities.map((quantity, i) => ({ label: labelOf(quantity).label, stroke: SERIES_COLOURS[i % SERIES_COLOURS.length]!, width: 1.5, points: { show: false } }));
  const shared: Partial<uPlot.Options> = { width, height, legend: { show: false }, padding: [8, 12, 0, 0] };
  if (plot.x === null) {
    return {
      ...shared,
      width,
      height,
      scales: { x: { time: false } },
      axes: [axis("t [s]", 26), axis(sharedUnit(plot.quantities), 48)],
      series: [{}, ...lines],
      cursor: { y: false, drag: { x: true, y: false } },
      hooks: { setCursor: [(u) => point(u.cursor.idx ?? null)], draw: [moment] },
    };
  }
  const { label, unit } = labelOf(plot.x);
  return {
    ...shared,
    width,
    height,
    mode: 2,
    scales: {
      x: { time: false, range: (u) => range(u.data.slice(1).map((pair) => (pair as unknown as (number | null)[][])[0]!)) },
      y: { range: (u) => range(u.data.slice(1).map((pair) => (pair as unknown as (number | null)[][])[1]!)) },
    },
    axes: [axis(unit ? `${label} [${unit}]` : label, 26), axis(sharedUnit(plot.quantities), 48)],
    series: [{}, ...lines.map((line) => ({ ...line, facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }], paths: path }))],
    cursor: { show: false },
  };
}

/** The samples as the chart wants them. */
function dataOf(plot: Plot): uPlot.AlignedData {
  const { t, values } = series.value;
  const column = (quantity: string) => values[quantity] ?? new Array<null>(t.length).fill(null);
  if (plot.x === null) return [t, ...plot.quantities.map(column)] as uPlot.AlignedData;
  const x = column(plot.x);
  return [null, ...plot.quantities.map((quantity) => [x, column(quantity)])] as unknown as uPlot.AlignedData;
}

export function Chart({ plot, point }: { plot: Plot; point(index: number | null): void }) {
  const box = useRef<HTMLDivElement>(null);
  const isDark = dark.value;
  const key = `${plot.x} ${plot.quantities.join()} ${isDark}`;
  useEffect(() => {
    const element = box.current!;
    const chart = new uPlot(options(plot, element.clientWidth, element.clientHeight, point), dataOf(plot), element);
    let frame = 0;
    const draw = () => {
      frame = 0;
      chart.setData(dataOf(plot));
    };
    const stop = effect(() => {
      const known = series.value;
      if (past.value !== null) point(indexAt(known.t, past.value));
      if (!frame) frame = requestAnimationFrame(draw);
    });
    const watcher = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: element.clientHeight }));
    watcher.observe(element);
    return () => {
      stop();
      cancelAnimationFrame(frame);
      watcher.disconnect();
      chart.destroy();
    };
  }, [key]);
  return <div class="chart" ref={box} />;
}
