// The keyboard on the canvas: one tab stop, within which the focus moves along bonds.
import type { Arrow, Item } from "./items";
import { neighbour } from "./items";
import type { Surface } from "./surface";

export interface Typing {
  /** The keyboard came to an item, or left. */
  focus(item: Item | null): void;
  select(item: Item, event: KeyboardEvent): void;
  open(item: Item): void;
  fold(item: Item): void;
  back(): boolean;
}

const STEP = 60;

export class Keys {
  current: Item | null = null;

  constructor(
    private readonly surface: Surface,
    private readonly does: Typing,
  ) {
    const { element } = surface;
    element.addEventListener("keydown", (event) => {
      if (this.press(event)) event.preventDefault();
    });
    element.addEventListener("focus", () => {
      if (element.matches(":focus-visible")) this.go(this.current ?? this.first());
    });
    element.addEventListener("blur", () => this.does.focus(null));
  }

  /** Another drawing: stay at the item of the same name. */
  renew(): void {
    const { current, surface } = this;
    if (!current) return;
    const alike = (item: Item) => item.name === current.name && item.rank === current.rank;
    this.current = surface.drawing?.items.find(alike) ?? null;
    this.surface.element.removeAttribute("aria-activedescendant");
    if (this.current && document.activeElement === surface.element) this.go(this.current);
  }

  /** Move the focus to an item. */
  go(item: Item | null): void {
    this.current = item;
    if (!item) return;
    item.element.id ||= `graph-item-${++Keys.count}`;
    this.surface.element.setAttribute("aria-activedescendant", item.element.id);
    this.surface.bring(item.bounds);
    this.does.focus(item);
  }

  private static count = 0;

  private first(): Item | null {
    const items = this.surface.drawing?.items.filter(({ focusable }) => focusable) ?? [];
    const order = ({ centre: [x, y] }: Item) => x + y;
    return items.reduce<Item | null>((a, b) => (a && order(a) <= order(b) ? a : b), null);
  }

  private press(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey) return false;
    const { key } = event;
    if (key.startsWith("Arrow")) return this.arrow(key as Arrow, event.shiftKey);
    const item = this.current;
    switch (key.length === 1 ? key.toLowerCase() : key) {
      case "Enter":
        if (item) this.does.select(item, event);
        return item !== null;
      case "Home":
        this.go(this.first());
        return true;
      case "PageUp":
        if (item) this.go(this.surface.drawing!.boxAround(item) ?? item);
        return true;
      case "PageDown":
        this.enter();
        return true;
      case "h":
        if (item) this.does.fold(item);
        return item !== null;
      case "o":
        if (item) this.does.open(item);
        return item !== null;
      case "f":
        this.surface.fit();
        return true;
      case "+":
      case "=":
        this.surface.zoom(1.25);
        return true;
      case "-":
        this.surface.zoom(0.8);
        return true;
      case "Escape":
      case "Backspace":
        return this.does.back();
    }
    return false;
  }

  /** To the next symbol; with shift the drawing is moved instead. */
  private arrow(key: Arrow, pans: boolean): boolean {
    const { surface } = this;
    if (pans) {
      const x = key === "ArrowLeft" ? STEP : key === "ArrowRight" ? -STEP : 0;
      const y = key === "ArrowUp" ? STEP : key === "ArrowDown" ? -STEP : 0;
      surface.pan(x, y);
    } else if (!this.current) this.go(this.first());
    else this.go(neighbour(surface.drawing!, this.current, key) ?? this.current);
    return true;
  }

  /** From a box to the first symbol in it. */
  private enter(): void {
    const { current, surface } = this;
    const drawing = surface.drawing;
    if (!drawing || !current) return;
    const inner = drawing.items.find(
      (item) => item.focusable && drawing.boxAround(item) === current,
    );
    this.go(inner ?? current);
  }
}
