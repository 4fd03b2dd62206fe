// What stands beside symbols: names of frames, and dashed Sf:0 where a joint holds a component.
import { svg } from "../../../src/ui/dom";
import type { Item } from "../canvas/items";
import type { Bounds } from "../canvas/viewport";
import type { HeldData, Point, TextData } from "../data";
import { distanceToBox, pathOf, plus } from "../geometry";

const HEIGHT = 12;
const LETTER = 6.6;

export class Note implements Item {
  readonly rank = "symbol";
  readonly focusable: boolean;
  readonly details = [] as const;
  readonly element: SVGGElement;
  private shifted: Point = [0, 0];

  constructor(readonly data: HeldData | TextData) {
    const { text, owner } = data;
    this.focusable = "points" in data;
    const [x, y] = data.at;
    const [w, h] = this.size;
    const back = { class: "back", x: x - w / 2 - 3, y: y - h / 2 - 2, width: w + 6, height: h + 4 };
    this.element = svg(
      "g",
      {
        class: "note",
        role: "option",
        "aria-selected": "false",
        "aria-label": this.sentence,
        "data-owner": owner,
      },
      svg("rect", { ...back, rx: 4 }),
      svg("text", { x, y, dy: "0.35em" }, text),
    );
    if ("points" in data) {
      const { label } = data;
      const [lx, ly] = label.at;
      this.element.classList.add("held");
      this.element.append(
        svg("path", { d: pathOf(data.points) }),
        svg("text", { class: "dim", x: lx, y: ly, dy: "0.35em" }, label.text),
      );
    }
  }

  get name(): string {
    return this.data.owner;
  }

  get owner(): string {
    return this.data.owner;
  }

  get sentence(): string {
    return "sentence" in this.data ? this.data.sentence : `frame ${this.data.owner}`;
  }

  /** Where it stands at its symbol. */
  get foot(): Point {
    return "points" in this.data ? this.data.points[this.data.points.length - 1] : this.data.at;
  }

  get centre(): Point {
    return plus(this.data.at, this.shifted);
  }

  get bounds(): Bounds {
    const [x, y] = this.centre;
    const [w, h] = this.size;
    return [x - w / 2, y - h / 2, x + w / 2, y + h / 2];
  }

  distance(p: Point): number {
    return distanceToBox(p, this.centre, this.size);
  }

  shift(by: Point): void {
    this.shifted = plus(this.shifted, by);
    this.element.setAttribute("transform", `translate(${this.shifted[0]} ${this.shifted[1]})`);
  }

  private get size(): Point {
    return [LETTER * this.data.text.length, HEIGHT];
  }
}
