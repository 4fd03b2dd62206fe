// The equations of motion in the names of the model, every symbol linked to its element.
import { effect } from "@preact/signals";
import { h, toggle } from "../../src/ui/dom";
import { Refused } from "../connection";
import { Card } from "../graph/canvas/card";
import { Asking } from "../graph/pane/asking";
import type { Studio, View } from "../studio";
import { asked, Choices } from "./choices";
import { copy, latexOf } from "./copying";
import type { EquationsData, SymbolData } from "./data";
import "./equations.css";
import { fileButtons } from "./files";
import { Sheet } from "./sheet";

export function equationsView(studio: Studio): View {
  return new EquationsView(studio);
}

class EquationsView implements View {
  readonly element: HTMLElement;
  readonly tools: HTMLElement;
  private readonly sheet: Sheet;
  private readonly choices = new Choices(() => this.asking.again());
  private readonly card = new Card();
  private readonly message = h("div", { class: "equations-message", role: "status", hidden: true });
  private readonly progress = h("div", { class: "equations-busy", role: "status", hidden: true });
  private readonly live = h("div", { class: "equations-live", "aria-live": "polite" });
  private readonly files: HTMLElement;
  private readonly filesButton: HTMLButtonElement;
  private readonly asking: Asking<EquationsData>;
  private readonly stops: (() => void)[];
  private data: EquationsData | null = null;

  constructor(private readonly studio: Studio) {
    this.sheet = new Sheet({
      over: (symbol, element) => this.over(symbol, element),
      select: (owner, event) => this.select(owner, event.shiftKey),
      said: (text) => this.say(text),
    });
    this.files = fileButtons(studio, () => asked(this.choices.value));
    this.files.hidden = true;
    this.filesButton = toggle("Files", false, (on) => (this.files.hidden = !on), {
      title: "LaTeX, text or a program",
    });
    const copyAll = h(
      "button",
      { type: "button", title: "Copy the LaTeX of all rows", click: () => void this.copyAll() },
      "Copy LaTeX",
    );
    this.tools = h("div", { class: "equations-tools" }, copyAll, this.filesButton);
    this.element = h(
      "div",
      { class: "equations-view" },
      h("div", { class: "equations-choices" }, ...this.choices.elements),
      this.message,
      this.files,
      this.choices.objections,
      this.sheet.element,
      this.progress,
      this.card.element,
      this.live,
    );
    // before it asks: another document has formulations of its own
    let others = studio.others.peek();
    const forget = effect(() => {
      if (studio.others.value !== others) this.choices.reset();
      others = studio.others.value;
    });
    this.asking = new Asking<EquationsData>(studio, this.element, {
      what: "equations",
      choice: () => asked(this.choices.value),
      show: (data) => this.show(data),
      fail: (error) => this.fail(error),
      busy: (is) => this.busy(is),
    });
    this.stops = [
      forget,
      effect(() => this.sheet.light("lit", studio.selection.value)),
      effect(() => this.sheet.light("hot", studio.hovered.value ? [studio.hovered.value] : [])),
    ];
  }

  reveal(): void {
    this.sheet.reveal();
  }

  dispose(): void {
    for (const stop of this.stops) stop();
    this.asking.dispose();
  }

  private show(data: EquationsData): void {
    this.data = data;
    this.choices.show(data);
    this.sheet.show(data);
    this.card.hide();
    this.element.classList.remove("old");
    this.message.hidden = !data.tooLong;
    this.message.replaceChildren(h("strong", {}, data.tooLong));
    if (data.tooLong && this.files.hidden) this.filesButton.click();
    this.sheet.light("lit", this.studio.selection.peek());
  }

  /** What was there stays, dimmed, with the reason. */
  private fail(error: unknown): void {
    const refused = error instanceof Refused ? error : null;
    const text = refused?.what ?? (error instanceof Error ? error.message : String(error));
    this.message.replaceChildren(h("strong", {}, text));
    if (refused?.cure) this.message.append(h("span", {}, refused.cure));
    this.message.hidden = false;
    this.element.classList.add("old");
  }

  private busy(is: boolean): void {
    this.progress.textContent = is ? "deriving …" : "";
    this.progress.hidden = !is;
    this.element.setAttribute("aria-busy", `${is}`);
  }

  private over(symbol: SymbolData | null, element: Element | null): void {
    const owner = symbol?.owner || null;
    if (this.studio.hovered.peek() !== owner) this.studio.hovered.value = owner;
    if (!symbol || !element) return this.card.hide();
    const { left, bottom } = element.getBoundingClientRect();
    const own = this.element.getBoundingClientRect();
    const at = [left - own.left, bottom - own.top - 8] as const;
    const details = symbol.owner ? ([["of", symbol.owner]] as const) : [];
    this.card.show({ title: symbol.text, sentence: symbol.sentence, details }, at);
  }

  private select(owner: string, add: boolean): void {
    const known = this.studio.selection.peek();
    this.studio.select(add ? [...known, owner] : [owner]);
    this.say(`selected: ${owner}`);
  }

  private async copyAll(): Promise<void> {
    if (!this.data) return;
    this.say((await copy(latexOf(this.data))) ? "LaTeX of all rows copied" : "could not copy");
  }

  private say(text: string): void {
    this.live.textContent = text;
  }
}
