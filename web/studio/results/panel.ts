// One panel of the results: a chart with its legend, in any of the ways to look at curves.
import type { Column } from "../../src/data/table";
import { pretty } from "../../src/plots/plot";
import { drag } from "../../src/plots/gestures";
import { visible } from "../../src/plots/path";
import { readable } from "../../src/plots/ticks";
import type { TimeWindow } from "../../src/plots/window";
import { h, icon, svg } from "../../src/ui/dom";
import { CURVE_COLORS } from "../../src/view/theme";
import type { Studio } from "../studio";
import { type Axes, Chart, type ChartLine } from "./chart";
import type { Choice } from "./choice";
import { strength } from "./fading";
import type { Line, Recording } from "./recording";
import { dashOf } from "./run_list";
import { peak, reach, spectrum } from "./spectrum";
import type { Runs } from "./store";

interface Row {
  value: HTMLElement;
  dot: SVGCircleElement;
}

/** What is drawn of a recording: how strong, with which dashes. */
interface Drawn {
  recording: Recording;
  key: string;
  label: string;
  dash: number;
  opacity: number;
}

export class Panel {
  readonly element: HTMLElement;
  private readonly chart: Chart;
  private readonly unit = h("div", { class: "unit" });
  private readonly rows = new Map<string, Row>();
  /** Largest frequency worth showing. */
  private reach = 0;
  private peaks = new Map<string, string>();

  constructor(
    private readonly studio: Studio,
    private readonly runs: Runs,
    private readonly choice: Choice,
    private readonly window: TimeWindow,
    readonly names: readonly string[],
    seek: (time: number) => void,
  ) {
    this.chart = new Chart(`Plot of ${names.join(", ")}`);
    const legend = h("ul", { class: "legend" }, ...names.map((name) => this.row(name)));
    this.element = h("figure", { class: "plot" }, this.unit, this.chart.element, legend);
    const overTime = () => choice.mode.peek() === "time" || choice.mode.peek() === "difference";
    const zoomed: Pick<TimeWindow, "set" | "zoom" | "reset"> = {
      set: (from, to) => overTime() && window.set(from, to),
      zoom: (factor, about) => overTime() && window.zoom(factor, about),
      reset: () => window.reset(),
    };
    drag(
      this.chart.element,
      zoomed,
      (x) => this.chart.valueAt(x),
      (time) => overTime() && seek(time),
    );
  }

  private row(name: string): HTMLElement {
    const color = this.choice.color(name, CURVE_COLORS);
    const value = h("span", { class: "value" });
    const dot = svg("circle", { r: 3.5, class: `dot hidden paint-${color}` });
    this.chart.dots.append(dot);
    this.rows.set(name, { value, dot });
    return h(
      "li",
      { class: `paint-${color}` },
      h("span", { class: "swatch" }),
      h("span", { class: "name", title: name }, name),
      value,
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": `Remove ${name}`,
          click: () => this.choice.flip(name),
        },
        icon("close"),
      ),
    );
  }

  /** Everything, with the numbers there are. */
  draw(width: number): void {
    const mode = this.choice.mode.value;
    const lines = mode === "difference" ? this.differenceLines() : this.lines();
    this.chart.draw(lines, this.axes(), width);
    if (mode === "spectrum")
      this.peaks = new Map(this.names.map((name) => [name, this.peakText(name)]));
    this.show();
  }

  private recordings(): Drawn[] {
    const drafts = this.runs.drafts.value;
    const shown = this.runs.shown.value;
    const isBehind = drafts.length > 0;
    const all = this.runs.drawn();
    const runs = all.map((recording) => ({
      ...{ recording, key: `run ${recording.id}`, label: `run ${recording.id}` },
      dash: Math.min(dashOf(all, recording.id) + (isBehind ? 1 : 0), 4),
      opacity: isBehind ? 0.45 : recording === shown ? 1 : 0.75,
    }));
    const fading = drafts.map((recording, k) => ({
      ...{ recording, key: `draft ${recording.id}`, label: "draft", dash: 0 },
      opacity: strength(drafts.length - 1 - k),
    }));
    return [...runs, ...fading];
  }

  private lines(): ChartLine[] {
    this.reach = 0;
    const found: ChartLine[] = [];
    for (const drawn of this.recordings())
      for (const name of this.names) {
        const line = drawn.recording.line(name);
        const shaped = line && this.shaped(line, drawn.recording);
        if (shaped) found.push(this.painted(name, drawn, shaped));
      }
    return found;
  }

  private painted(
    name: string,
    { recording, key, label, dash, opacity }: Drawn,
    { x, y }: { x: Column; y: Column },
  ): ChartLine {
    const { mode, abscissa, taper } = this.choice;
    const way = `${mode.value} ${mode.value === "xy" ? abscissa.value : ""} ${taper.value}`;
    return {
      ...{ key: `${key} ${name} ${way}`, name, run: label, dash, opacity, x, y },
      color: this.choice.color(name, CURVE_COLORS),
      version: recording.version + (mode.value === "spectrum" ? this.window.from / 7 : 0),
    };
  }

  /** A curve as the chosen way of looking has it. */
  private shaped({ times, values }: Line, recording: Recording): { x: Column; y: Column } | null {
    const { mode, abscissa, taper } = this.choice;
    if (mode.value === "xy") {
      const other = recording.line(abscissa.value);
      return other && other.values.length === values.length ? { x: other.values, y: values } : null;
    }
    if (mode.value === "spectrum") {
      const [first, last] = visible(times, this.window.from, this.window.to);
      const found = spectrum(times, values, first, last, taper.value);
      this.reach = Math.max(this.reach, reach(found));
      return found.frequencies.length ? { x: found.frequencies, y: found.amplitudes } : null;
    }
    return { x: times as Column, y: values };
  }

  /** First run minus second, at the samples of the first. */
  private differenceLines(): ChartLine[] {
    const pair = this.choice.pair.value;
    if (!pair) return [];
    const [a, b] = pair.map((id) => this.runs.recording(id));
    return this.names.flatMap((name) => {
      const [one, two] = [a.line(name), b.line(name)];
      if (!one || !two) return [];
      const y = Float64Array.from(one.values, (v, k) => v - b.value(name, one.times[k])!.value);
      const key = `difference ${a.id} ${b.id} ${name}`;
      const color = this.choice.color(name, CURVE_COLORS);
      const x = one.times as Column;
      const version = a.version + 1000 * b.version;
      return [{ ...{ key, name, run: key, color, dash: 0, opacity: 1, x, y, version } }];
    });
  }

  private axes(): Axes {
    const { mode, abscissa, logarithmic } = this.choice;
    const overTime = mode.value === "time" || mode.value === "difference";
    const isSpectrum = mode.value === "spectrum";
    const unit = this.choice.unit(abscissa.value) ?? "";
    return {
      from: overTime ? this.window.from : isSpectrum ? 0 : null,
      to: overTime ? this.window.to : isSpectrum ? this.reach : null,
      xUnit: overTime ? "s" : mode.value === "spectrum" ? "Hz" : unit === "1" ? "" : pretty(unit),
      ordered: mode.value !== "xy",
      logarithmic: mode.value === "spectrum" && logarithmic.value,
      steady: this.runs.drafts.value.length > 0,
      marks: overTime
        ? this.runs.events().map((e) => ({ x: e.time, text: `${e.name} ${e.message}`.trim() }))
        : [],
    };
  }

  /** Cursor, dots and numbers at the time shown. */
  show(): void {
    const { mode, abscissa } = this.choice;
    const time = this.studio.time.peek();
    const shown = this.runs.shown.peek();
    this.chart.point(mode.peek() === "time" || mode.peek() === "difference" ? time : null);
    let unit = "";
    for (const [name, { value, dot }] of this.rows) {
      const now = shown?.value(name, time);
      unit ||= now?.unit ?? this.choice.unit(name) ?? "";
      const x = mode.peek() === "xy" ? shown?.value(abscissa.peek(), time)?.value : time;
      const drawn = mode.peek() === "time" || mode.peek() === "xy";
      const [from, to] = this.chart.extent;
      const inside = x !== undefined && x >= from && x <= to;
      const isSeen = drawn && inside && now !== null && now !== undefined && isFinite(now.value);
      dot.classList.toggle("hidden", !isSeen);
      if (isSeen) {
        dot.setAttribute("cx", `${this.chart.scale.x(x)}`);
        dot.setAttribute("cy", `${this.chart.scale.y(now.value)}`);
      }
      value.textContent =
        mode.peek() === "spectrum" ? (this.peaks.get(name) ?? "") : now ? readable(now.value) : "";
    }
    const suffix =
      mode.peek() === "spectrum"
        ? "amplitude, "
        : mode.peek() === "difference"
          ? "difference, "
          : "";
    this.unit.textContent = suffix + (unit && unit !== "1" ? pretty(unit) : "no unit");
  }

  /** The strongest oscillation of the run shown. */
  private peakText(name: string): string {
    const line = this.runs.shown.peek()?.line(name);
    if (!line) return "";
    const [first, last] = visible(line.times, this.window.from, this.window.to);
    const found = peak(spectrum(line.times, line.values, first, last, this.choice.taper.peek()));
    return found ? `${readable(found[1])} at ${readable(found[0])} Hz` : "";
  }
}
