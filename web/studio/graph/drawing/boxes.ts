// The pale box of a body, joint, force, driver, network or part, with its triangle to fold it.
import { svg } from "../../../src/ui/dom";
import type { Item } from "../canvas/items";
import type { Bounds } from "../canvas/viewport";
import type { BoxData, Point } from "../data";
import { plus } from "../geometry";
import { faultSign } from "./symbols";

/** Height of the strip with the name. */
const HEAD = 26;
/** Width of the corner with the triangle. */
const FOLD = 21;

export class Box implements Item {
  readonly rank = "area";
  readonly focusable = true;
  readonly element: SVGGElement;
  readonly details = [] as const;
  private corner: Point;

  constructor(readonly data: BoxData) {
    const [x, y, width, height] = data.at;
    this.corner = [x, y];
    const name = data.title ?? [x + width / 2, y + 13];
    const half = 3.6 * data.label.length;
    const left = data.canOpen ? Math.max(name[0] - x, FOLD + half) : name[0] - x;
    this.element = svg(
      "g",
      {
        class: `box ${data.kind} ${data.open ? "open" : "folded"}`,
        role: "option",
        "aria-label": this.sentence,
        "aria-selected": "false",
        "data-name": data.name,
        "data-owner": data.owner ?? data.name,
      },
      svg("rect", { class: "back", width, height, rx: 9 }),
      svg("text", { class: "title", x: left, y: name[1] - y, dy: "0.35em" }, data.label),
    );
    if (data.canOpen) {
      this.element.setAttribute("aria-expanded", `${data.open}`);
      const d = data.open ? "M8.5 11.5h9l-4.5 6z" : "M10.5 9.5v9l6-4.5z";
      this.element.append(svg("path", { class: "fold", d }));
    }
    this.element.append(faultSign(width - 4, 4));
    this.place();
  }

  get name(): string {
    return this.data.name;
  }

  get owner(): string {
    return this.data.owner ?? this.data.name;
  }

  get sentence(): string {
    return this.data.sentence || `${this.data.kind} ${this.data.label}`;
  }

  get centre(): Point {
    const [x0, y0, x1, y1] = this.bounds;
    return [(x0 + x1) / 2, (y0 + y1) / 2];
  }

  get bounds(): Bounds {
    const [x, y] = this.corner;
    return [x, y, x + this.data.at[2], y + this.data.at[3]];
  }

  distance(p: Point): number {
    return this.holds(p) ? 0 : Infinity;
  }

  holds([x, y]: Point): boolean {
    const [x0, y0, x1, y1] = this.bounds;
    return x >= x0 && x <= x1 && y >= y0 && y <= y1;
  }

  /** Whether a point is on the triangle. */
  isOnFold([x, y]: Point): boolean {
    const [x0, y0] = this.corner;
    const near = x >= x0 + 3 && x <= x0 + 23 && y >= y0 + 3 && y <= y0 + HEAD;
    return this.data.canOpen && near;
  }

  shift(by: Point): void {
    this.corner = plus(this.corner, by);
    this.place();
  }

  private place(): void {
    this.element.setAttribute("transform", `translate(${this.corner[0]} ${this.corner[1]})`);
  }
}
