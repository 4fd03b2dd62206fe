// One question of a tool: a sentence, a field that narrows a list by typing, and the stage beside it,
// where a click answers as well. Escape leaves the tool.
import { h } from "../../../src/ui/dom";
import { score } from "../../commands";

export interface Option<T> {
  label: string;
  text: string;
  value: T;
  /** Under which heading it stands. */
  group?: string;
}

export interface Question<T> {
  title: string;
  /** How to answer on the stage; without one the list alone answers. */
  hint: string;
  options: readonly Option<T>[];
  /** What typed text itself stands for. */
  typed?(text: string): Option<T> | null;
  /** Another option is looked at. */
  look?(option: Option<T> | null): void;
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
let count = 0;

export class Prompt {
  private readonly title = h("div", { class: "title" });
  private readonly list = h("ul", { role: "listbox", id: `stage-list-${++count}` });
  private readonly field = h("input", {
    ...{ type: "text", role: "combobox", "aria-expanded": "true", autocomplete: "off" },
    ...{ "aria-controls": this.list.id, "aria-autocomplete": "list", spellcheck: "false" },
    input: () => this.narrow(),
    keydown: (event: KeyboardEvent) => this.press(event),
  });
  readonly element = h(
    "div",
    { class: "stage-prompt", role: "group", hidden: true },
    h(
      "div",
      { class: "prompt-head" },
      this.title,
      h(
        "button",
        {
          ...{ type: "button", class: "quiet", title: "Leave (Esc)", "aria-label": "Leave" },
          click: () => this.answer(null),
        },
        "✕",
      ),
    ),
    this.field,
    this.list,
  );
  private question: Question<unknown> | null = null;
  private resolve: ((value: unknown) => void) | null = null;
  private found: Option<unknown>[] = [];
  private current = 0;

  get isOpen(): boolean {
    return this.question !== null;
  }

  /** The answer; null if the user leaves. */
  ask<T>(question: Question<T>): Promise<T | null> {
    this.answer(null);
    this.question = question as Question<unknown>;
    this.title.textContent = question.title;
    this.element.setAttribute("aria-label", question.title);
    this.field.setAttribute("aria-label", `${question.title}. ${question.hint}`);
    this.list.setAttribute("aria-label", question.title);
    this.field.value = "";
    this.field.placeholder = question.hint || "type to narrow";
    this.element.classList.toggle("beside", question.hint !== "");
    this.element.hidden = false;
    this.unfold(question.hint === "");
    this.narrow();
    this.field.focus({ preventScroll: true });
    return new Promise((resolve) => (this.resolve = resolve as (value: unknown) => void));
  }

  /** Answer from elsewhere, such as by a click on the stage. */
  answer(value: unknown): void {
    const { resolve } = this;
    if (!this.question) return;
    this.question = this.resolve = null;
    this.element.hidden = true;
    resolve?.(value);
  }

  /** Beside the stage the list opens when somebody types or walks. */
  private unfold(isOpen: boolean): void {
    this.list.hidden = !isOpen;
    this.field.setAttribute("aria-expanded", `${isOpen}`);
  }

  private narrow(): void {
    const { options, typed } = this.question!;
    if (this.field.value) this.unfold(true);
    const text = this.field.value.trim();
    const own = text ? (typed?.(text) ?? null) : null;
    this.found = [...fitting(options, text), ...(own ? [own] : [])];
    const lines: HTMLElement[] = [];
    let group: string | undefined;
    this.found.forEach((option, k) => {
      if (!text && option.group !== group) {
        group = option.group;
        lines.push(h("li", { class: "group", role: "presentation" }, group ?? ""));
      }
      lines.push(this.line(option, k));
    });
    if (!lines.length) lines.push(h("li", { class: "empty" }, "nothing of that name"));
    this.list.replaceChildren(...lines);
    this.go(0);
  }

  private line(option: Option<unknown>, k: number): HTMLElement {
    return h(
      "li",
      {
        ...{ role: "option", id: `${this.list.id}-${k}`, "data-option": option.label },
        click: () => this.answer(option.value),
      },
      h("b", {}, option.label),
      h("span", {}, option.text),
    );
  }

  private go(to: number): void {
    const { found } = this;
    this.current = Math.min(Math.max(0, found.length - 1), Math.max(0, to));
    for (const line of this.list.querySelectorAll("[role=option]")) {
      const isCurrent = line.id === `${this.list.id}-${this.current}`;
      line.setAttribute("aria-selected", `${isCurrent}`);
      if (isCurrent) line.scrollIntoView({ block: "nearest" });
    }
    this.field.setAttribute("aria-activedescendant", `${this.list.id}-${this.current}`);
    this.question?.look?.(this.list.hidden ? null : (found[this.current] ?? null));
  }

  private press(event: KeyboardEvent): void {
    if (event.key in STEPS) {
      const isNew = this.list.hidden;
      this.unfold(true);
      this.go(isNew ? 0 : this.current + STEPS[event.key]);
    } else if (event.key === "Enter" && this.found[this.current] && !this.list.hidden)
      this.answer(this.found[this.current].value);
    else if (event.key === "Escape") this.answer(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Options that typed text fits, best first; all of them in their order without text. */
export function fitting<T>(options: readonly Option<T>[], text: string): Option<T>[] {
  if (!text) return [...options];
  const rated = options.map((option) => {
    const own = score(option.label, text);
    const wide = own ?? score(`${option.label} ${option.text}`, text);
    return { option, value: own === null && wide !== null ? wide + 100 : wide };
  });
  return rated
    .filter((r): r is { option: Option<T>; value: number } => r.value !== null)
    .sort((a, b) => a.value - b.value)
    .map(({ option }) => option);
}
