// A node of a linear graph: a frame, or the ground.
import { svg } from "../../../src/ui/dom";
import type { Item } from "../canvas/items";
import type { Bounds } from "../canvas/viewport";
import type { Point, VertexData } from "../data";
import { length, minus, plus } from "../geometry";

const RADIUS = 7;

export class Vertex implements Item {
  readonly rank = "symbol";
  readonly focusable = true;
  readonly details = [] as const;
  readonly element: SVGGElement;
  at: Point;

  constructor(readonly data: VertexData) {
    this.at = data.at;
    this.element = svg(
      "g",
      {
        class: `vertex ${data.ground ? "ground" : ""}`,
        role: "option",
        "aria-label": this.sentence,
        "aria-selected": "false",
        "data-name": data.name,
        "data-owner": data.owner,
      },
      svg("circle", { class: "back", r: RADIUS + 5 }),
      svg("circle", { class: "dot", r: RADIUS }),
    );
    if (data.ground) {
      const hatches = [-9, -3, 3, 9, 15].map((x) => `M${x} 10l-6 7`).join("");
      const [x, y] = minus(data.named ?? plus(data.at, [0, 27]), data.at);
      this.element.append(
        svg("path", { class: "earth", d: `M-15 10h30${hatches}` }),
        svg("text", { class: "title", x, y, dy: "0.35em" }, "ground"),
      );
    }
    this.shift([0, 0]);
  }

  get name(): string {
    return this.data.name;
  }

  get owner(): string {
    return this.data.owner || this.data.name;
  }

  get sentence(): string {
    const { name, owner, ground } = this.data;
    return ground ? "the ground" : owner && owner !== name ? `frame ${name} of ${owner}` : name;
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
