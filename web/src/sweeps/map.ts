// Two columns as axes, a third as colour: dots, or the cells of a grid. A drag takes the runs within.
import { rules } from "../plots/rules";
import { svg } from "../ui/dom";
import { Axis } from "./axis";
import type { Choice, Part } from "./choice";
import type { Column } from "./data";
import { nearest, type Point } from "./nearest";
import { pressed } from "./press";
import { strokes } from "./strokes";

const HEIGHT = 270;
const MARGIN = { left: 64, right: 18, top: 12, bottom: 44 };
const NEAR = 16;

export class SweepMap {
  readonly element = svg("svg", {
    ...{ class: "chart map", height: HEIGHT, role: "img" },
    "aria-label": "Runs over two axes",
  });
  private x: Axis | null = null;
  private y: Axis | null = null;

  constructor(private readonly choice: Choice) {
    pressed(this.element, {
      click: (at) => this.click(at),
      drag: (from, to) => this.drag(from, to),
    });
  }

  draw(width: number): void {
    const { choice } = this;
    const [right, bottom] = [width - MARGIN.right, HEIGHT - MARGIN.bottom];
    const x = new Axis(choice.column(choice.x), MARGIN.left, right);
    const y = new Axis(choice.column(choice.y), bottom, MARGIN.top);
    [this.x, this.y] = [x, y];
    this.element.setAttribute("width", `${width}`);
    const cells = cellsOf(x, y, choice.runs.count);
    const place = (k: number): Point => [x.at(x.column.values[k]), y.at(y.column.values[k])];
    const dot = (k: number) =>
      `M${place(k)
        .map((v) => v.toFixed(1))
        .join(" ")}h0`;
    const cross = (k: number) => {
      const [a, b] = place(k);
      return `M${a - 4} ${b - 4}l8 8m0 -8l-8 8`;
    };
    const lines = strokes(choice, {
      ...{ name: cells ? "run-cell" : "run-dot", by: choice.z, failed: cross },
      runs: Array.from({ length: choice.runs.count }, (_, k) => k),
      piece: (k) => (cells ? cells(k) : dot(k)),
    });
    const box = { left: MARGIN.left, right, top: MARGIN.top, bottom };
    const scale = { x: (v: number) => x.at(v), y: (v: number) => y.at(v) };
    this.element.replaceChildren(
      ...rules(box, scale, x.marks(Math.max(2, width / 90)), y.marks(4)),
      ...lines,
      ...this.taken(x, y),
    );
  }

  private taken(x: Axis, y: Axis): SVGElement[] {
    const { choice } = this;
    const [a, b] = [choice.parts.get(choice.x), choice.parts.get(choice.y)];
    if (!a && !b) return [];
    const ends = (axis: Axis, part: Part | undefined) =>
      (part ? part.map((v) => axis.at(v)) : [axis.from, axis.to]).sort((p, q) => p - q);
    const [x1, x2] = ends(x, a);
    const [y1, y2] = ends(y, b);
    return [svg("rect", { class: "part", x: x1, y: y1, width: x2 - x1, height: y2 - y1 })];
  }

  private drag(from: Point, to: Point): void {
    const { x, y, choice } = this;
    if (!x || !y) return;
    const part = (axis: Axis, n: 0 | 1): Part => {
      const ends = [axis.value(from[n]), axis.value(to[n])];
      return [Math.min(...ends), Math.max(...ends)];
    };
    choice.change(() => {
      choice.parts.set(choice.x, part(x, 0));
      choice.parts.set(choice.y, part(y, 1));
    });
  }

  private click([px, py]: Point): void {
    const { x, y, choice } = this;
    if (!x || !y) return;
    const { taken, runs } = choice;
    const all = Array.from({ length: runs.count }, (_, k) => k).filter((k) => taken[k]);
    const run = nearest(
      all,
      (k) => Math.hypot(x.at(x.column.values[k]) - px, y.at(y.column.values[k]) - py),
      cellsOf(x, y, runs.count) ? Infinity : NEAR,
    );
    choice.change(() => {
      choice.run = run;
      if (run !== null) return;
      choice.parts.delete(choice.x);
      choice.parts.delete(choice.y);
    });
  }
}

/** Cells of a grid that was varied along both axes, if every run has its own. */
function cellsOf(x: Axis, y: Axis, count: number): ((run: number) => string) | null {
  if (x.column.kind !== "varied" || y.column.kind !== "varied" || x.column === y.column)
    return null;
  const [columns, lines] = [distinct(x.column), distinct(y.column)];
  if (columns.length * lines.length !== count || Math.min(columns.length, lines.length) < 2)
    return null;
  const [across, along] = [edges(columns, x), edges(lines, y)];
  return (run) => {
    const [a, b] = across.get(x.column.values[run])!;
    const [c, d] = along.get(y.column.values[run])!;
    return `M${a.toFixed(1)} ${c.toFixed(1)}H${b.toFixed(1)}V${d.toFixed(1)}H${a.toFixed(1)}Z`;
  };
}

function distinct({ values }: Column): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

/** Pixels half-way to the neighbours of every value; those at the end stay on the chart. */
function edges(values: number[], axis: Axis): Map<number, [number, number]> {
  const middle = (k: number) => axis.at((values[k] + values[k + 1]) / 2);
  return new Map(
    values.map((v, k) => [
      v,
      [k ? middle(k - 1) : axis.from, k < values.length - 1 ? middle(k) : axis.to],
    ]),
  );
}
