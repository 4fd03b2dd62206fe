// The part of the run the plots show; all plots share it.
import type { Timeline } from "../motion/timeline";

const NARROWEST = 1e-4;

export class TimeWindow {
  from: number;
  to: number;
  private readonly listeners: (() => void)[] = [];

  constructor(private timeline: Timeline) {
    this.from = timeline.start;
    this.to = timeline.end;
  }

  /** The run has grown, or is another one: the whole of it, or the same part. */
  take(timeline: Timeline): void {
    const whole = this.isWhole;
    this.timeline = timeline;
    if (whole) this.reset();
    else this.set(this.from, this.to);
  }

  get isWhole(): boolean {
    return this.from <= this.timeline.start && this.to >= this.timeline.end;
  }

  follow(listener: () => void): void {
    this.listeners.push(listener);
  }

  set(from: number, to: number): void {
    const { start, end, duration } = this.timeline;
    const span = Math.min(Math.max(to - from, NARROWEST * duration), duration);
    this.from = Math.min(Math.max(from, start), end - span);
    this.to = this.from + span;
    for (const listener of this.listeners) listener();
  }

  /** Show `factor` times as much, keeping one time where it is. */
  zoom(factor: number, about: number): void {
    this.set(about + (this.from - about) * factor, about + (this.to - about) * factor);
  }

  reset(): void {
    this.set(this.timeline.start, this.timeline.end);
  }

  /** Move along so that a time is inside. */
  reveal(time: number): void {
    const span = this.to - this.from;
    if (time > this.to) this.set(time - 0.1 * span, time + 0.9 * span);
    else if (time < this.from) this.set(time - 0.1 * span, time + 0.9 * span);
  }
}
