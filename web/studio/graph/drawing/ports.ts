// A port of a part: a small stub at the edge of its box, with its name outside, from which bonds are drawn.
import { svg } from "../../../src/ui/dom";
import type { Item } from "../canvas/items";
import type { Bounds } from "../canvas/viewport";
import type { BoxData, Point, PortData } from "../data";
import { length, minus, plus } from "../geometry";

const RADIUS = 4.5;

export class Port implements Item {
  readonly rank = "symbol";
  readonly focusable = true;
  readonly details = [] as const;
  readonly element: SVGGElement;
  private at: Point;

  constructor(
    readonly box: BoxData,
    readonly data: PortData,
  ) {
    this.at = data.at;
    const right = data.side === "right";
    const words = { x: right ? 8 : -8, y: -9, "text-anchor": right ? "start" : "end" };
    this.element = svg(
      "g",
      {
        class: `port ${data.side} ${data.joined ? "joined" : "free"}`,
        role: "option",
        "aria-label": this.sentence,
        "aria-selected": "false",
        "data-name": this.name,
        "data-owner": this.owner,
      },
      svg("circle", { class: "back", r: RADIUS + 5 }),
      svg("circle", { class: "dot", r: RADIUS }),
      svg("text", words, data.name),
    );
    this.shift([0, 0]);
  }

  get name(): string {
    return `${this.box.name}.${this.data.name}`;
  }

  get owner(): string {
    return this.box.owner ?? this.box.name;
  }

  get sentence(): string {
    const { name, domain, joined } = this.data;
    const parts = [`port ${name} of ${this.box.label}`, domain, joined ? `on ${joined}` : "free"];
    return parts.filter(Boolean).join(", ");
  }

  get centre(): Point {
    return this.at;
  }

  get bounds(): Bounds {
    const [x, y] = this.at;
    return [x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS];
  }

  distance(p: Point): number {
    return Math.max(0, length(minus(p, this.at)) - RADIUS);
  }

  shift(by: Point): void {
    this.at = plus(this.at, by);
    this.element.setAttribute("transform", `translate(${this.at[0]} ${this.at[1]})`);
  }
}
