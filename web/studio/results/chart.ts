// One chart: lines of one unit over time, over another observable, or over frequency.
import type { Column } from "../../src/data/table";
import type { Times } from "../../src/motion/timeline";
import { range, type Scale, visible } from "../../src/plots/path";
import { labelled, marksOf, rules } from "../../src/plots/rules";
import { ticks } from "../../src/plots/ticks";
import { svg } from "../../src/ui/dom";
import { freePath, thinPath } from "./paths";

export const HEIGHT = 156;
export const MARGIN = { left: 58, right: 20, top: 10, bottom: 24 };

export interface ChartLine {
  /** Tells it apart from all others of the chart. */
  key: string;
  name: string;
  /** Of the run. */
  run: string;
  color: number;
  /** Which dashes: 0 is a full line. */
  dash: number;
  opacity: number;
  x: Times;
  y: Column;
  /** Changes with its numbers. */
  version: number;
}

export interface Axes {
  /** Part of x shown; null: all there is. */
  from: number | null;
  to: number | null;
  xUnit: string;
  /** x grows from sample to sample, so that samples per pixel can be thinned. */
  ordered: boolean;
  logarithmic: boolean;
  /** Limits of y never shrink: they hold still while a slider moves. */
  steady: boolean;
  marks: { x: number; text: string }[];
}

interface Drawn {
  path: SVGPathElement;
  key: string;
}

/** Decades shown below the largest value of a logarithmic axis. */
const DECADES = 5;

export class Chart {
  readonly element: SVGSVGElement;
  readonly cursor = svg("line", {
    class: "cursor hidden",
    y1: MARGIN.top,
    y2: HEIGHT - MARGIN.bottom,
  });
  readonly dots = svg("g");
  scale: Scale = { x: () => 0, y: () => 0 };
  private readonly back = svg("g");
  private readonly clip = svg("svg", { y: 0, height: HEIGHT });
  private readonly drawn = new Map<string, Drawn>();
  private limits: [number, number] | null = null;
  private shown: [number, number] = [0, 1];
  private grid = "";
  private width = 300;

  constructor(label: string) {
    this.element = svg(
      "svg",
      { class: "chart", height: HEIGHT, role: "img", "aria-label": label },
      this.back,
      this.clip,
      this.cursor,
      this.dots,
    );
  }

  /** The x of a place in pixels. */
  valueAt(x: number): number {
    const [from, to] = this.shown;
    return from + ((x - MARGIN.left) / (this.inner || 1)) * (to - from);
  }

  get extent(): readonly [number, number] {
    return this.shown;
  }

  private get inner(): number {
    return Math.max(this.width - MARGIN.left - MARGIN.right, 1);
  }

  draw(lines: readonly ChartLine[], axes: Axes, width: number): void {
    this.width = width || this.width;
    this.element.setAttribute("width", `${this.width}`);
    const [from, to] = this.horizontal(lines, axes);
    const [low, high] = this.vertical(lines, axes, from, to);
    this.shown = [from, to];
    const bottom = HEIGHT - MARGIN.bottom;
    const height = bottom - MARGIN.top;
    const level = axes.logarithmic
      ? (v: number) => Math.log10(Math.max(v, 1e-300))
      : (v: number) => v;
    const [a, b] = [level(low), level(high)];
    this.scale = {
      x: (t) => MARGIN.left + ((t - from) / (to - from || 1)) * this.inner,
      y: (v) => bottom - ((level(v) - a) / (b - a)) * height,
    };
    const place = `${from}|${to}|${low}|${high}|${this.width}|${axes.logarithmic}`;
    const grid = `${place}|${axes.xUnit}|${axes.marks.map((m) => m.x).join()}`;
    if (grid !== this.grid) {
      this.grid = grid;
      this.back.replaceChildren(...this.rules(low, high, axes), ...this.events(axes));
      const { clip, inner } = this;
      clip.setAttribute("x", `${MARGIN.left}`);
      clip.setAttribute("width", `${inner}`);
      clip.setAttribute("viewBox", `${MARGIN.left} 0 ${inner} ${HEIGHT}`);
    }
    this.trace(lines, axes, place);
  }

  private trace(lines: readonly ChartLine[], axes: Axes, place: string): void {
    const [from, to] = this.shown;
    const unused = new Set(this.drawn.keys());
    let last: SVGPathElement | null = null;
    for (const line of lines) {
      unused.delete(line.key);
      const { path, key } = this.drawn.get(line.key) ?? this.add(line);
      const now = `${place}|${line.version}|${line.y.length}`;
      if (key !== now) {
        path.setAttribute("d", this.pathOf(line, axes, from, to));
        this.drawn.set(line.key, { path, key: now });
      }
      path.setAttribute("class", `curve paint-${line.color} dash-${line.dash}`);
      path.style.strokeOpacity = `${line.opacity}`;
      const next: ChildNode | null = last ? last.nextSibling : this.clip.firstChild;
      if (next !== path) this.clip.insertBefore(path, next);
      last = path;
    }
    for (const key of unused) {
      this.drawn.get(key)!.path.remove();
      this.drawn.delete(key);
    }
  }

  private add(line: ChartLine): Drawn {
    const path = svg("path", { "data-name": line.name, "data-run": line.run });
    const drawn = { path, key: "" };
    this.drawn.set(line.key, drawn);
    return drawn;
  }

  private pathOf({ x, y }: ChartLine, axes: Axes, from: number, to: number): string {
    if (!axes.ordered) return freePath(x, y, this.scale);
    const [first, last] = visible(x, from, to);
    return thinPath(x, y, first, last, this.scale, this.inner);
  }

  private horizontal(lines: readonly ChartLine[], axes: Axes): [number, number] {
    if (axes.from !== null && axes.to !== null) return [axes.from, axes.to];
    let [low, high] = [Infinity, -Infinity];
    for (const { x } of lines) {
      const [a, b] = axes.ordered
        ? [x[0], x[x.length - 1]]
        : range(x as Float64Array, 0, x.length - 1);
      if (a < low) low = a;
      if (b > high) high = b;
    }
    if (!(high > low)) return Number.isFinite(low) ? [low - 0.5, low + 0.5] : [0, 1];
    return axes.ordered ? [low, high] : withRoom(low, high);
  }

  private vertical(
    lines: readonly ChartLine[],
    axes: Axes,
    from: number,
    to: number,
  ): [number, number] {
    let [low, high] = [Infinity, -Infinity];
    for (const { x, y } of lines) {
      const [first, last] = axes.ordered ? visible(x, from, to) : [0, y.length - 1];
      const [a, b] = range(y, first, last);
      if (a < low) low = a;
      if (b > high) high = b;
    }
    if (axes.logarithmic) {
      const top = high > 0 && Number.isFinite(high) ? 10 ** Math.ceil(Math.log10(high) + 0.02) : 1;
      return [top * 10 ** -DECADES, top];
    }
    if (!Number.isFinite(low) || !Number.isFinite(high)) return this.limits ?? [-1, 1];
    const found = withRoom(low, high);
    if (axes.steady && this.limits) {
      const [a, b] = this.limits;
      if (found[0] >= a && found[1] <= b) return this.limits;
      const room = 0.1 * (Math.max(found[1], b) - Math.min(found[0], a));
      found[0] = found[0] < a ? found[0] - room : a;
      found[1] = found[1] > b ? found[1] + room : b;
    }
    this.limits = found;
    return found;
  }

  private rules(low: number, high: number, axes: Axes): SVGElement[] {
    const [right, bottom] = [this.width - MARGIN.right, HEIGHT - MARGIN.bottom];
    const powers = (v: number) => ({ at: v, text: v.toExponential(0) });
    const [from, to] = this.shown;
    return rules(
      { left: MARGIN.left, right, top: MARGIN.top, bottom },
      this.scale,
      labelled(ticks(from, to, Math.max(2, this.width / 70)), axes.xUnit),
      axes.logarithmic ? decades(low, high).map(powers) : marksOf(low, high, 4),
    );
  }

  private events({ marks }: Axes): SVGElement[] {
    const [from, to] = this.shown;
    return marks
      .filter((m) => m.x >= from && m.x <= to)
      .map((m) => {
        const x = this.scale.x(m.x);
        return svg(
          "line",
          { class: "event", x1: x, x2: x, y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom },
          svg("title", {}, m.text),
        );
      });
  }

  /** Put the cursor at an x, or hide it. */
  point(x: number | null): void {
    const [from, to] = this.shown;
    const inside = x !== null && x >= from && x <= to;
    this.cursor.classList.toggle("hidden", !inside);
    if (!inside) return;
    this.cursor.setAttribute("x1", `${this.scale.x(x)}`);
    this.cursor.setAttribute("x2", `${this.scale.x(x)}`);
  }
}

function withRoom(low: number, high: number): [number, number] {
  const flat = high - low < 1e-6 * Math.max(Math.abs(low), Math.abs(high)) || high === low;
  const room = flat ? 0.5 * Math.abs(high) || 1 : 0.06 * (high - low);
  return [low - room, high + room];
}

function decades(low: number, high: number): number[] {
  const first = Math.round(Math.log10(low));
  const last = Math.round(Math.log10(high));
  return Array.from({ length: last - first + 1 }, (_, k) => 10 ** (first + k));
}
