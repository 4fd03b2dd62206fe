// What a drawing consists of, for pointer, keyboard and selection: all kinds of graphs alike.
import type { Point } from "../data";
import type { Bounds } from "./viewport";

/** What is on top of what under the pointer. */
export type Rank = "symbol" | "line" | "area";

export interface Item {
  readonly name: string;
  /** The element of the model that a click selects. */
  readonly owner: string;
  readonly rank: Rank;
  readonly element: SVGGElement;
  /** What belongs to it elsewhere in the picture. */
  readonly also?: SVGElement;
  readonly sentence: string;
  /** More for the card: law, causality, value. */
  readonly details: readonly (readonly [label: string, text: string])[];
  /** Whether the keyboard goes there. */
  readonly focusable: boolean;
  readonly centre: Point;
  readonly bounds: Bounds;
  /** Pixels of the drawing between a point and this; 0 inside. */
  distance(p: Point): number;
}

/** A picture of a graph, whose parts can be pointed at and moved. */
export interface Drawing {
  readonly layer: SVGGElement;
  readonly items: readonly Item[];
  readonly bounds: Bounds;
  /** Names of the symbols that a symbol is bonded to. */
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
  /** Lines that end at a symbol, or at one in an area and another outside of it. */
  linesAt(item: Item): readonly Item[];
  /** The symbols that a line joins. */
  endsOf(line: Item): readonly Item[];
  /** Move symbols and boxes with everything on them, from where they are. */
  move(items: readonly Item[], shift: Point): void;
  /** Where things were moved to is known elsewhere now: a later drawing has them there. */
  settled(items: readonly Item[]): void;
  /** It is seen at another scale. */
  scaled?(scale: number): void;
  /** Move what was moved in the drawing before this one, if both show the same elements. */
  resume(previous: Drawing): void;
  /** The box whose triangle is at a point. */
  foldAt(p: Point): string | null;
  /** The innermost box around an item. */
  boxAround(item: Item): Item | null;
}

/** What items reach to, all together. */
export function around(items: Iterable<Item>): Bounds {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { bounds } of items) {
    [x0, y0] = [Math.min(x0, bounds[0]), Math.min(y0, bounds[1])];
    [x1, y1] = [Math.max(x1, bounds[2]), Math.max(y1, bounds[3])];
  }
  return x1 >= x0 ? [x0, y0, x1, y1] : [0, 0, 1, 1];
}

const ORDER: readonly Rank[] = ["symbol", "line", "area"];

/** The item at a point: symbols before lines before areas, then the nearest, then the smallest. */
export function hit(items: readonly Item[], p: Point, tolerance: number): Item | null {
  const best = new Map<Rank, { item: Item; measure: number }>();
  for (const item of items) {
    const distance = item.distance(p);
    if (distance > (item.rank === "area" ? 0 : tolerance)) continue;
    const measure = item.rank === "area" ? areaOf(item.bounds) : distance;
    const known = best.get(item.rank);
    if (!known || measure < known.measure) best.set(item.rank, { item, measure });
  }
  for (const rank of ORDER) {
    const found = best.get(rank);
    if (found) return found.item;
  }
  return null;
}

function areaOf([x0, y0, x1, y1]: Bounds): number {
  return (x1 - x0) * (y1 - y0);
}

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

const RAYS: Record<Arrow, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The end of a line that an arrow key points to. */
export function endToward(ends: readonly Item[], line: Item, key: Arrow): Item | null {
  const [x, y] = RAYS[key];
  const along = ({ centre }: Item) =>
    (centre[0] - line.centre[0]) * x + (centre[1] - line.centre[1]) * y;
  const [first] = [...ends].sort((a, b) => along(b) - along(a));
  return first && along(first) > 0 ? first : null;
}

/** The next in a circle of items, or the one before; from elsewhere the first or the last. */
export function stepped(items: readonly Item[], from: Item | null, step: 1 | -1): Item | null {
  const at = from ? items.indexOf(from) : -1;
  if (at < 0) return (step > 0 ? items[0] : items[items.length - 1]) ?? null;
  return items[(at + step + items.length) % items.length];
}

/** Height of the rows in which a drawing is read. */
const ROW = 40;

/** Everything the keyboard goes to, as one reads: row by row, from the left. */
export function inReadingOrder(items: readonly Item[]): Item[] {
  const row = ({ centre }: Item) => Math.round(centre[1] / ROW);
  return items
    .filter(({ focusable }) => focusable)
    .sort((a, b) => row(a) - row(b) || a.centre[0] - b.centre[0]);
}

/** Where an arrow key leads: the nearest bonded symbol in that direction, else the nearest of all
 * of the same rank. */
export function neighbour(drawing: Drawing, from: Item, key: Arrow): Item | null {
  const bonded = new Set(drawing.neighbours.get(from.name) ?? []);
  const others = drawing.items.filter((item) => item.focusable && item !== from);
  const near = others.filter((item) => bonded.has(item.name));
  const alike = others.filter((item) => item.rank === from.rank);
  return nearest(near, from, key, 0.5) ?? nearest(alike, from, key, 0.6);
}

/** The nearest in a direction, what lies aside counting double; `narrow`: cosine of the widest
 * angle. */
function nearest(items: readonly Item[], from: Item, key: Arrow, narrow: number): Item | null {
  const ray = RAYS[key];
  let best: Item | null = null;
  let least = Infinity;
  for (const item of items) {
    const [dx, dy] = [item.centre[0] - from.centre[0], item.centre[1] - from.centre[1]];
    const ahead = dx * ray[0] + dy * ray[1];
    const aside = Math.abs(dx * ray[1] - dy * ray[0]);
    const distance = Math.hypot(dx, dy);
    if (ahead <= narrow * distance || distance === 0) continue;
    const cost = ahead + 2 * aside;
    if (cost < least) [best, least] = [item, cost];
  }
  return best;
}

/** Items by every name that lights them up: their own, their owner's, and those that enclose
 * them (`drive` for `drive.motor.rotor`). */
export function indexed(items: readonly Item[]): Map<string, Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of items) {
    for (const name of new Set([...enclosing(item.name), ...enclosing(item.owner)])) {
      const known = found.get(name);
      if (known) known.push(item);
      else found.set(name, [item]);
    }
  }
  return found;
}

function enclosing(name: string): string[] {
  const parts = name.split(".");
  return parts.map((_, k) => parts.slice(0, k + 1).join(".")).filter(Boolean);
}
