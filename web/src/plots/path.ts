// A curve as an SVG path, with at most a few points per pixel.
import type { Column } from "../data/table";
import type { Times } from "../motion/timeline";

export interface Scale {
  x: (time: number) => number;
  y: (value: number) => number;
}

/** The first and last samples that matter within [from, to]. */
export function visible(times: Times, from: number, to: number): [number, number] {
  let first = 0;
  let last = times.length - 1;
  while (first < last && times[first + 1] <= from) first++;
  while (last > first && times[last - 1] >= to) last--;
  return [first, last];
}

/** Smallest and largest value among some samples. */
export function range(values: Column, first: number, last: number): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let k = first; k <= last; k++) {
    if (values[k] < low) low = values[k];
    if (values[k] > high) high = values[k];
  }
  return [low, high];
}

/** Every sample, or the extremes of each pixel where samples are denser than pixels. */
export function curvePath(
  times: Times,
  values: Column,
  first: number,
  last: number,
  scale: Scale,
  width: number,
): string {
  const points: string[] = [];
  const put = (k: number) => {
    if (Number.isFinite(values[k]))
      points.push(`${scale.x(times[k]).toFixed(2)} ${scale.y(values[k]).toFixed(2)}`);
  };
  const bucket = Math.ceil((last - first + 1) / (2 * width));
  for (let k = first; k <= last; k += bucket) {
    const end = Math.min(k + bucket - 1, last);
    if (bucket < 3) for (let j = k; j <= end; j++) put(j);
    else for (const j of extremes(values, k, end)) put(j);
  }
  return points.length ? `M${points.join("L")}` : "";
}

function extremes(values: Column, first: number, last: number): number[] {
  let [low, high] = [first, first];
  for (let k = first; k <= last; k++) {
    if (values[k] < values[low]) low = k;
    if (values[k] > values[high]) high = k;
  }
  return low < high ? [first, low, high, last] : [first, high, low, last];
}
