// Sliders of numbers of the file: drafts while one is dragged, the whole run when it is released.
import { effect, signal, untracked } from "@preact/signals";
import { h, icon } from "../../src/ui/dom";
import { type Limits, limitsAround, pin, pinned, pinnedItems, unpin } from "../tree/pinned";
import type { NumberData, OutlineItem } from "../protocol";
import type { Studio } from "../studio";
import { QUICK } from "./controls";
import { planOf } from "./plan";
import { NewestNext } from "./queue";
import { sweepForm } from "./sweeping";

const STEPS = 400;

export function slidersPanel(studio: Studio): HTMLElement {
  return new Sliders(studio).element;
}

/** A number with so many digits as tell neighbours of a slider apart. */
export function rounded(value: number, [low, high]: Limits): number {
  const step = Math.abs(high - low) / STEPS;
  if (!(step > 0)) return value;
  const digits = Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(step))));
  return Number(value.toFixed(digits));
}

/** "12 mm". */
export function written(value: number, unit: string): string {
  return unit ? `${value} ${unit}` : `${value}`;
}

class Sliders {
  readonly element = h("section", { class: "sliders", "aria-label": "Sliders" });
  private readonly rows = new Map<string, Row>();
  private readonly list = h("div", { class: "slider-list" });
  private readonly sign = h("span", { class: "quick", title: QUICK, hidden: true }, "quick code");
  private readonly message = h("p", { class: "failed", role: "status", hidden: true });
  private readonly drafts: NewestNext<Readonly<Record<string, string>>>;

  constructor(readonly studio: Studio) {
    const plan = planOf(studio);
    this.drafts = new NewestNext((params) => plan.draft(params));
    const head = h("header", {}, h("h2", {}, "Sliders"), this.sign);
    this.element.append(head, this.list, this.message, sweepForm(studio));
    effect(() => this.fill());
    effect(() => this.tell());
    effect(() => {
      studio.overrides.value;
      studio.items.value;
      for (const row of this.rows.values()) row.show();
    });
  }

  /** A row for every number that has a slider. */
  private fill(): void {
    const wanted = pinned.value;
    const numbers = new Map<string, [OutlineItem, NumberData]>();
    for (const item of this.studio.items.value.values())
      if (item.number) numbers.set(item.number.key, [item, item.number]);
    for (const item of pinnedItems.value.values())
      numbers.set(item.number!.key, [item, item.number!]);
    for (const key of this.rows.keys())
      if (!wanted.has(key) || !numbers.has(key)) {
        this.rows.get(key)!.element.remove();
        this.rows.delete(key);
      }
    for (const [key, limits] of wanted) {
      const found = numbers.get(key);
      if (!found) continue;
      const known = this.rows.get(key);
      if (known) known.take(found[0], found[1], limits);
      else untracked(() => this.add(key, found, limits));
    }
    this.element.hidden = this.rows.size === 0;
  }

  private add(key: string, [item, number]: [OutlineItem, NumberData], limits: Limits): void {
    const row = new Row(this, item, number, limits);
    this.rows.set(key, row);
    this.list.append(row.element);
  }

  private tell(): void {
    const jobs = [...this.studio.jobs.value.values()];
    const newest = jobs.at(-1);
    this.sign.hidden = !newest?.quick;
    const failed = newest?.draft && newest.state === "failed" ? newest.failure : "";
    this.message.hidden = !failed;
    this.message.textContent = failed ? `⚠ ${failed}` : "";
  }

  /** A value other than the file's; null: the file's again. */
  override(key: string, text: string | null): void {
    const rest = { ...this.studio.overrides.value };
    if (text === null) delete rest[key];
    else rest[key] = text;
    this.studio.overrides.value = rest;
  }

  draft(): void {
    this.drafts.push(this.studio.overrides.value);
  }

  run(): void {
    this.drafts.clear();
    void planOf(this.studio).start();
  }
}

class Row {
  readonly element: HTMLElement;
  private readonly slider = h("input", { type: "range", step: "any" });
  private readonly field = h("input", { type: "text", class: "number", spellcheck: "false" });
  private readonly keep = h("button", { type: "button", title: "Write it into the file" }, "keep");
  private readonly reset = h("button", { type: "button", class: "quiet" }, icon("reset"));
  private readonly limits = signal<Limits>([0, 1]);
  private readonly file = h("span", { class: "muted" });
  private readonly name = h("button", { type: "button", class: "link name" });
  private readonly ends: HTMLInputElement[];

  constructor(
    private readonly panel: Sliders,
    private item: OutlineItem,
    private number: NumberData,
    limits: Limits,
  ) {
    this.limits.value = limits[0] < limits[1] ? limits : limitsAround(number.value);
    this.ends = [0, 1].map((k) => this.end(k as 0 | 1));
    this.element = h(
      "div",
      { class: "slider", "data-key": number.key },
      h("div", { class: "slider-head" }, this.name, this.field, this.keep, this.reset),
      h("div", { class: "slider-track" }, this.ends[0], this.slider, this.ends[1], this.unpinner()),
      this.file,
    );
    this.listen();
    this.show();
  }

  private listen(): void {
    const { slider, field } = this;
    slider.addEventListener("input", () => {
      this.put(rounded(slider.valueAsNumber, this.limits.peek()));
      this.panel.draft();
    });
    slider.addEventListener("change", () => this.panel.run());
    field.addEventListener("change", () => {
      const value = parseFloat(field.value);
      if (!Number.isFinite(value)) return this.show();
      this.put(value);
      this.panel.run();
    });
    this.name.addEventListener("click", () => this.panel.studio.select([this.item.name]));
    this.keep.addEventListener("click", () => void this.write());
    this.reset.addEventListener("click", () => {
      this.panel.override(this.number.key, null);
      this.panel.run();
    });
    const label = `Back to the file's value of ${this.number.key}`;
    this.reset.title = label;
    this.reset.setAttribute("aria-label", label);
    slider.setAttribute("aria-label", this.number.key);
    field.setAttribute("aria-label", `Value of ${this.number.key}`);
  }

  private unpinner(): HTMLElement {
    const label = `Remove the slider of ${this.number.key}`;
    return h(
      "button",
      {
        ...{ type: "button", class: "quiet", title: label, "aria-label": label },
        click: () => {
          this.panel.override(this.number.key, null);
          unpin(this.number.key);
        },
      },
      icon("close"),
    );
  }

  /** One end of the range. */
  private end(k: 0 | 1): HTMLInputElement {
    const input = h("input", {
      ...{ type: "text", class: "limit", spellcheck: "false" },
      "aria-label": `${k ? "Largest" : "Smallest"} value of ${this.number.key}`,
      change: () => {
        const value = parseFloat(input.value);
        const [low, high] = this.limits.value;
        const next: Limits = k ? [low, value] : [value, high];
        if (next[0] < next[1]) pin(this.number, next);
        this.show();
      },
    });
    return input;
  }

  /** The file has changed. */
  take(item: OutlineItem, number: NumberData, limits: Limits): void {
    if (limits[0] < limits[1]) this.limits.value = limits;
    const before = this.number.text;
    this.item = item;
    this.number = number;
    const kept = untracked(() => this.panel.studio.overrides.value[number.key]);
    if (kept !== undefined && before !== number.text && parseFloat(kept) === number.value)
      queueMicrotask(() => this.panel.override(number.key, null));
    else untracked(() => this.show());
  }

  private get value(): number {
    const own = this.panel.studio.overrides.value[this.number.key];
    return own === undefined ? this.number.value : parseFloat(own);
  }

  private put(value: number): void {
    const isFile = value === this.number.value;
    this.panel.override(this.number.key, isFile ? null : written(value, this.number.unit));
  }

  private async write(): Promise<void> {
    const text = this.panel.studio.overrides.value[this.number.key];
    if (text === undefined) return;
    try {
      await this.panel.studio.set(this.item.path, text, `${this.number.key}: ${text}`);
      this.panel.override(this.number.key, null);
    } catch (error) {
      this.panel.studio.complain(error);
    }
  }

  show(): void {
    const { number, slider } = this;
    const { value } = this;
    const [low, high] = this.limits.value;
    const isOther = this.panel.studio.overrides.value[number.key] !== undefined;
    slider.min = `${low}`;
    slider.max = `${high}`;
    if (slider.valueAsNumber !== value) slider.value = `${value}`;
    slider.setAttribute("aria-valuetext", written(value, number.unit));
    slider.style.setProperty("--done", `${(100 * (value - low)) / (high - low || 1)}%`);
    this.name.textContent = number.key;
    if (document.activeElement !== this.field) this.field.value = written(value, number.unit);
    this.file.textContent = isOther ? `the file says ${number.text}` : "as in the file";
    this.keep.hidden = this.reset.hidden = !isOther;
    this.element.classList.toggle("other", isOther);
    this.ends.forEach((input, k) => {
      if (document.activeElement !== input) input.value = `${this.limits.value[k]}`;
    });
  }
}
