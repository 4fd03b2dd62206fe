// Many runs from one or two sliders: what to ask for, and the runs as a picture that sets sliders.
import { effect, signal } from "@preact/signals";
import { h } from "../../src/ui/dom";
import { Runs, type SweepData } from "../../src/sweeps/data";
import { SweepView } from "../../src/sweeps/view";
import type { NumberData } from "../protocol";
import { choiceOf } from "../results/choice";
import type { Studio } from "../studio";
import { type Limits, numbersOf, pinned } from "../tree/pinned";
import { command } from "./export";
import { planOf } from "./plan";
import { written } from "./sliders";
import "../../src/sweeps/sweeps.css";

/** Values along a slider at first: of one, of each of two. */
const FIRST = [21, 9];
const MOST_AXES = 2;

export interface SweepFound {
  sweep: SweepData;
  command: string;
  /** Of the other sliders. */
  params: Record<string, string>;
}

/** What a slider takes: "10 mm..20 mm:9". */
export function rangeText([low, high]: Limits, unit: string, count: number): string {
  return `${written(low, unit)}..${written(high, unit)}:${count}`;
}

/** The form below the sliders. */
export function sweepForm(studio: Studio): HTMLElement {
  const chosen = signal<readonly string[]>([]);
  const counts = signal<Readonly<Record<string, number>>>({});
  const rows = h("div", { class: "sweep-rows" });
  const outputs = h("input", {
    ...{ type: "text", name: "observe", spellcheck: "false" },
    placeholder: "O.angle, slider.position.x",
    "aria-label": "Observables of the sweep",
  });
  const total = h("span", { class: "muted" });
  const start = h("button", { type: "submit", class: "primary" }, "Sweep ▶");
  const countOf = (key: string) => counts.value[key] ?? FIRST[Math.max(chosen.value.length, 1) - 1];
  const submit = (event: Event) => {
    event.preventDefault();
    const numbers = numbersOf(studio);
    const own = chosen.peek().filter((key) => numbers.has(key));
    const of = (key: string) => [numbers.get(key)!, pinned.peek().get(key)!] as const;
    const vary = own.map((key) => {
      const [number, limits] = of(key);
      return [key, rangeText(limits, number.unit, countOf(key))];
    });
    const units = own.map((key) => [key, numbers.get(key)!.unit]);
    const names = outputs.value.split(",").flatMap((name) => name.trim() || []);
    void planOf(studio).sweep(Object.fromEntries(vary), Object.fromEntries(units), names);
  };
  const form = h(
    "form",
    { submit },
    rows,
    h("label", { class: "sweep-observe" }, "observe ", outputs),
    h("div", { class: "sweep-foot" }, start, total),
  );
  const row = (key: string) => {
    const isChosen = chosen.value.includes(key);
    const box = h("input", {
      ...{ type: "checkbox", checked: isChosen, "data-sweep": key },
      change: () => {
        const rest = chosen.peek().filter((other) => other !== key);
        chosen.value = box.checked ? [...rest, key].slice(-MOST_AXES) : rest;
      },
    });
    const count = h("input", {
      ...{ type: "number", min: 2, max: 1000, value: countOf(key), disabled: !isChosen },
      "aria-label": `Values of ${key}`,
      change: () => {
        const number = Math.round(count.valueAsNumber);
        if (number >= 2) counts.value = { ...counts.peek(), [key]: number };
      },
    });
    return h("div", { class: "sweep-row" }, h("label", {}, box, key), count, "values");
  };
  effect(() => {
    const keys = [...pinned.value.keys()];
    if (!chosen.value.some((key) => keys.includes(key)) && keys.length) chosen.value = [keys[0]];
    rows.replaceChildren(...keys.map(row));
    const own = chosen.value.filter((key) => keys.includes(key));
    const runs = own.reduce((product, key) => product * countOf(key), 1);
    const { faults, unreadable } = studio.faults.value;
    const isBlocked = faults.length > 0 || unreadable;
    start.disabled = !own.length || !studio.connected.value || isBlocked;
    total.textContent = own.length ? `${runs} runs` : "choose a slider";
  });
  const fill = () => {
    if (place.open && !outputs.value) outputs.value = choiceOf(studio).names.join(", ");
  };
  const place = h(
    "details",
    { class: "sweep-form", toggle: fill },
    h("summary", { title: "Run the model over the ranges of one or two sliders" }, "Sweep"),
    form,
  );
  return place;
}

/** The runs of a sweep; the one that is chosen is what the sliders say. */
export function sweepPicture(studio: Studio, found: SweepFound): HTMLElement {
  const place = h("div", { class: "sweep-place" });
  const notes = found.sweep.notes.map((text) => h("p", { class: "muted" }, text));
  void Runs.read(found.sweep).then((runs) => {
    const view = new SweepView(runs);
    let last: number | null = null;
    view.choice.follow(() => {
      const { run } = view.choice;
      if (run !== last && run !== null) setSliders(studio, runs, run, found.params);
      last = run;
    });
    place.append(view.element, ...notes, command(found.command));
  });
  return place;
}

/** Sliders as a run had them, and a draft of it. */
function setSliders(
  studio: Studio,
  { columns }: Runs,
  run: number,
  params: Readonly<Record<string, string>>,
): void {
  const numbers = numbersOf(studio);
  const values: Record<string, string> = { ...params };
  for (const { kind, name, values: own } of columns) {
    const number = kind === "varied" ? numbers.get(name) : undefined;
    if (!number) continue;
    const value = Number(own[run].toPrecision(7));
    if (isSame(value, number)) delete values[name];
    else values[name] = written(value, number.unit);
  }
  studio.overrides.value = values;
  void planOf(studio).draft(values);
}

/** Whether the file says this, as far as single precision tells. */
function isSame(value: number, { value: own }: NumberData): boolean {
  return value === Number(own.toPrecision(7));
}
