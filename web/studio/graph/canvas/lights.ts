// What is lit in a drawing: by class, so that nothing is drawn again.
import { indexed, type Drawing, type Item } from "./items";

/** selected; of the hovered element; under the pointer; where the keyboard is; with a fault; a bond
 * that was clicked; an element whose causality cannot be. */
export type Light = "lit" | "hot" | "here" | "focus" | "faulty" | "chosen" | "conflict";

export class Lights {
  private index: ReadonlyMap<string, readonly Item[]> = new Map();
  private readonly on = new Map<Light, Set<Item>>();

  /** Light in another drawing from now on. */
  show(drawing: Drawing): void {
    this.index = indexed(drawing.items);
    this.on.clear();
  }

  /** Light exactly what belongs to the elements of these names. */
  names(light: Light, names: Iterable<string>): void {
    const found = new Set<Item>();
    for (const name of names) for (const item of this.of(name)) found.add(item);
    this.items(light, found);
  }

  items(light: Light, items: ReadonlySet<Item>): void {
    const before = this.on.get(light) ?? new Set<Item>();
    for (const item of before) if (!items.has(item)) this.turn(item, light, false);
    for (const item of items) if (!before.has(item)) this.turn(item, light, true);
    this.on.set(light, new Set(items));
  }

  /** The items of an element: its box and what lies outside of it, or all of them. */
  of(name: string): readonly Item[] {
    const found = this.index.get(name) ?? [];
    const boxes = found.filter((item) => item.rank === "area" && item.name === name);
    if (!boxes.length) return found;
    const inner = (item: Item) =>
      boxes.some((box) => box !== item && box.distance(item.centre) === 0);
    return found.filter((item) => (item.rank === "area" ? boxes.includes(item) : !inner(item)));
  }

  private turn(item: Item, light: Light, on: boolean): void {
    item.element.classList.toggle(light, on);
    item.also?.classList.toggle(light, on);
    if (light === "lit") item.element.setAttribute("aria-selected", `${on}`);
  }
}
