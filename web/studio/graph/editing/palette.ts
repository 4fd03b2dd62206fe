// The strip of symbols beside the canvas: a click adds one, a drag puts it where it is let go.
import { h } from "../../../src/ui/dom";
import type { PaletteGroup, PaletteItem } from "./questions";

export interface Picking {
  /** Pressed without a drag. */
  add(item: PaletteItem): void;
  /** Led over the window; places are those of the window. */
  lead(item: PaletteItem, event: PointerEvent): void;
  drop(item: PaletteItem, event: PointerEvent): void;
  cancel(): void;
}

const STILL = 5;

export class Palette {
  readonly element = h("div", {
    class: "symbol-palette",
    role: "toolbar",
    "aria-label": "Symbols to add",
    "aria-orientation": "vertical",
  });
  private buttons: HTMLButtonElement[] = [];

  constructor(private readonly does: Picking) {
    this.element.addEventListener("keydown", (event) => this.walk(event));
  }

  show(groups: readonly PaletteGroup[]): void {
    this.buttons = [];
    const parts = groups
      .filter(({ items }) => items.length)
      .map(({ title, items }) => {
        const buttons = items.map((item) => this.button(item));
        this.buttons.push(...buttons);
        return h("div", { role: "group", "aria-label": title, title }, ...buttons);
      });
    this.element.replaceChildren(...parts);
    this.buttons.forEach((button, k) => (button.tabIndex = k ? -1 : 0));
  }

  private button(item: PaletteItem): HTMLButtonElement {
    const words = item.sentence ? `${item.label}: ${item.sentence}` : item.label;
    const button = h(
      "button",
      { type: "button", class: "symbol-button", title: words, "aria-label": `Add ${words}` },
      item.label,
    );
    button.dataset.symbol = item.kind;
    let start: PointerEvent | null = null;
    let isLed = false;
    button.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      [start, isLed] = [event, false];
      button.setPointerCapture(event.pointerId);
    });
    button.addEventListener("pointermove", (event) => {
      if (!start) return;
      isLed ||= Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > STILL;
      if (isLed) this.does.lead(item, event);
    });
    button.addEventListener("pointerup", (event) => {
      if (start && isLed) this.does.drop(item, event);
      start = null;
    });
    button.addEventListener("pointercancel", () => {
      start = null;
      this.does.cancel();
    });
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !start) return;
      start = null;
      this.does.cancel();
      event.stopPropagation();
    });
    button.addEventListener("click", () => {
      if (!isLed) this.does.add(item);
      isLed = false;
    });
    return button;
  }

  /** One tab stop; arrows go on. */
  private walk(event: KeyboardEvent): void {
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowRight: 1,
      ArrowUp: -1,
      ArrowLeft: -1,
    };
    const at = this.buttons.indexOf(event.target as HTMLButtonElement);
    if (!(event.key in steps) || at < 0) return;
    const count = this.buttons.length;
    const next = this.buttons[(at + steps[event.key] + count) % count];
    this.buttons.forEach((button) => (button.tabIndex = button === next ? 0 : -1));
    next.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
