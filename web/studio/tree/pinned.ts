// Numbers of the file that have a slider: their keys and limits, in the unit they are written in.
// Sliders of parameters stand in the file (`view`, `controls`); those of fields are the page's own.
import { computed, effect, signal, untracked } from "@preact/signals";
import type { NumberData, OutlineItem } from "../protocol";
import type { Studio } from "../studio";

export type Limits = readonly [low: number, high: number];

/** What the file says. */
const filed = signal<ReadonlyMap<string, Limits>>(new Map());
/** What was asked for and the file does not say, or not yet; null: no slider. */
const own = signal<ReadonlyMap<string, Limits | null>>(new Map());

export const pinned = computed<ReadonlyMap<string, Limits>>(() => {
  const all = new Map([...filed.value, ...own.value]);
  return new Map([...all].filter((entry): entry is [string, Limits] => entry[1] !== null));
});

/** Pinned numbers that are no items of the outline: fields of elements ("bodies.rod.length"). */
export const pinnedItems = signal<ReadonlyMap<string, OutlineItem>>(new Map());

/** Writes a slider into the file; null takes it away. */
let keep: (name: string, range: (string | number)[] | null) => void = () => {};

/** Limits around a value: from half to twice of it. */
export function limitsAround(value: number): Limits {
  if (value === 0) return [-1, 1];
  return value > 0 ? [value / 2, value * 2] : [value * 2, value / 2];
}

/** Make a slider of a number, or give it other limits. */
export function pin(number: NumberData, limits: Limits = limitsAround(number.value)): void {
  const { key, unit } = number;
  own.value = new Map(own.value).set(key, limits);
  const range = limits.map((end) => (unit ? `${end} ${unit}` : end));
  if (!pinnedItems.peek().has(key)) keep(key, range);
}

/** Make a slider of a field of an element. */
export function pinField(item: OutlineItem): void {
  pinnedItems.value = new Map(pinnedItems.value).set(item.number!.key, item);
  pin(item.number!);
}

/** Take a slider away. */
export function unpin(key: string): void {
  own.value = new Map(own.value).set(key, null);
  if (!pinnedItems.peek().has(key)) keep(key, null);
}

/** Take all sliders away: another document has other numbers. */
export function unpinAll(): void {
  own.value = new Map();
  pinnedItems.value = new Map();
}

/** Sliders as the file has them, and kept there unless it can only be read. */
export function keepPins(studio: Studio): void {
  keep = (name, range) => {
    const document = studio.document.peek();
    if (document && !document.readOnly) void studio.do("view.control", { name, range });
  };
  effect(() => {
    const said = new Map(Object.entries(studio.outline.value?.view.controls ?? {}));
    untracked(() => {
      filed.value = said;
      const isSaid = ([key, limits]: [string, Limits | null]) =>
        said.has(key) === (limits !== null);
      own.value = new Map([...own.value].filter((entry) => !isSaid(entry)));
    });
  });
}

/** Numbers that can have a slider, by their keys. */
export function numbersOf(studio: Studio): ReadonlyMap<string, NumberData> {
  const items = [...studio.items.value.values(), ...pinnedItems.value.values()];
  return new Map(items.flatMap(({ number }) => (number ? [[number.key, number]] : [])));
}

/** What a field says now, if it has a slider. */
export function refreshField(item: OutlineItem): void {
  const key = item.number!.key;
  const known = pinnedItems.peek().get(key);
  if (!known || known.number!.text === item.number!.text) return;
  pinnedItems.value = new Map(pinnedItems.peek()).set(key, item);
}
