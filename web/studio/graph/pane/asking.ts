// Asking the server for a view of the document, again whenever the document changes: while it is
// seen, a moment after the last change, one question at a time; answers that came too late are
// dropped.
import { effect } from "@preact/signals";
import type { Studio } from "../../studio";

const PAUSE = 300;
const PATIENCE = 300;

export interface Asked<T> {
  what: string;
  /** Milliseconds between a change and the question; a moment if nothing is said. */
  pause?: number;
  /** What the choices of the pane ask for. */
  choice(): object;
  show(data: T): void;
  fail(error: unknown): void;
  /** Shown when an answer takes long. */
  busy(is: boolean): void;
}

export class Asking<T> {
  private wanted = true;
  private visible = false;
  private underWay = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;
  private readonly observer: IntersectionObserver;
  private readonly stop: () => void;

  constructor(
    private readonly studio: Studio,
    element: Element,
    private readonly asked: Asked<T>,
  ) {
    this.observer = new IntersectionObserver((entries) => {
      this.visible = entries[entries.length - 1].isIntersecting;
      if (this.visible && this.wanted) this.ask();
    });
    this.observer.observe(element);
    let first = true;
    this.stop = effect(() => {
      const revision = studio.document.value?.revision;
      const connected = studio.connected.value;
      this.round++;
      this.wanted = true;
      if (revision === undefined || !connected) return;
      this.later(first ? 0 : (asked.pause ?? PAUSE));
      first = false;
    });
  }

  /** Ask now: a choice was made. */
  again(): void {
    this.round++;
    this.wanted = true;
    this.later(0);
  }

  dispose(): void {
    this.stop();
    this.observer.disconnect();
    clearTimeout(this.timer);
    this.round = Infinity;
  }

  private later(pause: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), pause);
  }

  private ask(): void {
    const { studio } = this;
    if (!this.visible || this.underWay || !studio.document.value || !studio.connected.value) return;
    void this.question();
  }

  private async question(): Promise<void> {
    const { asked, round } = this;
    this.wanted = false;
    this.underWay = true;
    const slow = setTimeout(() => asked.busy(true), PATIENCE);
    try {
      const data = await this.studio.look<T>(asked.what, asked.choice());
      if (round === this.round) asked.show(data);
    } catch (error) {
      if (round === this.round) asked.fail(error);
    } finally {
      clearTimeout(slow);
      this.underWay = false;
      if (this.round !== Infinity) asked.busy(false);
    }
    if (this.wanted && this.round !== Infinity) this.later(0);
  }
}
