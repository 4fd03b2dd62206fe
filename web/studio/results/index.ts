// Results: curves of runs and drafts over time, over each other, by frequency; their differences.
import { effect, untracked } from "@preact/signals";
import { Timeline } from "../../src/motion/timeline";
import { Picker } from "../../src/plots/picker";
import { TimeWindow } from "../../src/plots/window";
import { h, icon, toggle } from "../../src/ui/dom";
import { findingsOf } from "../run/findings";
import { clockOf } from "../run/clock";
import type { Studio, View } from "../studio";
import { choiceOf, type Mode } from "./choice";
import { Compare } from "./compare";
import { Panel } from "./panel";
import { RunList } from "./run_list";
import { TAPERS, type Taper } from "./spectrum";
import { runsOf } from "./store";
import "../../src/style/plots.css";
import "./results.css";

const MODES: Record<Mode, string> = {
  time: "over time",
  xy: "x–y",
  spectrum: "spectrum",
  difference: "difference",
};

export function resultsView(studio: Studio): View {
  return new Results(studio);
}

class Results implements View {
  readonly element = h("div", { class: "results-view" });
  readonly tools: HTMLElement;
  readonly actions = { "plots.keep": () => void this.keepPlots() };
  private readonly runs;
  private readonly choice;
  private readonly clock;
  private readonly window = new TimeWindow(new Timeline([0, 1]));
  private readonly stack = h("div", { class: "stack" });
  private readonly options = h("div", { class: "options" });
  private readonly pickers = h("div", { class: "picker-place", hidden: true });
  private readonly list: RunList;
  private readonly compare: Compare;
  private readonly resized = new ResizeObserver(([entry]) => {
    this.width = entry.contentRect.width;
    this.invalidate();
  });
  private width = 300;
  private readonly ends: (() => void)[] = [];
  private panels: Panel[] = [];
  private built = "";
  private isWaiting = false;
  private isGone = false;

  constructor(private readonly studio: Studio) {
    this.runs = runsOf(studio);
    this.choice = choiceOf(studio);
    this.clock = clockOf(studio);
    this.list = new RunList(studio, this.runs);
    this.compare = new Compare(studio, this.runs, this.choice);
    this.tools = this.bar();
    const findings = findingsOf(studio);
    this.element.append(
      this.pickers,
      findings.element,
      this.list.element,
      this.reference(),
      this.compare.element,
      this.options,
      this.stack,
    );
    this.resized.observe(this.stack);
    this.window.follow(() => this.invalidate());
    this.follow();
    this.ends.push(this.compare.dispose, () => findings.dispose());
  }

  /** What is plotted in which panel, written into the file. */
  private async keepPlots(): Promise<void> {
    await this.studio.do("view.plot", { panels: this.choice.panels.peek() });
  }

  /** Everything that is drawn again when something it shows changes. */
  private follow(): void {
    const { runs, choice, studio } = this;
    this.ends.push(
      effect(() => {
        runs.changed.value;
        runs.shown.value;
        this.measure();
      }),
      effect(() => {
        studio.runs.value;
        runs.eyes.value;
        runs.shown.value;
        runs.drafts.value;
        untracked(() => this.list.draw());
      }),
      effect(() => {
        for (const s of [choice.panels, choice.abscissa, choice.pair]) s.value;
        studio.runs.value;
        runs.eyes.value;
        const wanted = [...choice.names, choice.abscissa.value].filter(Boolean);
        untracked(() => runs.fetch(wanted));
      }),
      effect(() => {
        for (const s of [choice.panels, choice.mode, choice.abscissa, choice.taper]) s.value;
        for (const s of [choice.logarithmic, choice.pair, choice.observables]) s.value;
        for (const s of [runs.changed, runs.drafts, runs.eyes, runs.shown]) s.value;
        studio.runs.value;
        this.invalidate();
      }),
      effect(() => {
        studio.time.value;
        untracked(() => this.point());
      }),
      effect(() => void (this.element.dataset.drafts = `${runs.draftsDrawn.value}`)),
    );
  }

  /** The window follows the longest of what is drawn. */
  private measure(): void {
    const all = [...this.runs.drawn(), ...this.runs.drafts.value].map((r) => r.timeline);
    const times = all.filter((t) => t.duration > 0);
    if (!times.length) return;
    const start = Math.min(...times.map((t) => t.start));
    const end = Math.max(...times.map((t) => t.end), this.expected());
    this.window.take(new Timeline([start, end]));
  }

  /** Where a run that goes on will end, so that its curves grow into a chart that holds still. */
  private expected(): number {
    const shown = this.runs.growing.value;
    if (!shown) return -Infinity;
    const job = [...this.studio.jobs.peek().values()].find(
      (j) => j.run === shown.id && j.state === "running",
    );
    const { start, end } = shown.timeline;
    return job?.progress ? start + (end - start) / Math.max(job.progress, 0.02) : -Infinity;
  }

  private invalidate(): void {
    if (this.isWaiting || this.isGone) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      if (!this.isGone) untracked(() => this.draw());
    });
  }

  private draw(): void {
    this.build();
    for (const panel of this.panels) panel.draw(this.width);
    const newest = this.runs.drafts.value.at(-1);
    if (newest) this.runs.sawDraft(newest, "curves");
  }

  private build(): void {
    const key = JSON.stringify(this.choice.panels.value);
    if (key === this.built) return;
    this.built = key;
    const seek = (time: number) => this.clock.seek(time);
    this.panels = this.choice.panels.value.map(
      (names) => new Panel(this.studio, this.runs, this.choice, this.window, names, seek),
    );
    const hint = h("p", { class: "muted hint" }, "Choose observables to plot them here.");
    this.stack.replaceChildren(
      ...(this.panels.length ? this.panels.map((p) => p.element) : [hint]),
    );
  }

  private point(): void {
    const time = this.studio.time.value;
    if (!this.window.isWhole) this.window.reveal(time);
    for (const panel of this.panels) panel.show();
  }

  private bar(): HTMLElement {
    const { choice } = this;
    const choose = toggle("Observables", false, (open) => this.pick(open), {
      class: "choose",
      title: "Choose observables to plot",
    });
    const mode = h(
      "select",
      {
        "aria-label": "What is plotted",
        change: () => (choice.mode.value = mode.value as Mode),
      },
      ...Object.entries(MODES).map(([value, name]) => h("option", { value }, name)),
    );
    this.ends.push(
      effect(() => {
        mode.value = choice.mode.value;
        const options = this.modeOptions();
        this.options.replaceChildren(...options);
        this.options.hidden = options.length === 0;
      }),
    );
    return h("div", { class: "results-bar" }, choose, mode, this.zoomButtons());
  }

  private modeOptions(): HTMLElement[] {
    const { choice } = this;
    if (choice.mode.value === "xy") {
      const names = choice.components;
      if (!choice.abscissa.value && names.length)
        queueMicrotask(() => (choice.abscissa.value = choice.names[0] ?? names[0]));
      const select = h(
        "select",
        {
          "aria-label": "Observable along x",
          title: "Observable along x",
          change: () => (choice.abscissa.value = select.value),
        },
        ...names.map((name) => h("option", { value: name }, name)),
      );
      select.value = choice.abscissa.value;
      return [h("label", {}, "x ", select)];
    }
    if (choice.mode.value === "spectrum") {
      const taper = h(
        "select",
        {
          "aria-label": "Window of the spectrum",
          title: "Window by which samples are weighted",
          change: () => (choice.taper.value = taper.value as Taper),
        },
        ...Object.entries(TAPERS).map(([value, name]) => h("option", { value }, `${name} window`)),
      );
      taper.value = choice.taper.value;
      const log = toggle("log", choice.logarithmic.value, (on) => (choice.logarithmic.value = on), {
        title: "Logarithmic amplitudes",
      });
      return [taper, log];
    }
    return [];
  }

  private zoomButtons(): HTMLElement {
    const button = (label: string, name: "plus" | "minus" | "reset", act: () => void) =>
      h(
        "button",
        { type: "button", class: "quiet", "aria-label": label, title: label, click: act },
        icon(name),
      );
    const about = () => this.studio.time.peek();
    return h(
      "span",
      { class: "zoom", role: "group", "aria-label": "Zoom of time" },
      button("Zoom in around the cursor", "plus", () => this.window.zoom(0.5, about())),
      button("Zoom out", "minus", () => this.window.zoom(2, about())),
      button("Show the whole run", "reset", () => this.window.reset()),
    );
  }

  private pick(open: boolean): void {
    this.pickers.hidden = !open;
    if (!open) return this.pickers.replaceChildren();
    const kinds = new Map(Object.entries(this.studio.outline.value?.kinds ?? {}));
    const picker = new Picker(
      [...this.choice.observables.value],
      kinds,
      (name) => this.choice.has(name),
      (name) => this.choice.flip(name),
    );
    this.pickers.replaceChildren(picker.element);
    picker.open(true);
  }

  /** A run from a file, to compare with. */
  private reference(): HTMLElement {
    const path = h("input", {
      type: "text",
      placeholder: "results/measured.csv",
      "aria-label": "File of a reference run, .nc or .csv",
      spellcheck: "false",
    });
    const load = (event: Event) => {
      event.preventDefault();
      if (!path.value.trim()) return;
      this.studio.connection
        .ask("load", { path: path.value.trim() })
        .then(() => (path.value = ""))
        .catch((error: unknown) => this.studio.complain(error));
    };
    return h(
      "details",
      { class: "reference" },
      h("summary", {}, "Load a reference run"),
      h("form", { submit: load }, path, h("button", { type: "submit" }, "Load")),
    );
  }

  /** The whole run. */
  fit(): void {
    this.window.reset();
  }

  dispose(): void {
    this.isGone = true;
    this.resized.disconnect();
    for (const end of this.ends) end();
  }
}
