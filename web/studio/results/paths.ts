// Curves as SVG paths, made anew many times a second while a slider moves.
import type { Column } from "../../src/data/table";
import type { Times } from "../../src/motion/timeline";
import type { Scale } from "../../src/plots/path";

/** A path along samples in order: all of them, or the extremes of each pixel. */
export function thinPath(
  x: Times,
  y: Column,
  first: number,
  last: number,
  scale: Scale,
  width: number,
): string {
  const bucket = Math.ceil((last - first + 1) / Math.max(width, 1));
  let path = "";
  const put = (k: number) => {
    if (!Number.isFinite(y[k])) return;
    path += `${path ? "L" : "M"}${tenths(scale.x(x[k]))} ${tenths(scale.y(y[k]))}`;
  };
  if (bucket < 3) {
    for (let k = first; k <= last; k++) put(k);
    return path;
  }
  put(first);
  for (let k = first + 1; k < last; k += bucket) {
    let [low, high] = [k, k];
    for (let j = k + 1; j < Math.min(k + bucket, last); j++) {
      if (y[j] < y[low]) low = j;
      if (y[j] > y[high]) high = j;
    }
    put(Math.min(low, high));
    if (low !== high) put(Math.max(low, high));
  }
  put(last);
  return path;
}

function tenths(pixels: number): number {
  return Math.round(10 * pixels) / 10;
}

/** A path through points in any order, without steps that nobody sees. */
export function freePath(x: Times, y: Column, scale: Scale): string {
  let path = "";
  let [lastX, lastY] = [NaN, NaN];
  for (let k = 0; k < x.length; k++) {
    const [px, py] = [scale.x(x[k]), scale.y(y[k])];
    if (!Number.isFinite(px) || !Number.isFinite(py)) continue;
    if (Math.abs(px - lastX) < 0.4 && Math.abs(py - lastY) < 0.4) continue;
    path += `${path ? "L" : "M"}${tenths(px)} ${tenths(py)}`;
    [lastX, lastY] = [px, py];
  }
  return path;
}
