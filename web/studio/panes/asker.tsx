// What a command needs to know, asked in the list that typing narrows: one question after the other.
import { signal } from "@preact/signals";
import { render } from "preact";
import { h } from "../../src/ui/dom";
import type { Choice } from "../commands";
import { Choosing } from "./choosing";

export interface Ask {
  /** The question: "Joint from which frame?". */
  readonly label: string;
  readonly placeholder?: string;
  readonly choices?: readonly Choice[];
  /** What the typed text itself stands for, beside the choices. */
  readonly free?: (typed: string) => Choice | null;
  readonly initial?: string;
  /** Said when nothing fits. */
  readonly nothing?: string;
}

interface Asked extends Ask {
  readonly number: number;
  answer(choice: Choice | null): void;
}

/** A choice of a list, with what it is sent as. */
export const answer = (name: string, text = "", title = name): Choice => ({
  kind: "answer",
  name,
  title,
  text,
  keys: [],
});

export class Asker {
  readonly element = h("div", { class: "asker-place" });
  readonly asked = signal<Asked | null>(null);
  private number = 0;

  constructor() {
    render(<Questions asker={this} />, this.element);
  }

  /** One of several; null if the user thinks better of it. */
  choose(ask: Ask): Promise<Choice | null> {
    this.asked.peek()?.answer(null);
    return new Promise((resolve) => {
      const number = ++this.number;
      const answered = (choice: Choice | null) => {
        if (this.asked.peek()?.number === number) this.asked.value = null;
        resolve(choice);
      };
      this.asked.value = { ...ask, number, answer: answered };
    });
  }

  /** A text as typed; null if the user thinks better of it. */
  async type(label: string, initial = "", hint = ""): Promise<string | null> {
    const found = await this.choose({
      label,
      placeholder: hint,
      initial,
      nothing: hint || "Type it, then Enter.",
      free: (typed) => ({ kind: "typed", name: typed, title: typed, text: "Enter", keys: [] }),
    });
    return found?.name ?? null;
  }
}

function Questions({ asker }: { asker: Asker }) {
  const asked = asker.asked.value;
  if (!asked) return null;
  return (
    <Choosing
      key={asked.number}
      label={asked.label}
      placeholder={asked.placeholder ?? asked.label}
      nothing={asked.nothing ?? "Nothing is called so."}
      choices={asked.choices ?? []}
      free={asked.free}
      initial={asked.initial}
      take={(choice) => asked.answer(choice)}
      close={() => asked.answer(null)}
    >
      <p class="asked" aria-hidden="true">
        {asked.label}
      </p>
    </Choosing>
  );
}
