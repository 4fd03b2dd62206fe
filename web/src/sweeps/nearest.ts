// The run that is meant by a place on the screen.

export type Point = readonly [x: number, y: number];

/** How far a point is from the line between two others. */
export function away([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const size = dx * dx + dy * dy;
  const share = size ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / size, 0), 1) : 0;
  return Math.hypot(ax + share * dx - x, ay + share * dy - y);
}

/** The one of least distance, if that is not more than `most`. */
export function nearest(
  runs: Iterable<number>,
  distance: (run: number) => number,
  most: number,
): number | null {
  let [best, least] = [null as number | null, most];
  for (const k of runs) {
    const d = distance(k);
    if (d <= least) [best, least] = [k, d];
  }
  return best;
}
