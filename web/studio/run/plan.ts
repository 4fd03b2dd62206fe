// What the run button does: the file's analysis, or another one with other settings for this run.
import { effect, signal } from "@preact/signals";
import { choiceOf } from "../results/choice";
import { runsOf } from "../results/store";
import type { JobData } from "../protocol";
import type { Studio } from "../studio";
import { isUnderWay } from "./remaining";

export interface Option {
  name: string;
  label: string;
  hint: string;
  /** "" is as in the file. */
  choices?: readonly string[];
}

const FORMULATIONS = ["", "recursive", "linear-graph", "multibond", "natural", "kane"];
const METHODS = ["", "auto", "dop853", "radau", "generalized-alpha", "hht", "newmark"];
const option = (name: string, label: string, hint: string, choices?: string[]): Option => ({
  ...{ name, label, hint, choices },
});
const T_END = option("t_end", "until", "1 s");
const EVERY = option("every", "samples every", "1 ms");
const RTOL = option("rtol", "relative tolerance", "1e-8");
const FORMULATION = option("formulation", "formulation", "", FORMULATIONS);
const METHOD = option("method", "method", "", METHODS);

export interface Analysis {
  name: string;
  label: string;
  sentence: string;
  options: readonly Option[];
}

const analysis = (name: string, label: string, sentence: string, ...options: Option[]) => ({
  ...{ name, label, sentence, options },
});

export const ANALYSES: readonly Analysis[] = [
  analysis("transient", "Transient", "motion in time", T_END, EVERY, FORMULATION, METHOD, RTOL),
  analysis("kinematics", "Kinematics", "motion that drivers prescribe", T_END, EVERY, FORMULATION),
  analysis(
    "inverse",
    "Inverse dynamics",
    "forces for a prescribed motion",
    T_END,
    EVERY,
    FORMULATION,
  ),
  analysis(
    "statics",
    "Statics",
    "equilibrium and its stability",
    option("at_time", "at time", "0 s"),
  ),
  analysis(
    "modes",
    "Modes",
    "frequencies, damping, moving shapes",
    option("at", "about", "", ["", "rest", "equilibrium", "steady"]),
    option("count", "how many", "all"),
  ),
  analysis("verify", "Verify", "do all formulations agree?", T_END, RTOL),
  analysis(
    "advise",
    "Advise",
    "which theory, how many shapes",
    option("tolerance", "tolerance", "0.01"),
  ),
  analysis("audit", "Power audit", "where energy went, in the run shown"),
];

/** Analyses that move, so that a slider can repeat them. */
const MOVING = new Set(["transient", "kinematics", "inverse"]);

export class Plan {
  /** null: what the file says. */
  readonly analysis = signal<string | null>(null);
  readonly options = signal<Readonly<Record<string, string>>>({});
  /** The job of the button, not of a slider. */
  readonly job = signal<number | null>(null);
  /** Fails before it becomes a job. */
  readonly refusal = signal("");

  constructor(private readonly studio: Studio) {
    effect(() => this.prune());
  }

  /** Drafts that have ended are forgotten: a slider makes many of them. */
  private prune(): void {
    const { jobs } = this.studio;
    const ended = [...jobs.value.values()].filter((j) => j.draft && !isUnderWay(j)).slice(0, -1);
    if (ended.length < 20) return;
    const rest = new Map(jobs.value);
    for (const { id } of ended) rest.delete(id);
    jobs.value = rest;
  }

  get chosen(): Analysis {
    const name = this.analysis.value ?? this.studio.outline.value?.run.analysis ?? "transient";
    return ANALYSES.find((a) => a.name === name) ?? ANALYSES[0];
  }

  /** "1 s": until when, as chosen or as in the file, where numbers are seconds. */
  get end(): string {
    const end = this.options.value.t_end || this.studio.outline.value?.run.t_end || "";
    return end && Number.isFinite(Number(end)) ? `${end} s` : end;
  }

  get needsEnd(): boolean {
    return this.chosen.options.includes(T_END) && MOVING.has(this.chosen.name) && !this.end;
  }

  private get chosenOptions(): Record<string, unknown> {
    const own = this.chosen.options.map((o) => [o.name, this.options.value[o.name] ?? ""]);
    const given = Object.fromEntries(own.filter(([, text]) => text));
    const shown = runsOf(this.studio).shown.value;
    return this.chosen.name === "audit" && shown && !shown.draft
      ? { ...given, run: shown.id }
      : given;
  }

  private get outputs(): string[] {
    const choice = choiceOf(this.studio);
    return [...new Set([...choice.names, choice.abscissa.value].filter(Boolean))];
  }

  /** The whole run, with the values of the sliders. */
  start(): Promise<void> {
    return this.ask(this.chosen.name, this.chosenOptions);
  }

  /** Many runs: `vary` says what each slider takes, in these units. */
  sweep(
    vary: Readonly<Record<string, string>>,
    units: Readonly<Record<string, string>>,
    observe: readonly string[],
  ): Promise<void> {
    const own = this.chosen.name === "transient" ? this.chosenOptions : {};
    return this.ask("sweep", { ...own, vary, units, observe });
  }

  private async ask(analysis: string, options: Record<string, unknown>): Promise<void> {
    const { connection, overrides } = this.studio;
    this.refusal.value = "";
    try {
      const { job } = await connection.ask<{ job: number }>("run", {
        ...{ analysis, options, params: overrides.value },
        ...{ draft: false, outputs: this.outputs },
      });
      this.job.value = job;
    } catch (error) {
      this.refusal.value = error instanceof Error ? error.message : String(error);
    }
  }

  /** The next run is as the file says again; only an end that the file does not say is kept. */
  forget(): void {
    const { t_end } = this.options.value;
    const isSaid = this.studio.outline.value?.run.t_end !== null;
    this.analysis.value = null;
    this.options.value = t_end && !isSaid ? { t_end } : {};
  }

  /** A run that follows a slider; ends when its numbers are here, or it failed. */
  async draft(params: Readonly<Record<string, string>>): Promise<void> {
    const moving = MOVING.has(this.chosen.name) ? this.chosen.name : "transient";
    const options = moving === this.chosen.name ? this.chosenOptions : {};
    const { job } = await this.studio.connection.ask<{ job: number }>("run", {
      ...{ analysis: moving, options, params, draft: true, outputs: this.outputs },
    });
    await this.ended(job);
  }

  private ended(id: number): Promise<void> {
    return new Promise((resolve) => {
      let stop: (() => void) | null = null;
      let isOver = false;
      stop = effect(() => {
        const job = this.studio.jobs.value.get(id);
        const isLost = !this.studio.connected.value;
        if (isOver || (!isLost && (!job || isUnderWay(job)))) return;
        isOver = true;
        resolve();
        queueMicrotask(() => stop?.());
      });
    });
  }

  stop(): void {
    for (const job of this.underWay) this.studio.connection.tell("stop", { job: job.id });
  }

  get underWay(): JobData[] {
    return [...this.studio.jobs.value.values()].filter(isUnderWay);
  }

  /** The job that the bar speaks of. */
  get current(): JobData | null {
    const jobs = this.studio.jobs.value;
    const own = jobs.get(this.job.value ?? -1);
    const running = [...jobs.values()].filter((j) => !j.draft && isUnderWay(j)).at(-1);
    return running ?? own ?? null;
  }
}

const plans = new WeakMap<Studio, Plan>();

/** The one plan of a studio. */
export function planOf(studio: Studio): Plan {
  const known = plans.get(studio) ?? new Plan(studio);
  plans.set(studio, known);
  return known;
}
