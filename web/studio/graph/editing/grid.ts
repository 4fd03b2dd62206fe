// The grid on which elements stand: places in the file are whole units of it.
import type { Bounds } from "../canvas/viewport";
import type { Point } from "../data";

/** Pixels of a unit. */
export const GRID = 20;

export const snapped = ([x, y]: Point): Point => [
  GRID * Math.round(x / GRID),
  GRID * Math.round(y / GRID),
];

/** Units of a place in pixels. */
export const unitsOf = ([x, y]: Point): [number, number] => [
  Math.round(x / GRID) + 0,
  Math.round(y / GRID) + 0,
];

/** The shift by which something that is dragged comes to stand on the grid. */
export function snappedShift(from: Point, shift: Point): Point {
  const [x, y] = snapped([from[0] + shift[0], from[1] + shift[1]]);
  return [x - from[0], y - from[1]];
}

/** Half the room of a symbol, and of a part, whose size is known when it is drawn. */
const ROOM: Point = [30, 14];
export const ROOM_OF_PART: Point = [140, 80];
const RINGS = 16;

/** The nearest place on the grid where a symbol stands on no other, nor where `isClear` objects:
 * rather beside than below. */
export function freePlace(
  near: Point,
  taken: readonly Bounds[],
  isClear: (at: Point) => boolean = () => true,
  room: Point = ROOM,
): Point {
  const start = snapped(near);
  const isFree = ([x, y]: Point) =>
    isClear([x, y]) &&
    taken.every(
      ([x0, y0, x1, y1]) =>
        x + room[0] < x0 || x - room[0] > x1 || y + room[1] < y0 || y - room[1] > y1,
    );
  let best: Point = start;
  let least = Infinity;
  for (let dx = -RINGS; dx <= RINGS; dx++)
    for (let dy = -RINGS; dy <= RINGS; dy++) {
      const at: Point = [start[0] + dx * GRID, start[1] + dy * GRID];
      const cost = Math.abs(dx) + 1.5 * Math.abs(dy) + (dx < 0 ? 0.2 : 0) + (dy < 0 ? 0.1 : 0);
      if (cost < least && isFree(at)) [best, least] = [at, cost];
    }
  return best;
}

/** A box between two corners, whichever they are. */
export function boxOf([ax, ay]: Point, [bx, by]: Point): Bounds {
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
}

/** Whether something lies within a box altogether. */
export function isWithin([x0, y0, x1, y1]: Bounds, box: Bounds): boolean {
  return x0 >= box[0] && y0 >= box[1] && x1 <= box[2] && y1 <= box[3];
}
