// Numbers of the file that have a slider: their keys and limits, in the unit they are written in.
import { signal } from "@preact/signals";
import type { NumberData, OutlineItem } from "../protocol";

export type Limits = readonly [low: number, high: number];

export const pinned = signal<ReadonlyMap<string, Limits>>(new Map());

/** Pinned numbers that are no items of the outline: fields of elements ("bodies.rod.length"). */
export const pinnedItems = signal<ReadonlyMap<string, OutlineItem>>(new Map());

/** Limits around a value: from half to twice of it. */
export function limitsAround(value: number): Limits {
  if (value === 0) return [-1, 1];
  return value > 0 ? [value / 2, value * 2] : [value * 2, value / 2];
}

/** Make a slider of a number. */
export function pin(number: NumberData, limits: Limits = limitsAround(number.value)): void {
  pinned.value = new Map(pinned.value).set(number.key, limits);
}

/** Make a slider of a field of an element. */
export function pinField(item: OutlineItem): void {
  pinnedItems.value = new Map(pinnedItems.value).set(item.number!.key, item);
  pin(item.number!);
}

/** Take a slider away. */
export function unpin(key: string): void {
  const rest = new Map(pinned.value);
  rest.delete(key);
  pinned.value = rest;
}

/** Take all sliders away: another document has other numbers. */
export function unpinAll(): void {
  pinned.value = new Map();
  pinnedItems.value = new Map();
}

/** What a field says now, if it has a slider. */
export function refreshField(item: OutlineItem): void {
  const key = item.number!.key;
  const known = pinnedItems.peek().get(key);
  if (!known || known.number!.text === item.number!.text) return;
  pinnedItems.value = new Map(pinnedItems.peek()).set(key, item);
}
