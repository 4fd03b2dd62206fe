// A sweep: axes side by side, curves over time, a map; parts of axes, and a run, chosen for all.
import { pretty } from "../plots/plot";
import { brief } from "../plots/ticks";
import { h } from "../ui/dom";
import { Choice } from "./choice";
import { colour, steps } from "./colours";
import type { Column, Runs } from "./data";
import { details, failures } from "./details";
import { Family } from "./family";
import { SweepMap } from "./map";
import { Parallel } from "./parallel";

export class SweepView {
  readonly element = h("div", { class: "sweep" });
  readonly choice: Choice;
  private readonly parallel: Parallel;
  private readonly family: Family;
  private readonly map: SweepMap;
  private readonly wide = h("div", { class: "parallel-place" });
  private readonly curves: HTMLElement;
  private readonly over: HTMLElement;
  private readonly count = h("span", { class: "count", role: "status" });
  private readonly all = h(
    "button",
    { type: "button", click: () => this.choice.change(() => this.choice.parts.clear()) },
    "Take all",
  );
  private readonly keys: [HTMLElement, () => Column][] = [];
  private readonly box = h("div", {});
  private readonly resized = new ResizeObserver(() => this.invalidate());
  private isWaiting = false;

  /** `more`: what else can be done with a run. */
  constructor(
    private readonly runs: Runs,
    private readonly more: (run: number) => HTMLElement[] = () => [],
  ) {
    const choice = (this.choice = new Choice(runs));
    this.parallel = new Parallel(choice);
    this.family = new Family(choice);
    this.map = new SweepMap(choice);
    this.wide.append(this.parallel.element);
    this.curves = this.figure("curves", this.family.element, this.curveChoice());
    this.over = this.figure("over", this.map.element, this.mapChoice());
    this.curves.hidden = runs.data.curves.length === 0 || runs.data.drawn.length === 0;
    this.element.append(
      this.bar(),
      this.wide,
      h("div", { class: "sweep-charts" }, this.curves, this.over),
      h("div", { class: "sweep-words" }, this.box, failures(choice)),
    );
    choice.follow(() => this.invalidate());
    this.resized.observe(this.element);
  }

  private figure(kind: string, chart: SVGSVGElement, head: HTMLElement): HTMLElement {
    return h("figure", { class: `sweep-chart ${kind}` }, head, chart);
  }

  private bar(): HTMLElement {
    const { choice } = this;
    return h(
      "div",
      { class: "sweep-bar" },
      this.axesMenu(),
      this.select(
        "colour",
        "Colour of lines and curves",
        choice.colour,
        (k) => (choice.colour = k),
      ),
      this.key(() => choice.column(choice.colour)),
      h("span", { class: "taken" }, this.count, this.all),
    );
  }

  private axesMenu(): HTMLElement {
    const { axes } = this.choice;
    const boxes = this.runs.columns.map((c, k) => {
      const box = h("input", { type: "checkbox", checked: axes.has(k), "data-axis": c.name });
      box.addEventListener("change", () => {
        if (!box.checked && axes.size === 1) return void (box.checked = true);
        this.choice.change(() => {
          if (box.checked) axes.add(k);
          else axes.delete(k);
          if (!box.checked) this.choice.parts.delete(k);
        });
      });
      return h("label", {}, box, title(c));
    });
    return h(
      "details",
      { class: "menu" },
      h("summary", {}, "Axes"),
      h("div", { class: "menu-list" }, ...boxes),
    );
  }

  /** A list of columns. */
  private select(
    word: string,
    label: string,
    first: number,
    take: (k: number) => void,
  ): HTMLElement {
    const list = h(
      "select",
      {
        "aria-label": label,
        change: () => this.choice.change(() => take(Number(list.value))),
      },
      ...this.runs.columns.map((c, k) => h("option", { value: k }, title(c))),
    );
    list.value = `${first}`;
    return h("label", {}, `${word} `, list);
  }

  private mapChoice(): HTMLElement {
    const { choice } = this;
    return h(
      "figcaption",
      {},
      this.select("y", "Upwards", choice.y, (k) => (choice.y = k)),
      this.select("x", "Across", choice.x, (k) => (choice.x = k)),
      this.select("colour", "Colour of the map", choice.z, (k) => (choice.z = k)),
      this.key(() => choice.column(choice.z)),
    );
  }

  private curveChoice(): HTMLElement {
    const { choice } = this;
    const list = h(
      "select",
      {
        "aria-label": "What is drawn over time",
        change: () => choice.change(() => (choice.curve = Number(list.value))),
      },
      ...this.runs.data.curves.map(({ name, unit }, k) =>
        h("option", { value: k }, unit && unit !== "1" ? `${name} in ${pretty(unit)}` : name),
      ),
    );
    return h("figcaption", {}, h("label", {}, list, " over time"));
  }

  /** What colours mean. */
  private key(column: () => Column): HTMLElement {
    const place = h("span", { class: "key" });
    this.keys.push([place, column]);
    return place;
  }

  private invalidate(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.draw();
    });
  }

  /** Everything, at its size. */
  draw(): void {
    if (!this.element.clientWidth) return;
    const { choice } = this;
    this.parallel.draw(this.wide.clientWidth);
    if (!this.curves.hidden) this.family.draw(this.curves.clientWidth);
    this.map.draw(this.over.clientWidth);
    for (const [place, column] of this.keys) place.replaceChildren(...key(column()));
    const { count } = choice;
    const failed = [...choice.runs.failure.keys()].filter((k) => choice.taken[k]).length;
    this.count.textContent =
      `${count} of ${choice.runs.count} runs` + (failed ? `, ${failed} failed` : "");
    this.all.hidden = choice.parts.size === 0;
    this.box.replaceChildren(details(choice, this.more));
  }

  dispose(): void {
    this.resized.disconnect();
  }
}

function title({ name, unit }: Column): string {
  return unit && unit !== "1" ? `${name} in ${pretty(unit)}` : name;
}

/** A bar from low to high, or a colour for each word. */
function key(column: Column): HTMLElement[] {
  const count = steps(column);
  const swatch = (k: number) =>
    h("span", { class: "swatch", style: `--paint: ${colour(column, k)}` });
  if (column.words)
    return column.words.flatMap((word, k) => [swatch(Math.min(k, count - 1)), h("span", {}, word)]);
  const { low, high } = column;
  if (!Number.isFinite(low)) return [h("span", { class: "muted" }, "no run has it")];
  const bar = h("span", { class: "bar" }, ...Array.from({ length: count }, (_, k) => swatch(k)));
  return [h("span", {}, brief(low)), bar, h("span", {}, brief(high))];
}
