// The bar at the bottom: the clock, faults, and what the model comes to.
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { h } from "../../src/ui/dom";
import type { Studio } from "../studio";
import type { Arrangement } from "./arrangement";
import { FaultList, type FaultWalk } from "./faults";
import { Slot } from "./head";

/** Milliseconds from a change to the question what the model comes to. */
const PAUSE = 700;

interface FootParts {
  studio: Studio;
  arrangement: Arrangement;
  walk: FaultWalk;
  clock: HTMLElement;
}

export function foot(parts: FootParts): HTMLElement {
  const element = h("footer", { class: "foot" });
  const line = signal("");
  followProcess(parts.studio, line);
  render(<Foot {...parts} line={line} />, element);
  return element;
}

type Line = ReturnType<typeof signal<string>>;

function Foot({ studio, arrangement, walk, clock, line }: FootParts & { line: Line }) {
  const isEmpty = studio.document.value?.text.trim() === "";
  const unreadable = studio.faults.value.unreadable && !isEmpty;
  const count = isEmpty ? 0 : studio.faults.value.faults.length;
  const kept = studio.outline.value ? "; views show the model as it was" : "";
  const state = unreadable ? `the text cannot be read${kept}` : line.value;
  const flip = () => (arrangement.faults.value = !arrangement.faults.value);
  return (
    <>
      <FaultList studio={studio} walk={walk} arrangement={arrangement} />
      <div class="foot-bar">
        <Slot element={clock} name="clock" />
        <button
          type="button"
          class={count > 0 ? "count bad" : "count"}
          aria-expanded={arrangement.faults.value}
          onClick={flip}
        >
          Faults {count}
        </button>
        <span class="unseen" role="status">
          {count === 0 ? "no faults" : count === 1 ? "1 fault" : `${count} faults`}
        </span>
        <p class={unreadable ? "process bad" : "process"} title={state}>
          {state}
        </p>
      </div>
    </>
  );
}

/** Keep the line about states, stores and loops equal to the model. */
function followProcess(studio: Studio, line: Line): void {
  let timer = 0;
  let asked = -1;
  effect(() => {
    const revision = studio.outline.value?.revision ?? -1;
    const isSound = studio.faults.value.faults.length === 0 && studio.connected.value;
    clearTimeout(timer);
    if (!isSound) line.value = "";
    if (!isSound || revision < 0) asked = -1;
    else if (revision !== asked)
      timer = window.setTimeout(() => {
        asked = revision;
        const tell = (text: string) => asked === revision && (line.value = text);
        studio.look<ProcessData>("process").then(
          (data) => tell(data.line ?? ""),
          () => tell(""),
        );
      }, PAUSE);
  });
}

interface ProcessData {
  /** "5 states, 1 dependent store, no algebraic loop". */
  line?: string;
}
