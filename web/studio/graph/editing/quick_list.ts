// A list beside a place of the canvas that typing narrows: arrows walk, Enter takes, Escape leaves.
import { h } from "../../../src/ui/dom";
import type { Surface } from "../canvas/surface";
import type { Point } from "../data";
import { meant, type Choice } from "./typed";

export interface Listed<T extends Choice> {
  title: string;
  choices: readonly T[];
  /** Where on the canvas. */
  at: Point;
  /** What was typed already. */
  typed?: string;
  placeholder?: string;
  /** Whether sentences stand below their labels, in full. */
  wide?: boolean;
  /** Taken, with everything that was typed. */
  take(choice: T, typed: string): void;
  /** Another choice is looked at. */
  look?(choice: T | null): void;
  leave?(): void;
}

const EDGE = 6;
/** Pixels between the place and the list, where what is chosen can be seen. */
const OFF = 22;
let count = 0;

export class QuickList {
  readonly element = h("div", { class: "quick-list", hidden: true });
  private readonly title = h("div", { class: "quick-title" });
  private readonly list = h("ul", { role: "listbox", id: `quick-${++count}` });
  private readonly field = h("input", {
    type: "text",
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": this.list.id,
    "aria-autocomplete": "list",
    autocomplete: "off",
    spellcheck: "false",
  });
  private now: Listed<Choice> | null = null;
  private found: Choice[] = [];
  private current = 0;

  constructor(private readonly surface: Surface) {
    this.element.append(this.title, this.field, this.list);
    this.field.addEventListener("input", () => this.narrow());
    this.field.addEventListener("keydown", (event) => this.press(event));
    this.element.addEventListener("focusout", (event) => {
      if (!this.element.contains(event.relatedTarget as Node | null)) this.close(true);
    });
    this.element.addEventListener("pointerdown", (event) => event.stopPropagation());
  }

  get isOpen(): boolean {
    return this.now !== null;
  }

  open<T extends Choice>(listed: Listed<T>): void {
    this.close(true);
    this.now = listed as unknown as Listed<Choice>;
    this.title.textContent = listed.title;
    this.field.setAttribute("aria-label", listed.title);
    this.list.setAttribute("aria-label", listed.title);
    this.field.placeholder = listed.placeholder ?? "type to narrow";
    this.field.value = listed.typed ?? "";
    this.element.classList.toggle("wide", listed.wide ?? false);
    this.element.hidden = false;
    this.narrow();
    this.place(listed.at);
    this.field.focus({ preventScroll: true });
    this.field.setSelectionRange(this.field.value.length, this.field.value.length);
  }

  /** The same choices, of which more is known now. */
  renew<T extends Choice>(choices: readonly T[]): void {
    if (!this.now) return;
    const { current } = this;
    this.now.choices = choices;
    this.narrow();
    this.go(current);
  }

  close(leaves: boolean): void {
    const { now } = this;
    if (!now) return;
    this.now = null;
    this.element.hidden = true;
    if (leaves) now.leave?.();
  }

  private narrow(): void {
    this.found = meant(this.now?.choices ?? [], this.field.value);
    const lines = this.found.map((choice, k) =>
      h(
        "li",
        { role: "option", id: `${this.list.id}-${k}`, pointerdown: (e: Event) => this.pick(e, k) },
        h("b", {}, choice.label),
        h("span", {}, choice.sentence),
      ),
    );
    if (!lines.length)
      lines.push(h("li", { class: "nothing" }, "nothing of that name may be here"));
    this.list.replaceChildren(...lines);
    this.go(0);
  }

  private go(to: number): void {
    const most = Math.max(0, this.found.length - 1);
    this.current = Math.min(most, Math.max(0, to));
    [...this.list.children].forEach((line, k) =>
      line.setAttribute("aria-selected", `${k === this.current && this.found.length > 0}`),
    );
    this.field.setAttribute("aria-activedescendant", `${this.list.id}-${this.current}`);
    this.list.children[this.current]?.scrollIntoView({ block: "nearest" });
    this.now?.look?.(this.found[this.current] ?? null);
  }

  private press(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (event.key in steps) this.go(this.current + steps[event.key]);
    else if (event.key === "Enter") this.take(this.current);
    else if (event.key === "Escape") {
      this.close(true);
      this.back();
    } else if (event.key !== "Tab") {
      event.stopPropagation();
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private pick(event: Event, k: number): void {
    event.preventDefault();
    this.take(k);
  }

  private back(): void {
    this.surface.element.focus({ preventScroll: true });
  }

  private take(k: number): void {
    const [choice, now, typed] = [this.found[k], this.now, this.field.value];
    if (!choice || !now) return;
    this.close(false);
    this.back();
    now.take(choice, typed);
  }

  /** Beside a place, inside the pane. */
  private place([x, y]: Point): void {
    const room = this.element.offsetParent;
    if (!room) return;
    const { offsetWidth: w, offsetHeight: tall } = this.element;
    const left = Math.min(this.surface.window.offsetLeft + x - 24, room.clientWidth - w - EDGE);
    const below = y + OFF + tall + EDGE <= room.clientHeight;
    const top = below ? y + OFF : Math.max(y - OFF - tall, EDGE);
    this.element.style.left = `${Math.max(EDGE, left)}px`;
    this.element.style.top = `${Math.max(EDGE, top)}px`;
  }
}
