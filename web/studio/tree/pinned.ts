// Numbers of the file that have a slider: their keys and limits, in the unit they are written in.
import { signal } from "@preact/signals";
import type { NumberData } from "../protocol";

export type Limits = readonly [low: number, high: number];

export const pinned = signal<ReadonlyMap<string, Limits>>(new Map());

/** Limits around a value: from half to twice of it. */
export function limitsAround(value: number): Limits {
  if (value === 0) return [-1, 1];
  return value > 0 ? [value / 2, value * 2] : [value * 2, value / 2];
}

/** Make a slider of a number. */
export function pin(number: NumberData, limits: Limits = limitsAround(number.value)): void {
  pinned.value = new Map(pinned.value).set(number.key, limits);
}

/** Take a slider away. */
export function unpin(key: string): void {
  const rest = new Map(pinned.value);
  rest.delete(key);
  pinned.value = rest;
}

export function togglePin(number: NumberData): void {
  if (pinned.value.has(number.key)) unpin(number.key);
  else pin(number);
}
