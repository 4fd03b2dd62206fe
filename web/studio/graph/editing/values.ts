// Values and names of elements, changed upon their symbols.
import type { Item } from "../canvas/items";
import type { Point } from "../data";
import { plus } from "../geometry";
import { Box } from "../drawing/boxes";
import { Symbol } from "../drawing/symbols";
import type { GraphPane } from "../pane/pane";
import type { Studio } from "../../studio";
import { InPlace } from "./in_place";

const BELOW = 12;

export class Values {
  private readonly field: InPlace;
  private item: Item | null = null;

  constructor(
    private readonly studio: Studio,
    private readonly pane: GraphPane,
  ) {
    this.field = new InPlace(pane.surface);
    pane.element.append(this.field.element);
  }

  get isOpen(): boolean {
    return this.field.isOpen;
  }

  /** Change the value of an element; whether it has one. */
  edit(item: Item | null): boolean {
    if (!(item instanceof Symbol) || !item.data.valuePath?.length) return false;
    const { data } = item;
    this.open(item, {
      label: `value of ${data.text}`,
      text: data.written ?? data.value,
      at: item.valueAt ?? [0, item.size[1] / 2 + BELOW],
      write: async (text) => {
        const done = await this.studio.do("element.type", { path: data.valuePath, text });
        if (done) this.studio.announce(`${data.text}: ${text}`);
        return done !== null;
      },
    });
    return true;
  }

  /** Another name; whether it can have one. */
  rename(item: Item | null): boolean {
    if (!(item instanceof Symbol || item instanceof Box)) return false;
    const name = item.owner;
    const local = name.slice(name.lastIndexOf(".") + 1);
    const top = item instanceof Box ? item.titleAt : ([0, 0] as Point);
    this.open(item, {
      label: `name of ${name}`,
      text: local,
      at: top,
      write: async (text) => {
        const done = await this.studio.do("element.rename", { name, new: text });
        if (done) this.studio.announce(`${local} is now ${text}`);
        return done !== null;
      },
    });
    return true;
  }

  /** Ask for something at a place of the drawing, before it is done. */
  ask(label: string, text: string, at: Point, write: (text: string) => Promise<boolean>): void {
    this.item = null;
    this.field.open({ label, text, write, isNew: true, at });
  }

  private open(
    item: Item,
    { at, ...more }: { label: string; text: string; at: Point; write(t: string): Promise<boolean> },
  ): void {
    this.item = item;
    this.pane.hideCard();
    this.off = at;
    this.field.open({ ...more, at: plus(item.centre, at) });
  }
  /** From the middle of what is edited to the field. */
  private off: Point = [0, 0];

  /** In another drawing the field follows what is edited; if that is gone it goes. */
  renew(items: readonly Item[]): void {
    const { item } = this;
    if (!item || !this.field.isOpen) return;
    const now = items.find(({ name, rank }) => name === item.name && rank === item.rank);
    if (now) this.field.move(plus(now.centre, this.off));
    else this.field.close();
  }
}
