// Amplitudes of the oscillations in a curve, by frequency.
import type { Column } from "../../src/data/table";
import type { Times } from "../../src/motion/timeline";

export type Taper = "hann" | "none" | "flat-top";

export const TAPERS: Record<Taper, string> = {
  hann: "Hann",
  "flat-top": "flat top",
  none: "none",
};

/** Cosine terms of a window: sum of (-1)^k a_k cos(2 pi k n / N). */
const TERMS: Record<Taper, number[]> = {
  none: [1],
  hann: [0.5, 0.5],
  "flat-top": [0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368],
};
const MOST = 1 << 16;
/** Zeros are added until there are this many frequencies for one of the samples. */
const FINER = 4;
/** Part of the largest amplitude that is not worth showing. */
const SMALL = 0.004;

export interface Spectrum {
  /** Hz. */
  frequencies: Float64Array;
  /** Of the sine of each frequency, in the unit of the curve. */
  amplitudes: Float64Array;
}

/** Of the samples first..last without their mean; unequal steps are made equal. */
export function spectrum(
  times: Times,
  values: Column,
  first: number,
  last: number,
  taper: Taper = "hann",
): Spectrum {
  const count = Math.min(last - first + 1, MOST);
  if (count < 4 || !(times[last] > times[first]))
    return { frequencies: new Float64Array(), amplitudes: new Float64Array() };
  const even = resampled(times, values, first, last, count);
  const step = (times[last] - times[first]) / (count - 1);
  const mean = even.reduce((sum, v) => sum + v, 0) / count;
  let size = 1;
  while (size < FINER * count) size *= 2;
  const re = new Float64Array(size);
  const im = new Float64Array(size);
  let gain = 0;
  for (let k = 0; k < count; k++) {
    const weight = weightOf(TERMS[taper], k, count);
    gain += weight;
    re[k] = weight * (even[k] - mean);
  }
  transform(re, im);
  const half = size / 2;
  const amplitudes = Float64Array.from(
    { length: half },
    (_, k) => ((k ? 2 : 1) * Math.hypot(re[k], im[k])) / gain,
  );
  const frequencies = Float64Array.from({ length: half }, (_, k) => k / (size * step));
  return { frequencies, amplitudes };
}

function weightOf(terms: number[], k: number, count: number): number {
  const angle = (2 * Math.PI * k) / count;
  return terms.reduce((sum, a, j) => sum + (j % 2 ? -a : a) * Math.cos(j * angle), 0);
}

/** Values at equal steps, linear between samples; samples at equal steps stay as they are. */
export function resampled(
  times: Times,
  values: Column,
  first: number,
  last: number,
  count: number,
): Float64Array {
  const step = (times[last] - times[first]) / (count - 1);
  const out = new Float64Array(count);
  for (let k = 0, at = first; k < count; k++) {
    const time = times[first] + k * step;
    while (at < last - 1 && times[at + 1] <= time) at++;
    const span = times[at + 1] - times[at];
    const share = span > 0 ? Math.min(Math.max((time - times[at]) / span, 0), 1) : 0;
    out[k] = values[at] + share * (values[at + 1] - values[at]);
    if (!Number.isFinite(out[k])) out[k] = 0;
  }
  return out;
}

/** Fourier transform in place; the length is a power of two. */
export function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    const cosines = Float64Array.from({ length: half }, (_, k) =>
      Math.cos((2 * Math.PI * k) / size),
    );
    const sines = Float64Array.from(
      { length: half },
      (_, k) => -Math.sin((2 * Math.PI * k) / size),
    );
    for (let start = 0; start < n; start += size)
      for (let k = 0; k < half; k++) {
        const [a, b] = [start + k, start + k + half];
        const x = re[b] * cosines[k] - im[b] * sines[k];
        const y = re[b] * sines[k] + im[b] * cosines[k];
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
  }
}

/** The frequency above which nothing is worth showing. */
export function reach({ frequencies, amplitudes }: Spectrum): number {
  const most = amplitudes.reduce((a, b) => Math.max(a, b), 0);
  let last = amplitudes.length - 1;
  while (last > 0 && !(amplitudes[last] > SMALL * most)) last--;
  const end = Math.max(1.3 * frequencies[last], 12 * (frequencies[1] ?? 0) * FINER);
  return Math.min(end, frequencies.at(-1) ?? 1);
}

/** The frequency of the largest amplitude, or null. */
export function peak({ frequencies, amplitudes }: Spectrum): [number, number] | null {
  let best = 0;
  for (let k = 1; k < amplitudes.length; k++) if (amplitudes[k] > amplitudes[best]) best = k;
  return amplitudes[best] > 0 ? [frequencies[best], amplitudes[best]] : null;
}
