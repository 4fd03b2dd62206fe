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
/** Pixels of its name in the drawing, and at least on the screen. */
const TEXT = 12.5;
const LEGIBLE = 12;
/** How much wider than a folded box its name may be. */
const WIDER = 1.7;

export class Box implements Item {
  readonly rank = "area";
  readonly focusable = true;
  readonly element: SVGGElement;
  readonly details = [] as const;
  private corner: Point;
  private readonly sign: SVGGElement;
  private readonly fold: SVGPathElement | null = null;
  /** How much larger its name and triangle are than in the drawing. */
  private growth = 1;
  /** Its name, in front of what is in it. */
  readonly also: SVGTextElement;

  constructor(readonly data: BoxData) {
    const [x, y, width, height] = data.at;
    this.corner = [x, y];
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
    );
    if (data.canOpen) {
      this.element.setAttribute("aria-expanded", `${data.open}`);
      const d = data.open ? "M8.5 11.5h9l-4.5 6z" : "M10.5 9.5v9l6-4.5z";
      this.fold = svg("path", { class: "fold", d });
      this.element.append(this.fold);
    }
    this.sign = faultSign(width - 4, 4);
    this.element.append(this.sign);
    const words = { class: `title ${data.kind}`, dy: "0.35em", "aria-hidden": "true" };
    this.also = svg("text", words, data.label);
    this.scaled(1);
    this.place();
  }

  /** Keep the name legible at a small scale: in the box as far as it has room; of a folded box that
   * has none, above it. */
  scaled(scale: number): void {
    const [x, y, width] = this.data.at;
    const letters = 0.6 * this.data.label.length;
    const wanted = Math.max(TEXT, LEGIBLE / scale);
    const corner = this.data.canOpen ? FOLD / TEXT : 0.4;
    const inside = Math.max(TEXT, Math.min(wanted, width / (letters + corner + 0.2)));
    const isAbove = !this.data.open && inside < 0.9 * wanted;
    const size = isAbove ? Math.min(wanted, (WIDER * width) / letters) : inside;
    this.growth = Math.min(2.5, inside / TEXT);
    const [tx, ty] = this.data.title ?? [x + width / 2, y + 13];
    const [cx, cy] = size > 1.2 * TEXT ? [width / 2, 0.75 * size] : [tx - x, ty - y];
    const least = isAbove ? 0 : size * (corner + letters / 2);
    this.also.setAttribute("x", `${Math.max(cx, least)}`);
    this.also.setAttribute("y", `${isAbove ? -0.65 * size : cy}`);
    this.also.style.fontSize = `${size}px`;
    this.sign.setAttribute("transform", `translate(${width - 4} 4) scale(${this.growth})`);
    this.fold?.setAttribute("transform", `scale(${this.growth})`);
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

  /** The middle of its name, from its own. */
  get titleAt(): Point {
    const [x, y, width, height] = this.data.at;
    const [tx, ty] = this.data.title ?? [x + width / 2, y + 13];
    return [tx - x - width / 2, ty - y - height / 2];
  }

  /** The place by which the file puts it. */
  get anchor(): Point {
    if (!this.data.place) return this.centre;
    const [x, y] = this.data.place;
    return [x + this.corner[0] - this.data.at[0], y + this.corner[1] - this.data.at[1]];
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
    const near = (d: number, reach: number) => d >= 3 && d <= reach * this.growth;
    return this.data.canOpen && near(x - x0, FOLD) && near(y - y0, HEAD);
  }

  shift(by: Point): void {
    this.corner = plus(this.corner, by);
    this.place();
  }

  private place(): void {
    const transform = `translate(${this.corner[0]} ${this.corner[1]})`;
    for (const part of [this.element, this.also]) part.setAttribute("transform", transform);
  }
}
