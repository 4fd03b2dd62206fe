// Where the value of an element stands: below, above or beside its symbol, off bonds and symbols.
import type { BoxData, GraphData, NodeData, Point } from "../data";
import { distanceToWay } from "../geometry";

const HEIGHT = 12;
const LETTER = 5.8;
const AWAY = 3;
/** Letters; longer values are on the card only. */
const LONGEST = 16;

/** Places of values relative to the middles of their symbols, by name. */
export function valuePlaces({ nodes, bonds, boxes, held = [], texts = [] }: GraphData) {
  const places = new Map<string, Point>();
  const taken = nodes.map(({ at, size }) => ({ at, size }));
  for (const { at, text } of [...held, ...texts]) taken.push({ at, size: sizeOf(text) });
  for (const { at, title, label } of boxes)
    taken.push({ at: title ?? [at[0] + at[2] / 2, at[1] + 13], size: sizeOf(label) });
  for (const { label } of bonds) if (label) taken.push({ at: label.at, size: sizeOf(label.text) });
  const ways = bonds.map(({ points }) => points);
  for (const node of nodes) {
    if (!node.value || node.value.length > LONGEST) continue;
    const size = sizeOf(node.value);
    const room = innermost(node.at, boxes);
    let best: Point = [0, 0];
    let least = Infinity;
    for (const [rank, shift] of candidates(node, size).entries()) {
      const at: Point = [node.at[0] + shift[0], node.at[1] + shift[1]];
      const cost = rank + covered(at, size, taken, ways) + outside(at, size, room);
      if (cost < least) [best, least] = [shift, cost];
    }
    places.set(node.name, best);
    taken.push({ at: [node.at[0] + best[0], node.at[1] + best[1]], size });
  }
  return places;
}

const sizeOf = (text: string): Point => [LETTER * text.length, HEIGHT];

/** Below, above, at the right, at the left. */
function candidates({ size }: NodeData, own: Point): Point[] {
  const down = (size[1] + own[1]) / 2 + AWAY;
  const across = (size[0] + own[0]) / 2 + AWAY + 3;
  return [
    [0, down],
    [0, -down],
    [across, 0],
    [-across, 0],
  ];
}

/** The smallest box around a place. */
function innermost([x, y]: Point, boxes: readonly BoxData[]): BoxData["at"] | null {
  const around = boxes
    .map(({ at }) => at)
    .filter(([bx, by, w, h]) => x >= bx && x <= bx + w && y >= by && y <= by + h);
  return around.sort((a, b) => a[2] * a[3] - b[2] * b[3])[0] ?? null;
}

/** What it costs to reach beyond the edge of a box. */
function outside([x, y]: Point, [w, h]: Point, room: BoxData["at"] | null): number {
  if (!room) return 0;
  const over = (low: number, high: number, from: number, size: number) =>
    low < from + 1 || high > from + size - 1;
  const across = over(x - w / 2, x + w / 2, room[0], room[2]);
  return across || over(y - h / 2, y + h / 2, room[1], room[3]) ? 6 : 0;
}

/** How much of what is drawn a text would stand on. */
function covered(
  at: Point,
  size: Point,
  taken: readonly { at: Point; size: Point }[],
  ways: readonly (readonly Point[])[],
): number {
  let cost = 0;
  for (const other of taken) {
    const dx = Math.abs(other.at[0] - at[0]) - (other.size[0] + size[0]) / 2;
    const dy = Math.abs(other.at[1] - at[1]) - (other.size[1] + size[1]) / 2;
    if (dx < 0 && dy < 0) cost += 20;
  }
  for (const way of ways) cost += crossing(at, size, way);
  return cost;
}

/** A text is crossed by a way if one of a few points of it is near the way. */
function crossing(at: Point, size: Point, way: readonly Point[]): number {
  const reach = size[0] / 2;
  const xs = way.map(([x]) => x);
  if (Math.min(...xs) > at[0] + reach || Math.max(...xs) < at[0] - reach) return 0;
  const points = [-1, -0.5, 0, 0.5, 1].map((k): Point => [at[0] + k * reach, at[1]]);
  return points.some((p) => distanceToWay(p, way) < size[1] / 2 + 1) ? 10 : 0;
}
