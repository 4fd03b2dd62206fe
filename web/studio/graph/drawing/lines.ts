// A bond: its line (double for a vector), half arrow, causal strokes, dimension.
import { svg } from "../../../src/ui/dom";
import type { Item } from "../canvas/items";
import type { Bounds } from "../canvas/viewport";
import type { BondData, Point } from "../data";
import {
  distanceToWay,
  halfArrow,
  length,
  middle,
  minus,
  pathOf,
  plus,
  stretched,
  strokeAt,
  times,
  trimmed,
} from "../geometry";
import type { Symbol } from "./symbols";

const STANDS_BESIDE = 9;

export class BondLine implements Item {
  readonly rank = "line";
  readonly focusable = false;
  readonly element: SVGGElement;
  /** From the edge of one symbol to that of the other. */
  way: Point[] = [];
  /** Watts from tail to head at the time shown, if they are known. */
  power: number | null = null;
  private route: readonly Point[];
  private readonly lines: SVGPathElement[];
  private readonly barb = svg("path", { class: "barb" });
  private readonly strokes: SVGPathElement;
  private readonly label: SVGTextElement | null = null;
  private beside: Point = [0, 0];
  private readonly followers: (() => void)[] = [];

  constructor(
    readonly data: BondData,
    readonly tail: Symbol,
    readonly head: Symbol,
  ) {
    const { stroke, dim } = data;
    this.route = whole(data.points, tail.at, head.at);
    const classes = ["halo", "line", ...(dim > 1 ? ["inner"] : [])];
    this.lines = classes.map((name) => svg("path", { class: name }));
    const mixed = stroke.tail && stroke.head;
    this.strokes = svg("path", { class: mixed ? "stroke mixed" : "stroke" });
    this.element = svg(
      "g",
      {
        class: `bond ${dim > 1 ? "vector" : "single"} ${data.forced ? "forced" : ""}`,
        role: "option",
        "aria-selected": "false",
        "aria-label": data.sentence || data.name,
        "data-name": data.name,
        "data-owner": data.owner,
      },
      ...this.lines,
      this.barb,
      this.strokes,
    );
    this.element.style.setProperty("--paint", data.colour);
    this.draw();
    const words = data.label?.text ?? (dim > 1 ? `${dim}` : "");
    if (words) {
      this.beside = this.besideMiddle();
      this.label = svg("text", { class: "dim", dy: "0.35em" }, words);
      this.element.append(this.label);
      this.draw();
    }
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

  get details(): readonly (readonly [string, string])[] {
    return this.power === null ? [] : [["power", powerText(this.power)]];
  }

  get centre(): Point {
    return middle(this.way).at;
  }

  get bounds(): Bounds {
    const xs = this.way.map(([x]) => x);
    const ys = this.way.map(([, y]) => y);
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }

  distance(p: Point): number {
    return distanceToWay(p, this.way);
  }

  /** Follow symbols that were moved. */
  stretch(tail: Point, head: Point): void {
    this.route = stretched(this.route, tail, head);
    this.draw();
  }

  /** A path that lies below this one and follows it. */
  underlay(path: SVGPathElement, follow: () => void): void {
    this.element.prepend(path);
    this.lines.push(path);
    path.setAttribute("d", pathOf(this.way));
    this.followers.push(follow);
    follow();
  }

  private draw(): void {
    const { stroke, dim } = this.data;
    this.way = trimmed(this.route, this.tail, this.head);
    const d = pathOf(this.way);
    for (const line of this.lines) line.setAttribute("d", d);
    this.barb.setAttribute("d", pathOf(halfArrow(this.way, dim > 1)));
    const back = [...this.way].reverse();
    const signs = [stroke.tail ? this.way : null, stroke.head ? back : null];
    this.strokes.setAttribute("d", signs.map((way) => (way ? pathOf(strokeAt(way)) : "")).join(""));
    if (this.label) {
      const [x, y] = plus(middle(this.way).at, this.beside);
      this.label.setAttribute("x", `${x}`);
      this.label.setAttribute("y", `${y}`);
    }
    for (const follow of this.followers) follow();
  }

  /** From the middle of the way to its text. */
  private besideMiddle(): Point {
    const { at, along } = middle(this.way);
    const given = this.data.label?.at;
    if (given && length(minus(given, at)) < 400) return minus(given, at);
    return times([along[1], -along[0]], STANDS_BESIDE);
  }
}

function powerText(power: number): string {
  return `${Number(power.toPrecision(4))} W towards its ${power < 0 ? "tail" : "head"}`;
}

/** A way from middle to middle; what is given may begin and end at the edges of the symbols. */
function whole(points: readonly Point[], tail: Point, head: Point): Point[] {
  if (points.length < 2) return [tail, head];
  const back = joined([...points], tail).reverse();
  return joined(back, head).reverse();
}

function joined(way: Point[], middle: Point): Point[] {
  const straight = distanceToWay(way[0], [middle, way[1]]) < 1;
  return straight ? [middle, ...way.slice(1)] : [middle, ...way];
}
