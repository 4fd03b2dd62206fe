// Shapes of a flexible body at once: the modes of the model as it is, played one by one.
import { effect, signal, untracked } from "@preact/signals";
import { readable } from "../../../src/plots/ticks";
import { h } from "../../../src/ui/dom";
import type { JobData } from "../../protocol";
import { runsOf } from "../../results/store";
import { clockOf } from "../../run/clock";
import type { StageContext } from "./context";

interface Mode {
  mode: number;
  frequency: number | null;
  label?: string;
  rigid?: boolean;
  run?: number | null;
}

export class ModesPlayer {
  private readonly job = signal<number | null>(null);
  private readonly toggleButton = h(
    "button",
    {
      ...{ type: "button", class: "modes-toggle", "aria-pressed": "false", hidden: true },
      title: "Play the mode shapes of the model with this flexible body",
      click: () => this.toggle(),
    },
    "Modes",
  );
  private readonly choice = h("select", {
    ...{ "aria-label": "Mode to play", hidden: true },
    change: () => this.play(Number(this.choice.value)),
  });
  readonly element = h("span", { class: "modes" }, this.toggleButton, this.choice);
  private played: number | null = null;
  private seen: JobData | null = null;
  /** Whose shapes are looked at first. */
  private body = "";

  constructor(private readonly stage: StageContext) {
    const { studio } = stage;
    effect(() => {
      const job = this.job.value === null ? undefined : studio.jobs.value.get(this.job.value);
      if (job && job !== this.seen) untracked(() => this.take(job));
    });
    effect(() => {
      const revision = studio.document.value?.revision;
      if (this.played !== null && revision !== this.played) untracked(() => this.again());
    });
  }

  /** News of the analysis, each once. */
  private take(job: JobData): void {
    this.seen = job;
    if (job.state === "running" || job.state === "queued") return;
    const found = job.data as { modes?: Mode[] } | undefined;
    if (job.state === "done") return this.show((found?.modes ?? []).filter(hasShape));
    this.stop();
    if (job.failure) this.stage.studio.complain(new Error(job.failure));
  }

  /** Offered for flexible bodies, and their frames. */
  follow(selected: readonly string[]): void {
    const bodies = this.stage.viewer?.mechanism.scene.bodies ?? [];
    const name = selected.length === 1 ? selected[0].split(".")[0] : "";
    const isFlexible = bodies.some((b) => b.name === name && b.elastic?.coordinates.length);
    this.toggleButton.hidden = !isFlexible && !this.isOn;
    if (isFlexible) this.body = name;
  }

  private get isOn(): boolean {
    return this.toggleButton.getAttribute("aria-pressed") === "true";
  }

  toggle(): void {
    if (this.isOn) {
      this.stop();
      return this.stage.showStart();
    }
    if (this.toggleButton.hidden) return;
    this.toggleButton.setAttribute("aria-pressed", "true");
    void this.start();
  }

  private async start(): Promise<void> {
    const { studio } = this.stage;
    this.played = studio.document.peek()?.revision ?? 0;
    try {
      const request = { analysis: "modes", options: { at: "rest" }, params: {} };
      const { job } = await studio.connection.ask<{ job: number }>("run", request);
      this.job.value = job;
    } catch (error) {
      this.stop();
      studio.complain(error);
    }
  }

  /** The body was changed: its shapes are others now. */
  private again(): void {
    this.played = null;
    if (this.isOn) void this.stage.studio.checked().then(() => this.start());
  }

  private show(modes: Mode[]): void {
    this.choice.replaceChildren(
      ...modes.map((m) => {
        const pitch = m.frequency === null ? "" : ` · ${readable(m.frequency)} Hz`;
        return h("option", { value: `${m.run}` }, `${m.mode}${pitch}`);
      }),
    );
    this.choice.hidden = modes.length === 0;
    const own = modes.find((m) => m.label?.startsWith(`${this.body}:`)) ?? modes[0];
    if (!own) return this.stop();
    this.choice.value = `${own.run}`;
    this.play(own.run!);
  }

  private play(run: number): void {
    const { studio } = this.stage;
    void runsOf(studio)
      .choose(run)
      .then(() => clockOf(studio).play());
  }

  private stop(): void {
    this.toggleButton.setAttribute("aria-pressed", "false");
    this.choice.hidden = true;
    this.job.value = this.played = null;
  }
}

function hasShape({ run, rigid }: Mode): boolean {
  return run != null && !rigid;
}
