// Two runs side by side: what differs in their texts, and by how much their results do.
import { effect, signal } from "@preact/signals";
import { pretty } from "../../src/plots/plot";
import { readable } from "../../src/plots/ticks";
import { h } from "../../src/ui/dom";
import type { Studio } from "../studio";
import type { Choice } from "./choice";
import type { Runs } from "./store";

interface Comparison {
  rows: { name: string; unit: string; difference: number; time: number; relative: number | null }[];
  texts: { label: string; a: string; b: string }[];
}

const FIRST_ROWS = 12;

export class Compare {
  readonly element = h("section", { class: "compare", "aria-label": "Comparison of two runs" });
  readonly dispose: () => void;
  private readonly found = signal<Comparison | null>(null);
  private readonly isAll = signal(false);
  private asked = "";

  constructor(
    private readonly studio: Studio,
    private readonly runs: Runs,
    private readonly choice: Choice,
  ) {
    this.dispose = effect(() => {
      const isOpen = choice.mode.value === "difference";
      this.element.hidden = !isOpen;
      if (!isOpen) return;
      const pair = this.pair();
      if (pair) void this.ask(pair);
      this.element.replaceChildren(...this.content(pair));
    });
  }

  /** The runs chosen, or the newest two. */
  private pair(): readonly [number, number] | null {
    const ids = this.runs.motions().map((r) => r.id);
    const chosen = this.choice.pair.value;
    if (chosen?.every((id) => ids.includes(id))) return chosen;
    const pair = ids.length > 1 ? ([ids.at(-1)!, ids.at(-2)!] as const) : null;
    if (pair) queueMicrotask(() => (this.choice.pair.value = pair));
    return pair;
  }

  private async ask([a, b]: readonly [number, number]): Promise<void> {
    const key = `${a} ${b}`;
    if (key === this.asked) return;
    this.asked = key;
    this.found.value = null;
    try {
      const found = await this.studio.connection.ask<Comparison>("compare", { a, b });
      if (key === this.asked) this.found.value = found;
    } catch (error) {
      this.studio.complain(error);
    }
  }

  private content(pair: readonly [number, number] | null): (Node | string)[] {
    if (!pair) return [h("p", { class: "muted" }, "Two runs are needed for a comparison.")];
    const head = h(
      "div",
      { class: "compare-head" },
      this.select("First run", pair[0], (id) => (this.choice.pair.value = [id, pair[1]])),
      h("span", {}, "−"),
      this.select("Second run", pair[1], (id) => (this.choice.pair.value = [pair[0], id])),
    );
    const found = this.found.value;
    if (!found) return [head, h("p", { class: "muted", role: "status" }, "comparing…")];
    return [head, this.texts(found), this.table(found)];
  }

  private select(label: string, value: number, change: (id: number) => void): HTMLElement {
    const select = h(
      "select",
      { "aria-label": label, change: () => change(Number(select.value)) },
      ...this.runs.motions().map((r) => h("option", { value: r.id }, r.label)),
    );
    select.value = `${value}`;
    return select;
  }

  private texts({ texts }: Comparison): HTMLElement {
    if (!texts.length) return h("p", { class: "muted" }, "Same text, same settings.");
    return h(
      "dl",
      { class: "texts" },
      ...texts.flatMap(({ label, a, b }) => [
        h("dt", {}, label),
        h("dd", {}, h("span", {}, a || "–"), " instead of ", h("span", {}, b || "–")),
      ]),
    );
  }

  private table({ rows }: Comparison): HTMLElement {
    if (!rows.length) return h("p", { class: "muted" }, "No observable differs.");
    const plotted = this.choice.names;
    const isPlotted = ({ name }: { name: string }) =>
      plotted.some((own) => own === name || own.startsWith(`${name}.`));
    const ordered = [...rows.filter(isPlotted), ...rows.filter((row) => !isPlotted(row))];
    const shown = this.isAll.value ? ordered : ordered.slice(0, FIRST_ROWS);
    const body = shown.map((row) =>
      h(
        "tr",
        {},
        h(
          "th",
          { scope: "row" },
          h(
            "button",
            {
              type: "button",
              class: "link",
              title: "Plot it",
              click: () => this.choice.add(row.name),
            },
            row.name,
          ),
        ),
        h("td", {}, `${readable(row.difference)} ${row.unit === "1" ? "" : pretty(row.unit)}`),
        h("td", {}, row.relative === null ? "" : `${readable(100 * row.relative)} %`),
        h(
          "td",
          {},
          h(
            "button",
            { type: "button", class: "link", click: () => (this.studio.time.value = row.time) },
            `${Number(row.time.toPrecision(4))} s`,
          ),
        ),
      ),
    );
    const more = h(
      "button",
      { type: "button", class: "link", click: () => (this.isAll.value = true) },
      `all ${rows.length} observables`,
    );
    return h(
      "div",
      {},
      h(
        "table",
        { class: "numbers" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ...["observable", "largest difference", "of its range", "at"].map((t) =>
              h("th", { scope: "col" }, t),
            ),
          ),
        ),
        h("tbody", {}, ...body),
      ),
      shown.length < rows.length ? more : "",
    );
  }
}
