// The runs of this session as the page has them: numbers, which are seen, which one is shown.
import { batch, effect, signal } from "@preact/signals";
import type { EventData } from "../../src/data/types";
import { type Value, valueSource } from "../inspector/values";
import type { Frame, RunData } from "../protocol";
import type { Studio } from "../studio";
import { joined } from "./fading";
import { Recording } from "./recording";

/** Runs seen at once unless the user says so. */
const SEEN = 3;

export class Runs {
  /** What stage, clock and inspector show: a run, or the newest draft. */
  readonly shown = signal<Recording | null>(null);
  /** The run that goes on. After drafts it is shown when it is complete: the time stays. */
  readonly growing = signal<Recording | null>(null);
  /** Oldest first. */
  readonly drafts = signal<readonly Recording[]>([]);
  /** Counts numbers that came. */
  readonly changed = signal(0);
  /** What the user said of runs: seen or not. */
  readonly eyes = signal<ReadonlyMap<number, boolean>>(new Map());
  /** Drafts drawn, by curves and mechanism. */
  readonly draftsDrawn = signal(0);
  /** Whether a 3-D view takes part in counting. */
  hasStage = false;
  private readonly recordings = new Map<number, Recording>();
  private readonly asked = new Map<number, Set<string>>();
  /** Asked for by the inspector, and not here. */
  private readonly wanted = new Set<string>();

  constructor(private readonly studio: Studio) {
    studio.connection.on<Frame>("samples", (frame) => this.take(frame));
    effect(() => this.follow(studio.runs.value));
    effect(() => {
      this.changed.value;
      valueSource.value = this.shown.value ? (name) => this.value(name) : null;
    });
  }

  private take(frame: Frame): void {
    batch(() => {
      if (frame.header.draft) this.takeDraft(frame);
      else this.takeRun(frame);
      this.changed.value++;
    });
  }

  private takeDraft(frame: Frame): void {
    const key = frame.header.job ?? frame.header.run;
    const known = this.drafts.value.find((d) => d.id === key);
    const draft = known ?? new Recording(key, true);
    const before = this.shown.value;
    draft.append(frame);
    draft.scene ??= before?.scene ?? null;
    if (!known) this.drafts.value = joined(this.drafts.value, draft);
    this.shown.value = draft;
  }

  private takeRun(frame: Frame): void {
    const { run } = frame.header;
    const known = this.recordings.get(run);
    const recording = known ?? new Recording(run, false);
    if (!known) this.recordings.set(run, recording);
    recording.append(frame);
    if (known || this.isShape(frame)) return;
    this.growing.value = recording;
    if (!this.drafts.value.length) this.shown.value = recording;
  }

  /** Moving shapes of modes are shown when one asks for them. */
  private isShape({ header }: Frame): boolean {
    return this.studio.jobs.peek().get(header.job ?? -1)?.analysis === "modes";
  }

  /** The list of the server has changed. */
  private follow(runs: readonly RunData[]): void {
    const known = new Set(runs.map((r) => r.id));
    const shown = this.shown.peek();
    const isGone = shown && !shown.draft && !known.has(shown.id);
    const underWay = [...this.studio.jobs.peek().values()].some((j) => j.run === shown?.id);
    if (isGone && !underWay && shown !== this.growing.peek()) this.shown.value = null;
    for (const id of this.recordings.keys())
      if (id !== this.shown.peek()?.id && !known.has(id) && runs.length) this.recordings.delete(id);
    const newest = runs.filter(isMotion).at(-1);
    if (newest && newest.id === this.growing.peek()?.id) this.finish(this.growing.peek()!);
    else if (newest && !this.shown.peek()) void this.choose(newest.id);
  }

  /** A run is complete: it takes the place of its drafts. */
  private finish(recording: Recording): void {
    batch(() => {
      this.shown.value = recording;
      this.growing.value = null;
      this.drafts.value = [];
    });
  }

  recording(id: number): Recording {
    const found = this.recordings.get(id) ?? new Recording(id, false);
    this.recordings.set(id, found);
    return found;
  }

  /** Show a run on the stage; its poses are fetched if they are not here. */
  async choose(id: number): Promise<void> {
    const recording = this.recording(id);
    if (!recording.scene) {
      try {
        recording.add(await this.ask(id, [], true));
      } catch (error) {
        return this.studio.complain(error);
      }
    }
    batch(() => {
      this.shown.value = recording;
      this.changed.value++;
    });
  }

  /** Fetch the motion of a run again, with its forces and what sections of beams pass on. */
  async refetch(id: number): Promise<void> {
    try {
      this.recording(id).add(await this.ask(id, [], true, true));
      this.changed.value++;
    } catch (error) {
      this.studio.complain(error);
    }
  }

  private ask(run: number, names: string[], scene: boolean, sections = false): Promise<Frame> {
    return this.studio.connection.ask<Frame>("series", { run, names, scene, sections });
  }

  /** Fetch observables of finished runs that are to be drawn and are not here. */
  fetch(names: readonly string[]): void {
    for (const run of this.seen()) this.fetchOf(run.id, names);
  }

  private fetchOf(id: number, names: Iterable<string>): void {
    const recording = this.recording(id);
    const asked = this.asked.get(id) ?? new Set();
    this.asked.set(id, asked);
    const missing = [...names].filter((name) => !recording.has(name) && !asked.has(name));
    if (!missing.length) return;
    missing.forEach((name) => asked.add(name));
    this.ask(id, missing, false).then(
      (frame) => {
        recording.add(frame);
        this.changed.value++;
      },
      () => undefined,
    );
  }

  /** A value at the time shown; one that is not here is fetched, if its run is finished. */
  private value(name: string): Value | null {
    const shown = this.shown.peek();
    if (!shown) return null;
    const found = shown.value(name, this.studio.time.peek());
    const isFinished = this.studio.runs.peek().some((r) => r.id === shown.id);
    if (!found && isFinished && !shown.draft) {
      if (!this.wanted.size)
        queueMicrotask(() => {
          this.fetchOf(shown.id, this.wanted);
          this.wanted.clear();
        });
      this.wanted.add(name);
    }
    return found;
  }

  isSeen(id: number): boolean {
    const said = this.eyes.value.get(id);
    if (said !== undefined) return said;
    const runs = this.motions();
    return runs.findIndex((r) => r.id === id) >= runs.length - SEEN;
  }

  toggleEye(id: number): void {
    this.eyes.value = new Map(this.eyes.value).set(id, !this.isSeen(id));
  }

  /** Finished runs that are seen, oldest first. */
  seen(): RunData[] {
    return this.motions().filter((r) => this.isSeen(r.id));
  }

  /** Finished runs, without the moving shapes of modes. */
  motions(): RunData[] {
    return this.studio.runs.value.filter(isMotion);
  }

  /** Recordings to draw, oldest first: those seen, and the run that goes on. */
  drawn(): Recording[] {
    const seen = this.seen().map((r) => this.recording(r.id));
    const live = this.growing.value;
    return live && !seen.includes(live) ? [...seen, live] : seen;
  }

  /** Of the run shown. */
  events(): EventData[] {
    const shown = this.shown.peek();
    return this.studio.runs.peek().find((r) => r.id === shown?.id)?.events ?? [];
  }

  /** A view has drawn a draft. */
  sawDraft(draft: Recording, view: "curves" | "stage"): void {
    if (draft.drawn[view]) return;
    draft.drawn[view] = true;
    const complete = draft.drawn.curves && (draft.drawn.stage || !this.hasStage);
    if (complete) this.draftsDrawn.value++;
  }
}

export function isMotion(run: RunData): boolean {
  return run.analysis !== "modes";
}

const stores = new WeakMap<Studio, Runs>();

/** The one store of a studio. */
export function runsOf(studio: Studio): Runs {
  const known = stores.get(studio) ?? new Runs(studio);
  stores.set(studio, known);
  return known;
}
