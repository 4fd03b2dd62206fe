// The time shown: played, scrubbed, stepped. Everything on the page follows it.
import type { Timeline } from "./timeline";

export const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];

/** A run of ordinary length plays in real time; a shorter or longer one within some seconds. */
export function suitableSpeed(duration: number): number {
  if (duration >= 3 && duration <= 30) return 1;
  const wanted = Math.log(duration / 6);
  const away = (speed: number) => Math.abs(Math.log(speed) - wanted);
  return SPEEDS.reduce((best, speed) => (away(speed) < away(best) ? speed : best));
}

type Listener = (clock: Clock) => void;

export class Clock {
  time: number;
  playing = false;
  loop = true;
  speed: number;
  private readonly listeners = new Set<Listener>();
  private shown: Timeline;

  constructor(timeline: Timeline) {
    this.shown = timeline;
    this.time = timeline.start;
    this.speed = suitableSpeed(timeline.duration);
  }

  /** The samples of what is shown. */
  get timeline(): Timeline {
    return this.shown;
  }

  /** Go on with the samples of something else, at the same time as far as it has that. */
  take(timeline: Timeline): void {
    this.shown = timeline;
    if (!(timeline.duration > 0)) this.playing = false;
    this.seek(this.time);
  }

  /** Call `listener` now and on every change, until the function returned is called. */
  follow(listener: Listener): () => void {
    this.listeners.add(listener);
    listener(this);
    return () => this.listeners.delete(listener);
  }

  seek(time: number): void {
    const { start, end } = this.timeline;
    this.time = Math.min(Math.max(time, start), end);
    this.tell();
  }

  /** Go some samples on or back, and stop there. */
  step(samples: number): void {
    const { times } = this.timeline;
    const index = this.timeline.nearest(this.time) + samples;
    this.playing = false;
    this.seek(times[Math.min(Math.max(index, 0), times.length - 1)]);
  }

  play(): void {
    if (this.timeline.duration <= 0) return;
    this.playing = true;
    if (this.time >= this.timeline.end) this.time = this.timeline.start;
    this.tell();
  }

  pause(): void {
    this.playing = false;
    this.tell();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  change(options: { speed?: number; loop?: boolean }): void {
    Object.assign(this, options);
    this.tell();
  }

  /** Advance by seconds of the watcher's time. */
  tick(seconds: number): void {
    if (!this.playing) return;
    const { start, end, duration } = this.timeline;
    this.time += seconds * this.speed;
    if (this.time >= end) {
      if (this.loop) this.time = start + ((this.time - start) % duration);
      else {
        this.time = end;
        this.playing = false;
      }
    }
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this);
  }
}

/** Let the clock run while it plays. */
export function animate(clock: Clock): void {
  let last: number | null = null;
  const frame = (now: number) => {
    if (!clock.playing) {
      last = null;
      return;
    }
    if (last !== null) clock.tick(Math.min((now - last) / 1000, 0.25));
    last = now;
    requestAnimationFrame(frame);
  };
  clock.follow(() => {
    if (clock.playing && last === null) {
      last = performance.now();
      requestAnimationFrame(frame);
    }
  });
}
