// Diagrams along a beam of what its sections pass on, at the time shown.
import type { Load } from "../data/types";
import type { Shape } from "../motion/shape";
import { pretty } from "../plots/plot";
import { readable } from "../plots/ticks";
import { h, svg } from "./dom";
import { LOADS } from "./toolbar";

const [WIDTH, HEIGHT] = [240, 56];

interface Curve {
  load: Load;
  largest: number;
  path: SVGPolylineElement;
  value: HTMLElement;
}

export class SectionDiagrams {
  readonly element = h("div", { class: "sections" });
  private readonly places: number[];
  private readonly curves: Curve[];

  constructor(private readonly shape: Shape) {
    const { drawn } = shape;
    const at = Array.from({ length: drawn }, (_, k) => shape.along(k));
    const [first, last] = [at[0], at[drawn - 1]];
    this.places = at.map((x) => ((x - first) / (last - first)) * WIDTH);
    this.curves = shape.loads.map((load) => this.curve(load));
  }

  private curve(load: Load): Curve {
    const path = svg("polyline", { fill: "none" });
    const value = h("span", { class: "muted" });
    const view = `0 -2 ${WIDTH} ${HEIGHT + 4}`;
    const zero = load === "force" ? HEIGHT / 2 : HEIGHT;
    const axis = svg("line", { x1: 0, x2: WIDTH, y1: zero, y2: zero });
    const name = LOADS[load][0];
    const picture = svg(
      "svg",
      {
        viewBox: view,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": `${name}, root to tip`,
      },
      axis,
      path,
    );
    this.element.append(h("figure", {}, h("figcaption", {}, `${name} `, value), picture));
    return { load, largest: this.shape.largest(load) || 1, path, value };
  }

  /** Follow the time; the scale is that of the whole run. */
  show(time: number): void {
    this.shape.show(time);
    for (const { load, largest, path, value } of this.curves) {
      const now = this.places.map((_, k) => this.shape.load(load, k) / largest);
      const height = (v: number) => (load === "force" ? (1 - v) / 2 : 1 - v) * HEIGHT;
      path.setAttribute("points", now.map((v, k) => `${this.places[k]},${height(v)}`).join(" "));
      const most = now.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0) * largest;
      value.textContent = `up to ${readable(most)} ${pretty(LOADS[load][1])}`;
    }
  }
}
