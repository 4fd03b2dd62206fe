// The bond graph in the stage: bands on bonds, as wide as the power at the time shown.
import type { GraphData } from "../data/types";
import { type Column } from "../data/table";
import { unpackColumns } from "../data/unpack";
import type { Clock } from "../motion/clock";
import { widthOf } from "../motion/power";
import { Timeline } from "../motion/timeline";
import { readable } from "../plots/ticks";
import { h, svg } from "./dom";

/** One bond that is drawn. */
class Flow {
  private readonly band: SVGElement;
  private readonly arrow = svg("path", { class: "flow-arrow" });
  private readonly title: Element | null;
  private readonly told: string;

  constructor(
    line: SVGGeometryElement,
    readonly values: Column,
  ) {
    this.band = line.cloneNode(false) as SVGElement;
    this.band.setAttribute("class", "flow");
    this.band.removeAttribute("data-name");
    this.title = line.querySelector("title");
    this.told = this.title?.textContent ?? "";
    const colour = line.getAttribute("stroke")!;
    this.arrow.setAttribute("fill", colour);
    line.before(this.band);
    line.parentNode!.append(this.arrow);
    const way = line.getTotalLength();
    const [a, b] = [0.49, 0.51].map((s) => line.getPointAtLength(s * way));
    this.place = `translate(${(a.x + b.x) / 2} ${(a.y + b.y) / 2}) rotate(${angle(a, b)})`;
  }

  private readonly place: string;

  show(power: number, largest: number): void {
    const width = widthOf(power, largest);
    const size = width && (4 + width / 2) * Math.sign(power);
    const aside = Math.abs(size);
    this.band.setAttribute("stroke-width", `${width}`);
    this.arrow.setAttribute("transform", this.place);
    this.arrow.setAttribute("d", size ? `M${size} 0L${-size} ${aside}L${-size} ${-aside}Z` : "");
    if (this.title) this.title.textContent = `${this.told}; ${readable(power)} W`;
  }
}

const angle = (a: DOMPoint, b: DOMPoint) => (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;

export class GraphStage {
  readonly element: HTMLElement;
  private flows: Flow[] = [];
  private largest = 0;
  private readonly timeline: Timeline;

  static async read(data: GraphData, clock: Clock): Promise<GraphStage> {
    return new GraphStage(data, await unpackColumns(data.power, data.bonds.length), clock);
  }

  private constructor(
    data: GraphData,
    private readonly power: Column[],
    private readonly clock: Clock,
  ) {
    const drawing = new DOMParser().parseFromString(data.svg, "image/svg+xml").documentElement;
    const paper = h("div", { class: "paper", tabindex: 0, "aria-label": "Bond graph" });
    paper.append(drawing);
    const zoom = h("input", {
      ...{ type: "range", min: 1, max: 6, step: 0.05, value: 1, "aria-label": "Zoom" },
      input: () => drawing.style.setProperty("--zoom", zoom.value),
    });
    for (const values of power)
      for (const value of values) this.largest = Math.max(this.largest, Math.abs(value) || 0);
    const words = data.bonds.length
      ? `Bands and arrows: power at the time shown, at most ${readable(this.largest)} W`
      : "The power on these bonds is not known";
    this.element = h(
      "div",
      { class: "graph-stage" },
      paper,
      h("label", { class: "magnifier" }, "Zoom", zoom),
      h("p", { class: "arrow-note" }, words),
    );
    this.timeline = new Timeline(data.time.length ? data.time : [0]);
    this.bonds = data.bonds;
    this.drawing = drawing;
  }

  private readonly bonds: string[];
  private readonly drawing: HTMLElement;

  /** Once it is part of the page, where lines have a length. */
  begin(): void {
    const lines = new Map(
      [...this.drawing.querySelectorAll<SVGGeometryElement>(".bond")].map((line) => [
        line.dataset.name,
        line,
      ]),
    );
    this.bonds.forEach((name, k) => {
      const line = lines.get(name);
      if (line) this.flows.push(new Flow(line, this.power[k]));
    });
    this.clock.follow(() => this.show());
  }

  show(): void {
    if (this.element.hidden) return;
    const { index, fraction } = this.timeline.place(this.clock.time);
    for (const flow of this.flows) {
      const now = flow.values[index];
      const next = fraction ? flow.values[index + 1] : now;
      flow.show(now + fraction * (next - now), this.largest);
    }
  }
}
