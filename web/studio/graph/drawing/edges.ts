// An edge of a linear graph: a curve with an arrow in its middle, bold if it is in the tree.
import { svg } from "../../../src/ui/dom";
import type { Item } from "../canvas/items";
import type { Bounds } from "../canvas/viewport";
import type { EdgeData, Point } from "../data";
import {
  curveOf,
  distanceToWay,
  flattened,
  minus,
  onCurve,
  pathOf,
  plus,
  times,
} from "../geometry";

export class Edge implements Item {
  readonly rank = "line";
  readonly focusable = false;
  readonly details: readonly (readonly [string, string])[];
  readonly element: SVGGElement;
  private curve: readonly Point[];
  private pieces: Point[] = [];
  private readonly paths = ["halo", "line"].map((name) => svg("path", { class: name }));
  private readonly arrow = svg("path", { class: "arrow" });
  private readonly label: SVGTextElement | null = null;
  private readonly beside: Point = [0, 0];

  constructor(readonly data: EdgeData) {
    this.curve = data.points;
    this.details = [["part of the", data.tree ? "tree" : "cotree"]];
    this.element = svg(
      "g",
      {
        class: `edge ${data.kind.replace(/ /g, "-")} ${data.tree ? "tree" : "cotree"}`,
        role: "option",
        "aria-selected": "false",
        "aria-label": data.sentence || data.name,
        "data-name": data.name,
        "data-owner": data.owner,
      },
      ...this.paths,
      this.arrow,
    );
    this.element.style.setProperty("--paint", data.colour);
    if (data.label) {
      this.beside = minus(data.label.at, onCurve(this.curve, 0.5).at);
      this.label = svg("text", { class: "name", dy: "0.35em" }, data.label.text);
      this.element.append(this.label);
    }
    this.draw();
  }

  get name(): string {
    return this.data.name;
  }

  get owner(): string {
    return this.data.owner || this.data.name;
  }

  get sentence(): string {
    return this.data.sentence || this.data.name;
  }

  get centre(): Point {
    return onCurve(this.curve, 0.5).at;
  }

  get bounds(): Bounds {
    const [xs, ys] = [this.pieces.map(([x]) => x), this.pieces.map(([, y]) => y)];
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }

  distance(p: Point): number {
    return distanceToWay(p, this.pieces);
  }

  /** Follow vertices that were moved. */
  stretch(tail: Point, head: Point): void {
    const [a, c, b] = this.curve;
    this.curve = [plus(a, tail), plus(c, times(plus(tail, head), 0.5)), plus(b, head)];
    this.draw();
  }

  private draw(): void {
    this.pieces = flattened(this.curve);
    const d = curveOf(this.curve);
    for (const path of this.paths) path.setAttribute("d", d);
    const { at, along } = onCurve(this.curve, 0.5);
    const size = this.data.tree ? 9 : 6.5;
    const ahead = times(along, 0.8 * size);
    const aside: Point = [-0.62 * size * along[1], 0.62 * size * along[0]];
    const corners = [
      plus(at, ahead),
      plus(minus(at, ahead), aside),
      minus(minus(at, ahead), aside),
    ];
    this.arrow.setAttribute("d", `${pathOf(corners)}Z`);
    if (this.label) {
      const [x, y] = plus(at, this.beside);
      this.label.setAttribute("x", `${x}`);
      this.label.setAttribute("y", `${y}`);
    }
  }
}
