// All plots, one per unit, with the list to choose from and the zoom they share.
import type { Table } from "../data/table";
import type { EventData } from "../data/types";
import type { Clock } from "../motion/clock";
import { h, icon, toggle } from "../ui/dom";
import { CURVE_COLORS } from "../view/theme";
import { Picker } from "./picker";
import { type Painted, Plot } from "./plot";
import { TimeWindow } from "./window";

export class PlotPanel {
  readonly element: HTMLElement;
  private readonly picker: Picker;
  private readonly window: TimeWindow;
  private readonly colors = new Map<string, number>();
  private readonly stack = h("div", { class: "stack" });
  private plots: Plot[] = [];

  constructor(
    private readonly table: Table,
    private readonly clock: Clock,
    private readonly events: EventData[],
    kinds: Map<string, string>,
    names: string[],
  ) {
    this.window = new TimeWindow(table.timeline);
    this.picker = new Picker(
      table.series,
      kinds,
      (name) => this.colors.has(name),
      (name) => this.flip(name),
    );
    const add = toggle("Choose observables", false, (open) => this.picker.open(open), {
      class: "primary",
    });
    this.element = h(
      "div",
      { class: "plots" },
      h("div", { class: "bar" }, add, this.zoomButtons()),
      this.picker.element,
      this.stack,
    );
    for (const name of names) if (table.curve(name)) this.colors.set(name, this.freeColor());
    this.build();
    this.window.follow(() => this.plots.forEach((plot) => plot.draw()));
    clock.follow(() => this.show());
  }

  private zoomButtons(): HTMLElement {
    const button = (label: string, name: "plus" | "minus" | "reset", act: () => void) =>
      h(
        "button",
        { type: "button", class: "quiet", "aria-label": label, title: label, click: act },
        icon(name),
      );
    return h(
      "span",
      { class: "zoom", role: "group", "aria-label": "Zoom of time" },
      button("Zoom in around the cursor", "plus", () => this.window.zoom(0.5, this.clock.time)),
      button("Zoom out", "minus", () => this.window.zoom(2, this.clock.time)),
      button("Show the whole run", "reset", () => this.window.reset()),
    );
  }

  /** Plot an observable component, or remove it. */
  flip(name: string): void {
    if (!this.colors.delete(name)) this.colors.set(name, this.freeColor());
    this.build();
  }

  /** Plot a component if it is not yet plotted. */
  add(name: string): void {
    if (!this.colors.has(name) && this.table.curve(name)) this.flip(name);
  }

  private freeColor(): number {
    const uses = Array.from({ length: CURVE_COLORS }, () => 0);
    for (const color of this.colors.values()) uses[color]++;
    return uses.indexOf(Math.min(...uses));
  }

  private build(): void {
    const units = this.byUnit();
    const remove = (name: string) => {
      this.flip(name);
      if (!this.picker.element.hidden) this.picker.fill();
    };
    this.plots = [...units.values()].map(
      (painted) => new Plot(this.table, this.window, this.clock, this.events, painted, remove),
    );
    const hint = h("p", { class: "muted" }, "Choose observables to plot them here.");
    this.stack.replaceChildren(...(this.plots.length ? this.plots.map((p) => p.element) : [hint]));
    this.plots.forEach((plot) => plot.draw());
  }

  private byUnit(): Map<string, Painted[]> {
    const units = new Map<string, Painted[]>();
    for (const [name, color] of this.colors) {
      const curve = this.table.curve(name)!;
      if (!units.has(curve.unit)) units.set(curve.unit, []);
      units.get(curve.unit)!.push({ curve, color });
    }
    return units;
  }

  private show(): void {
    if (!this.window.isWhole) this.window.reveal(this.clock.time);
    for (const plot of this.plots) plot.show();
  }
}
