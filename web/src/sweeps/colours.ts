// Colours of runs by a column: a ramp of a few steps, or one step for each word.
import type { Column } from "./data";

export const STEPS = 20;

/** How many colours a column takes. */
export function steps(column: Column): number {
  return column.words ? Math.min(column.words.length, STEPS) : STEPS;
}

/** The colour of a value: 0 to steps - 1; -1 if there is none. */
export function step(column: Column, value: number): number {
  if (!Number.isFinite(value)) return -1;
  const count = steps(column);
  if (column.words) return Math.min(value, count - 1);
  const { low, high } = column;
  if (!(high > low)) return count >> 1;
  return Math.min(Math.floor(((value - low) / (high - low)) * count), count - 1);
}

/** A part of the ramp, from 0 to 1, as a colour of CSS. */
export function ramp(part: number): string {
  const [a, b] = part < 0.5 ? ["low", "middle"] : ["middle", "high"];
  const share = Math.round(100 * (part < 0.5 ? 2 * part : 2 * part - 1));
  return `color-mix(in oklab, var(--ramp-${b}) ${share}%, var(--ramp-${a}))`;
}

/** The colour of a step. */
export function colour(column: Column, k: number): string {
  const count = steps(column);
  return ramp(count > 1 ? k / (count - 1) : 0.5);
}
