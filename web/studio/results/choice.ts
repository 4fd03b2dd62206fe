// What is plotted: panels of observables, how they are drawn, and which there are to choose from.
import { effect, signal } from "@preact/signals";
import { componentsOf } from "../../src/data/table";
import type { SeriesData } from "../../src/data/types";
import type { Studio } from "../studio";
import type { Taper } from "./spectrum";

export type Mode = "time" | "xy" | "spectrum" | "difference";

interface ObservableData {
  name: string;
  unit: string;
  labels?: string[];
  kind?: string;
}

const MOST_FIRST = 3;
/** The most telling ones first. */
const TELLING: [string, (s: SeriesData) => boolean][] = [
  ["output", () => true],
  ["coordinate", (s) => s.kind === "coordinate" && s.unit !== ""],
  ["deflection", (s) => s.name.endsWith(".mid.deflection")],
  ["effort", (s) => s.kind === "effort" && !s.labels.length],
  ["position", (s) => s.kind === "position" && !s.name.slice(0, -9).includes(".")],
];

export class Choice {
  readonly mode = signal<Mode>("time");
  /** Component on the x axis of x–y plots. */
  readonly abscissa = signal<string>("");
  readonly taper = signal<Taper>("hann");
  readonly logarithmic = signal(false);
  /** Runs of the difference: first minus second. */
  readonly pair = signal<readonly [number, number] | null>(null);
  /** Names of components, panel by panel. */
  readonly panels = signal<readonly (readonly string[])[]>([]);
  readonly observables = signal<readonly SeriesData[]>([]);
  private readonly colors = new Map<string, number>();
  private isTouched = false;
  private asked = -1;
  private units = new Map<string, string>();

  constructor(private readonly studio: Studio) {
    effect(() => {
      const outline = studio.outline.value;
      if (outline && !this.isTouched && outline.view.plots.length)
        this.panels.value = outline.view.plots;
    });
    effect(() => {
      if (studio.others.value) this.begin();
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    effect(() => {
      const revision = studio.outline.value?.revision ?? -1;
      if (revision < 0 || studio.faults.value.faults.length) return;
      clearTimeout(timer);
      timer = setTimeout(() => void this.look(revision), 300);
    });
  }

  /** Another document: nothing is chosen yet. */
  private begin(): void {
    this.isTouched = false;
    this.asked = -1;
    this.panels.value = [];
    this.observables.value = [];
    this.abscissa.value = "";
    this.pair.value = null;
  }

  private async look(revision: number): Promise<void> {
    if (revision <= this.asked) return;
    this.asked = revision;
    try {
      const found = await this.studio.look<unknown>("observables");
      if (revision !== this.asked) return;
      this.take(listOf(found));
    } catch {
      this.asked = -1;
    }
  }

  private take(found: ObservableData[]): void {
    const before = JSON.stringify(this.observables.value);
    const series = found.map((o) => ({
      ...{ name: o.name, unit: o.unit, labels: o.labels ?? [], kind: o.kind ?? "" },
      ...{ column: 0, unique: [] },
    }));
    this.units = new Map(series.flatMap((s) => componentsOf(s).map((name) => [name, s.unit])));
    if (before === JSON.stringify(series)) return;
    this.observables.value = series;
    const isSaid = (this.studio.outline.value?.view.plots.length ?? 0) > 0;
    if (!this.isTouched && !isSaid) this.panels.value = this.telling();
  }

  /** Outputs of the file, coordinates of joints, deflections: a few panels for a first look. */
  private telling(): string[][] {
    const outputs = new Set(
      (this.studio.outline.value?.sections ?? [])
        .filter((s) => s.section === "outputs")
        .flatMap((s) => s.items.map((i) => i.label)),
    );
    const panels = new Map<string, string[]>();
    for (const [kind, fits] of TELLING)
      for (const s of this.observables.value) {
        const isOutput = outputs.has(s.name);
        if (isOutput !== (kind === "output") || !fits(s)) continue;
        const key = isOutput ? "outputs" : `${kind} ${s.unit}`;
        if (!panels.has(key) && panels.size >= MOST_FIRST) continue;
        const own = panels.get(key) ?? [];
        own.push(...componentsOf(s).slice(0, MOST_FIRST - own.length));
        panels.set(key, own);
      }
    return [...panels.values()];
  }

  unit(name: string): string | undefined {
    return this.units.get(name);
  }

  get names(): string[] {
    return [...new Set(this.panels.value.flat())];
  }

  /** Every component there is. */
  get components(): string[] {
    return this.observables.value.flatMap(componentsOf);
  }

  has(name: string): boolean {
    return this.panels.value.some((p) => p.includes(name));
  }

  /** Plot a component, beside others of its unit, or take it away. */
  flip(name: string): void {
    this.isTouched = true;
    const { panels } = this;
    if (this.has(name)) {
      panels.value = panels.value.map((p) => p.filter((n) => n !== name)).filter((p) => p.length);
      return;
    }
    const unit = this.units.get(name);
    const at = panels.value.findIndex((p) => this.units.get(p[0]) === unit && p.length < 8);
    panels.value =
      at < 0
        ? [...panels.value, [name]]
        : panels.value.map((p, k) => (k === at ? [...p, name] : p));
  }

  /** Plot all components of an observable, as far as they are not plotted. */
  add(name: string): void {
    const found = this.observables.value.find((s) => s.name === name);
    for (const own of found ? componentsOf(found) : [name]) if (!this.has(own)) this.flip(own);
  }

  /** One colour for an observable, whichever run it belongs to. */
  color(name: string, among: number): number {
    const known = this.colors.get(name);
    if (known !== undefined) return known;
    const uses = Array.from({ length: among }, () => 0);
    for (const own of this.names) {
      const color = this.colors.get(own);
      if (color !== undefined) uses[color]++;
    }
    const color = uses.indexOf(Math.min(...uses));
    this.colors.set(name, color);
    return color;
  }
}

function listOf(found: unknown): ObservableData[] {
  if (Array.isArray(found)) return found as ObservableData[];
  const inside = (found as { observables?: ObservableData[] } | null)?.observables;
  return inside ?? [];
}

const choices = new WeakMap<Studio, Choice>();

/** The one choice of a studio. */
export function choiceOf(studio: Studio): Choice {
  const known = choices.get(studio) ?? new Choice(studio);
  choices.set(studio, known);
  return known;
}
