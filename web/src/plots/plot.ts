// One plot: curves of one unit over time, with the cursor at the time shown.
import type { Curve, Table } from "../data/table";
import type { EventData } from "../data/types";
import type { Clock } from "../motion/clock";
import { h, icon, svg } from "../ui/dom";
import { curvePath, range, type Scale, visible } from "./path";
import { labelled, marksOf, rules } from "./rules";
import { readable, ticks } from "./ticks";
import { drag } from "./gestures";
import type { TimeWindow } from "./window";

const HEIGHT = 146;
const MARGIN = { left: 58, right: 20, top: 10, bottom: 24 };

export interface Painted {
  curve: Curve;
  color: number;
}

interface Row extends Painted {
  value: HTMLElement;
  dot: SVGCircleElement;
}

export class Plot {
  readonly element: HTMLElement;
  private readonly back = svg("g");
  private readonly front = svg("g");
  private readonly cursor = svg("line", {
    class: "cursor",
    y1: MARGIN.top,
    y2: HEIGHT - MARGIN.bottom,
  });
  private readonly chart: SVGSVGElement;
  private rows: Row[] = [];
  private width = 400;
  private scale: Scale = { x: () => 0, y: () => 0 };

  constructor(
    private readonly table: Table,
    private readonly window: TimeWindow,
    private readonly clock: Clock,
    private readonly events: EventData[],
    painted: Painted[],
    remove: (name: string) => void,
  ) {
    const { unit } = painted[0].curve;
    const names = painted.map((p) => p.curve.name).join(", ");
    this.chart = svg(
      "svg",
      { class: "chart", height: HEIGHT, role: "img", "aria-label": `Plot of ${names} over time` },
      this.back,
      this.cursor,
      this.front,
    );
    const legend = h("ul", { class: "legend" });
    const label = h("div", { class: "unit" }, unit && unit !== "1" ? pretty(unit) : "no unit");
    this.element = h("figure", { class: "plot" }, label, this.chart, legend);
    for (const p of painted) this.addRow(p, legend, remove);
    drag(
      this.chart,
      this.window,
      (x) => this.timeAt(x),
      (time) => this.clock.seek(time),
    );
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  private addRow(painted: Painted, legend: HTMLElement, remove: (name: string) => void): void {
    const { name, unique } = painted.curve;
    const value = h("span", { class: "value" });
    const note = unique ? "" : " ≈";
    const close = h(
      "button",
      { type: "button", class: "quiet", "aria-label": `Remove ${name}`, click: () => remove(name) },
      icon("close"),
    );
    legend.append(
      h(
        "li",
        { class: `paint-${painted.color}` },
        h("span", { class: "swatch" }),
        h("span", { class: "name", title: name }, name + note),
        value,
        close,
      ),
    );
    const dot = svg("circle", { r: 3.5, class: `dot paint-${painted.color}` });
    this.rows.push({ ...painted, value, dot });
  }

  private timeAt(x: number): number {
    const { from, to } = this.window;
    const inner = this.width - MARGIN.left - MARGIN.right;
    return from + ((x - MARGIN.left) / inner) * (to - from);
  }

  draw(): void {
    this.width = this.element.clientWidth || this.width;
    this.chart.setAttribute("width", `${this.width}`);
    const { from, to } = this.window;
    const { times } = this.table.timeline;
    const [first, last] = visible(times, from, to);
    const [low, high] = this.limits(first, last);
    const inner = this.width - MARGIN.left - MARGIN.right;
    const bottom = HEIGHT - MARGIN.bottom;
    this.scale = {
      x: (t) => MARGIN.left + ((t - from) / (to - from || 1)) * inner,
      y: (v) => bottom - ((v - low) / (high - low)) * (bottom - MARGIN.top),
    };
    this.back.replaceChildren(...this.gridLines(low, high), ...this.eventLines());
    const clip = svg("svg", {
      x: MARGIN.left,
      y: 0,
      width: Math.max(inner, 0),
      height: HEIGHT,
      viewBox: `${MARGIN.left} 0 ${Math.max(inner, 1)} ${HEIGHT}`,
    });
    for (const { curve, color } of this.rows) {
      const d = curvePath(times, curve.values, first, last, this.scale, inner);
      clip.append(svg("path", { d, class: `curve paint-${color}`, "data-name": curve.name }));
    }
    this.front.replaceChildren(clip, ...this.rows.map((row) => row.dot));
    this.show();
  }

  private limits(first: number, last: number): [number, number] {
    let [low, high] = [Infinity, -Infinity];
    for (const { curve } of this.rows) {
      const [a, b] = range(curve.values, first, last);
      low = Math.min(low, a);
      high = Math.max(high, b);
    }
    if (!Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
    const flat = high - low < 1e-6 * Math.max(Math.abs(low), Math.abs(high)) || high === low;
    const room = flat ? 0.5 * Math.abs(high) || 1 : 0.06 * (high - low);
    return [low - room, high + room];
  }

  private gridLines(low: number, high: number): SVGElement[] {
    const [right, bottom] = [this.width - MARGIN.right, HEIGHT - MARGIN.bottom];
    const { from, to } = this.window;
    const stamps = ticks(from, to, Math.max(2, this.width / 62));
    return rules(
      { left: MARGIN.left, right, top: MARGIN.top, bottom },
      this.scale,
      labelled(stamps, "s"),
      marksOf(low, high, 4),
    );
  }

  private eventLines(): SVGElement[] {
    const { from, to } = this.window;
    return this.events
      .filter((e) => e.time >= from && e.time <= to)
      .map((e) => {
        const x = this.scale.x(e.time);
        return svg(
          "line",
          { class: "event", x1: x, x2: x, y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom },
          svg("title", {}, `${e.name} ${e.message}`),
        );
      });
  }

  /** Cursor, dots and numbers at the time shown. */
  show(): void {
    const { time } = this.clock;
    const x = this.scale.x(time);
    const inside = time >= this.window.from && time <= this.window.to;
    this.cursor.setAttribute("x1", `${x}`);
    this.cursor.setAttribute("x2", `${x}`);
    this.cursor.classList.toggle("hidden", !inside);
    for (const { curve, value, dot } of this.rows) {
      const v = this.table.value(curve, time);
      value.textContent = readable(v);
      dot.classList.toggle("hidden", !inside || !Number.isFinite(v));
      if (!Number.isFinite(v)) continue;
      dot.setAttribute("cx", `${x}`);
      dot.setAttribute("cy", `${this.scale.y(v)}`);
    }
  }
}

/** N*m as N·m, m/s^2 as m/s². */
export function pretty(unit: string): string {
  return unit.replace(/\*/g, "·").replace(/\^2/g, "²").replace(/\^3/g, "³");
}
