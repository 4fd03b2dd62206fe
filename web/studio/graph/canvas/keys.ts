// The keyboard on the canvas: one tab stop, within which the focus moves along bonds.
import type { Arrow, Item } from "./items";
import { endToward, inReadingOrder, neighbour, stepped } from "./items";
import type { Surface } from "./surface";

export interface Typing {
  /** The keyboard came to an item, or left; `again`: it is where it was, in another drawing. */
  focus(item: Item | null, again?: boolean): void;
  /** It came to a line, one of several at an item. */
  line(line: Item, at: Item, number: number, count: number): void;
  select(item: Item, event: KeyboardEvent): void;
  open(item: Item): void;
  fold(item: Item): void;
  back(): boolean;
  /** Keys that change something come first; whether it took one. */
  press?(event: KeyboardEvent, item: Item | null): boolean;
}

const STEP = 60;

export class Keys {
  current: Item | null = null;
  /** The item whose lines are walked along. */
  private hub: Item | null = null;

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
    this.hub = null;
    if (!current) return;
    const alike = (item: Item) => item.name === current.name && item.rank === current.rank;
    this.current = surface.drawing?.items.find(alike) ?? null;
    this.surface.element.removeAttribute("aria-activedescendant");
    if (this.current && document.activeElement === surface.element) this.point(this.current, true);
  }

  /** Move the focus to an item. */
  go(item: Item | null): void {
    this.current = item;
    if (!item) return;
    this.surface.bring(item.bounds);
    this.point(item, false);
  }

  private point(item: Item, again: boolean): void {
    item.element.id ||= `graph-item-${++Keys.count}`;
    this.surface.element.setAttribute("aria-activedescendant", item.element.id);
    this.does.focus(item, again);
  }

  private static count = 0;

  private first(): Item | null {
    const items = this.surface.drawing?.items.filter(({ focusable }) => focusable) ?? [];
    const order = ({ centre: [x, y] }: Item) => x + y;
    return items.reduce<Item | null>((a, b) => (a && order(a) <= order(b) ? a : b), null);
  }

  private press(event: KeyboardEvent): boolean {
    if (this.does.press?.(event, this.current)) return true;
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
      case ".":
      case ",":
        return this.line(key === "," ? -1 : 1);
      case "n":
        return this.next(event.shiftKey ? -1 : 1);
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
        return this.leaveLine() || this.does.back();
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
    else this.go(this.toward(this.current, key) ?? this.current);
    return true;
  }

  private toward(from: Item, key: Arrow): Item | null {
    const drawing = this.surface.drawing!;
    if (from.rank !== "line") return neighbour(drawing, from, key);
    return endToward(drawing.endsOf(from), from, key);
  }

  /** To the next line at the item, or the one before. */
  private line(step: 1 | -1): boolean {
    const { current, surface } = this;
    const { drawing } = surface;
    if (!drawing || !current) return false;
    const isLine = current.rank === "line";
    const hub = isLine ? (this.hub ?? drawing.endsOf(current)[0]) : current;
    const lines = hub ? drawing.linesAt(hub) : [];
    const line = stepped(lines, isLine ? current : null, step);
    if (!line) return true;
    this.hub = hub;
    this.go(line);
    this.does.line(line, hub, lines.indexOf(line) + 1, lines.length);
    return true;
  }

  /** From a line back to the item it was reached from. */
  private leaveLine(): boolean {
    const { current, hub } = this;
    if (current?.rank !== "line" || !hub) return false;
    this.go(hub);
    return true;
  }

  /** To the next item in the order of reading. */
  private next(step: 1 | -1): boolean {
    const items = inReadingOrder(this.surface.drawing?.items ?? []);
    const from = this.current?.rank === "line" ? this.hub : this.current;
    this.go(stepped(items, from, step));
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
