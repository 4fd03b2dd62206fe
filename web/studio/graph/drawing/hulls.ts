// A body in a linear graph: the pale outline around its frames.
import { svg } from "../../../src/ui/dom";
import type { Item } from "../canvas/items";
import type { Bounds } from "../canvas/viewport";
import type { HullData, Point } from "../data";
import { distanceToWay, hull, length, minus, pathOf, plus, times } from "../geometry";
import type { Vertex } from "./vertices";

export class Hull implements Item {
  readonly rank = "area";
  readonly focusable = true;
  readonly details = [] as const;
  readonly element: SVGGElement;
  private corners: Point[];
  private readonly origin: Point;
  private readonly outline = svg("path", { class: "outline" });
  private readonly title: SVGTextElement;

  constructor(
    readonly data: HullData,
    readonly vertices: readonly Vertex[],
  ) {
    this.corners = data.points;
    this.origin = this.centre;
    this.title = svg("text", { class: "title", dy: "0.35em" }, data.owner);
    this.element = svg(
      "g",
      {
        class: `hull hull-${data.index % 6}`,
        role: "option",
        "aria-label": this.sentence,
        "aria-selected": "false",
        "data-name": data.owner,
        "data-owner": data.owner,
      },
      this.outline,
    );
    this.outline.style.strokeWidth = `${data.width}px`;
    this.draw();
  }

  get name(): string {
    return this.data.owner;
  }

  get owner(): string {
    return this.data.owner;
  }

  get sentence(): string {
    return `body ${this.data.owner}`;
  }

  get centre(): Point {
    const sum = this.corners.reduce(plus);
    return times(sum, 1 / this.corners.length);
  }

  get bounds(): Bounds {
    const [xs, ys] = [this.corners.map(([x]) => x), this.corners.map(([, y]) => y)];
    const w = this.data.width / 2;
    return [Math.min(...xs) - w, Math.min(...ys) - w, Math.max(...xs) + w, Math.max(...ys) + w];
  }

  distance(p: Point): number {
    const inside = this.corners.length > 2 && isInside(p, this.corners);
    const closed = [...this.corners, this.corners[0]];
    const off = closed.length > 2 ? distanceToWay(p, closed) : length(minus(p, this.corners[0]));
    return inside || off <= this.data.width / 2 ? 0 : Infinity;
  }

  /** Follow its vertices. */
  follow(): void {
    this.corners = hull(this.vertices.map(({ at }) => at));
    this.draw();
  }

  /** The name, which stands in front of all edges. */
  get heading(): SVGTextElement {
    return this.title;
  }

  private draw(): void {
    const { corners } = this;
    this.outline.setAttribute(
      "d",
      corners.length > 1 ? `${pathOf(corners)}Z` : `${pathOf(corners)}h0.01`,
    );
    const [x, y] = this.headingPlace();
    this.title.setAttribute("x", `${x}`);
    this.title.setAttribute("y", `${y}`);
  }

  /** Where its name stands: as far from its middle as it was. */
  private headingPlace(): Point {
    const given = this.data.label?.at;
    const [x0, y0, x1] = this.bounds;
    return given ? plus(given, minus(this.centre, this.origin)) : [(x0 + x1) / 2, y0 - 8];
  }
}

function isInside([x, y]: Point, corners: readonly Point[]): boolean {
  let inside = false;
  corners.forEach(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % corners.length];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  });
  return inside;
}
