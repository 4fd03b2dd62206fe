// A minute's walk through the window, for whoever sees it first; never again unless asked for.
import { signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { h } from "../../src/ui/dom";
import { type Step, STEPS } from "./steps";

const SEEN = "pliant-studio-tour-seen";
/** Pixels between a part and what is said of it. */
const GAP = 12;

export class Tour {
  readonly element = h("div", { class: "tour-place" });
  /** Which step is shown; null: none. */
  readonly at = signal<number | null>(null);
  private before: Element | null = null;

  constructor() {
    render(<Shown tour={this} />, this.element);
  }

  /** Whether this browser has shown it before. */
  get isSeen(): boolean {
    try {
      return localStorage.getItem(SEEN) !== null;
    } catch {
      return true; // nothing is kept: it would come every time
    }
  }

  begin(): void {
    this.before = document.activeElement;
    this.at.value = 0;
    this.remember();
  }

  private remember(): void {
    try {
      localStorage.setItem(SEEN, "yes");
    } catch {
      // A browser that keeps nothing.
    }
  }

  go(by: number): void {
    const to = (this.at.peek() ?? 0) + by;
    if (to >= STEPS.length) this.end();
    else this.at.value = Math.max(0, to);
  }

  end(): void {
    this.at.value = null;
    if (this.before instanceof HTMLElement) this.before.focus();
  }
}

function Shown({ tour }: { tour: Tour }) {
  const at = tour.at.value;
  return at === null ? null : <Card tour={tour} at={at} step={STEPS[at]} />;
}

interface CardProps {
  tour: Tour;
  at: number;
  step: Step;
}

function Card({ tour, at, step }: CardProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    dialog.current!.showModal();
  }, []);
  useEffect(() => {
    const part = step.at ? document.querySelector<HTMLElement>(step.at) : null;
    const isShown = part !== null && part.getClientRects().length > 0;
    place(dialog.current!, isShown ? part.getBoundingClientRect() : null);
    part?.classList.add("toured");
    next.current!.focus();
    return () => part?.classList.remove("toured");
  }, [at]);
  const isLast = at === STEPS.length - 1;
  return (
    <dialog
      ref={dialog}
      class="tour"
      aria-labelledby="tour-title"
      aria-describedby="tour-text"
      onClose={() => tour.end()}
      onKeyDown={(event) => {
        if (event.key === "ArrowRight") tour.go(1);
        else if (event.key === "ArrowLeft") tour.go(-1);
      }}
    >
      <h2 id="tour-title">{step.title}</h2>
      <p id="tour-text">{step.text}</p>
      <footer>
        <span class="muted">
          {at + 1} of {STEPS.length}
        </span>
        <span class="space" />
        {!isLast && (
          <button type="button" class="link" onClick={() => tour.end()}>
            Leave
          </button>
        )}
        {at > 0 && (
          <button type="button" onClick={() => tour.go(-1)}>
            Back
          </button>
        )}
        <button ref={next} type="button" class="first" onClick={() => tour.go(1)}>
          {isLast ? "Begin" : "Next"}
        </button>
      </footer>
    </dialog>
  );
}

/** Beside a part, or in the middle of the window. */
function place(dialog: HTMLDialogElement, part: DOMRect | null): void {
  const { innerWidth: width, innerHeight: height } = window;
  const { offsetWidth: w, offsetHeight: h } = dialog;
  const clamp = (value: number, most: number) => Math.max(GAP, Math.min(value, most - GAP));
  let x = (width - w) / 2;
  let y = (height - h) / 2;
  if (part) {
    if (part.right + w + 2 * GAP < width) [x, y] = [part.right + GAP, part.top + 40];
    else if (part.left > w + 2 * GAP) [x, y] = [part.left - w - GAP, part.top + 40];
    else [x, y] = [part.left + (part.width - w) / 2, part.top + 60];
    if (part.height < 60) [x, y] = [part.left, part.bottom + GAP];
  }
  dialog.style.left = `${clamp(x, width - w)}px`;
  dialog.style.top = `${clamp(y, height - h)}px`;
}
