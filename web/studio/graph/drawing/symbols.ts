// Elements of a bond graph: their symbol, what they are worth, and the sign of a fault.
import { svg } from "../../../src/ui/dom";
import type { Item } from "../canvas/items";
import type { Bounds } from "../canvas/viewport";
import type { NodeData, Point } from "../data";
import { distanceToBox, plus } from "../geometry";

const CAUSALITY: Record<string, string> = {
  integral: "integral: it has a state of its own",
  derivative: "derivative: its state is given by others",
  resistive: "resistive: the flow gives the effort",
  conductive: "conductive: the effort gives the flow",
};
const PAD: Point = [4, 3];

export class Symbol implements Item {
  readonly rank = "symbol";
  readonly focusable = true;
  readonly element: SVGGElement;
  readonly details: readonly (readonly [string, string])[];
  at: Point;

  constructor(
    readonly data: NodeData,
    /** Where its value stands, from its middle. */
    readonly valueAt: Point | undefined,
  ) {
    this.at = data.at;
    const { text, size, causality } = data;
    const value = typeset(data.value);
    const [w, h] = [size[0] + 2 * PAD[0], size[1] + 2 * PAD[1]];
    this.element = svg(
      "g",
      {
        class: causality.startsWith("derivative") ? "symbol derivative" : "symbol",
        role: "option",
        "aria-label": data.sentence || text,
        "aria-selected": "false",
        "data-name": data.name,
        "data-owner": data.owner,
        "data-kind": data.kind,
      },
      svg("rect", { class: "back", x: -w / 2, y: -h / 2, width: w, height: h, rx: 5 }),
      svg("text", { class: "sign", dy: "0.35em" }, text),
    );
    if (valueAt) {
      const [x, y] = valueAt;
      this.element.append(svg("text", { class: "value", x, y, dy: "0.35em" }, value));
    }
    if (data.faults && !data.inside) this.element.classList.add("faulty");
    if (data.bonded === false) this.element.classList.add("alone");
    this.element.append(faultSign(w / 2, -h / 2));
    this.details = [
      ["law", data.law] as const,
      ["value", value] as const,
      ["causality", CAUSALITY[causality] ?? causality] as const,
      ["dimension", data.dim > 1 ? `${data.dim}` : ""] as const,
    ].filter(([, words]) => words);
    this.place();
  }

  get name(): string {
    return this.data.name;
  }

  get owner(): string {
    return this.data.owner || this.data.name;
  }

  get sentence(): string {
    return this.data.sentence || this.data.text;
  }

  get size(): Point {
    return this.data.size;
  }

  get centre(): Point {
    return this.at;
  }

  get bounds(): Bounds {
    const [w, h] = this.size;
    return [this.at[0] - w / 2, this.at[1] - h / 2, this.at[0] + w / 2, this.at[1] + h / 2];
  }

  distance(p: Point): number {
    return distanceToBox(p, this.at, this.size);
  }

  shift(by: Point): void {
    this.at = plus(this.at, by);
    this.place();
  }

  private place(): void {
    this.element.setAttribute("transform", `translate(${this.at[0]} ${this.at[1]})`);
  }
}

/** A ring's sign, shown on what has a fault. */
export function faultSign(x: number, y: number): SVGGElement {
  return svg(
    "g",
    { class: "fault-sign", transform: `translate(${x} ${y})`, "aria-hidden": "true" },
    svg("circle", { r: 6 }),
    svg("text", { dy: "0.36em" }, "!"),
  );
}

/** Units as they are written on paper: kg·m². */
function typeset(value: string): string {
  return value.replace(/\^2\b/g, "²").replace(/\^3\b/g, "³").replace(/\*/g, "·");
}
