// Axes side by side, a line for each run. A drag along an axis takes the runs of that part.
import { svg } from "../ui/dom";
import { pretty } from "../plots/plot";
import { Axis } from "./axis";
import type { Choice } from "./choice";
import { away, nearest, type Point } from "./nearest";
import { pressed } from "./press";
import { strokes } from "./strokes";

const HEIGHT = 250;
const [TOP, BOTTOM, SIDE] = [44, 34, 62];
const LONG = HEIGHT - TOP - BOTTOM;
const NARROWEST = 104;
/** Pixels from an axis that belong to it. */
const NEAR = 16;

interface Placed {
  k: number;
  axis: Axis;
  x: number;
}

export class Parallel {
  readonly element = svg("svg", {
    ...{ class: "chart parallel", height: HEIGHT, role: "img" },
    "aria-label": "Axes side by side, a line for each run",
  });
  private placed: Placed[] = [];

  constructor(private readonly choice: Choice) {
    pressed(this.element, {
      click: (at) => this.click(at),
      drag: (from, to) => this.drag(from, to),
    });
  }

  draw(room: number): void {
    const { choice } = this;
    const keys = [...choice.axes].sort((a, b) => a - b);
    const width = Math.max(room, 2 * SIDE + NARROWEST * (keys.length - 1));
    const apart = keys.length > 1 ? (width - 2 * SIDE) / (keys.length - 1) : 0;
    this.element.setAttribute("width", `${width}`);
    this.placed = keys.map((k, n) => ({
      ...{ k, axis: new Axis(choice.column(k), HEIGHT - BOTTOM, TOP) },
      x: keys.length > 1 ? SIDE + n * apart : width / 2,
    }));
    const all = Array.from({ length: choice.runs.count }, (_, k) => k);
    const lines = strokes(choice, {
      ...{ name: "run-line", by: choice.colour, runs: all },
      piece: (run) =>
        `M${this.points(run)
          .map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`)
          .join("L")}`,
    });
    this.element.replaceChildren(...lines, ...this.placed.map((p) => this.axis(p, apart)));
  }

  private points(run: number): Point[] {
    if (this.placed.length === 1) {
      const [{ axis, x }] = this.placed;
      const y = axis.at(axis.column.values[run]);
      return [
        [x - 40, y],
        [x + 40, y],
      ];
    }
    return this.placed.map(({ axis, x }) => [x, axis.at(axis.column.values[run])]);
  }

  private axis({ k, axis, x }: Placed, apart: number): SVGElement {
    const { column } = axis;
    const part = this.choice.parts.get(k);
    const unit = column.unit && column.unit !== "1" ? pretty(column.unit) : "";
    const fits = Math.max(8, Math.floor((apart || 300) / 6.6));
    const label = (text: string, y: number, kind: string) =>
      svg("text", { x, y, class: kind, "text-anchor": "middle" }, clipped(text, fits));
    const group = svg(
      "g",
      { class: "axis", "data-axis": column.name },
      svg("title", {}, `${column.name}${unit ? ` in ${unit}` : ""}`),
      svg("rect", { class: "grip", x: x - NEAR, y: TOP, width: 2 * NEAR, height: LONG }),
      svg("line", { class: "spine", x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM }),
      label(column.name, 14, `axis-name ${column.kind}`),
      label(unit, 30, "axis-unit"),
      ...axis
        .marks(4)
        .map(({ at, text }) =>
          svg(
            "text",
            { x: x + 5, y: axis.at(at), class: "axis-mark", "dominant-baseline": "central" },
            clipped(text, 14),
          ),
        ),
    );
    if (!column.values.every(Number.isFinite))
      group.append(
        svg(
          "text",
          { x, y: axis.nowhere + 14, class: "axis-mark", "text-anchor": "middle" },
          "none",
        ),
      );
    if (part) {
      const [y1, y2] = [axis.at(part[1]), axis.at(part[0])];
      group.append(
        svg("rect", { class: "part", x: x - 7, y: y1, width: 14, height: Math.max(y2 - y1, 1) }),
      );
    }
    return group;
  }

  private axisAt(x: number): Placed | undefined {
    return this.placed.find((p) => Math.abs(p.x - x) < NEAR);
  }

  private drag([x, from]: Point, [, to]: Point): void {
    const own = this.axisAt(x);
    if (!own) return;
    const ends = [own.axis.value(from), own.axis.value(to)];
    this.choice.limit(own.k, [Math.min(...ends), Math.max(...ends)]);
  }

  private click(at: Point): void {
    const own = this.axisAt(at[0]);
    if (own && this.choice.parts.has(own.k)) return this.choice.limit(own.k, null);
    const { taken, runs } = this.choice;
    const all = Array.from({ length: runs.count }, (_, k) => k).filter((k) => taken[k]);
    const run = nearest(
      all,
      (k) => {
        const points = this.points(k);
        return Math.min(...points.slice(1).map((p, n) => away(at, points[n], p)));
      },
      NEAR,
    );
    this.choice.change(() => (this.choice.run = run));
  }
}

function clipped(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
