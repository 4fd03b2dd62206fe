// Observables grouped by the element they belong to, and found by words.
import type { SeriesData } from "../data/types";

export interface Entry {
  series: SeriesData;
  /** What is left of its name without the element. */
  label: string;
}

export interface Group {
  element: string;
  entries: Entry[];
}

export const SYSTEM = "whole system";

/** In the order of the result; quantities of the whole system come first. */
export function grouped(series: SeriesData[]): Group[] {
  const found = new Map<string, Entry[]>([[SYSTEM, []]]);
  for (const s of series) {
    const dot = s.name.indexOf(".");
    const element = dot < 0 ? SYSTEM : s.name.slice(0, dot);
    if (!found.has(element)) found.set(element, []);
    found.get(element)!.push({ series: s, label: s.name.slice(dot + 1) });
  }
  return [...found]
    .filter(([, entries]) => entries.length)
    .map(([element, entries]) => ({ element, entries }));
}

/** Groups with the entries whose name or unit holds every word. */
export function searched(groups: Group[], text: string): Group[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return groups;
  const fits = ({ series }: Entry) =>
    words.every((w) => series.name.toLowerCase().includes(w) || series.unit === w);
  return groups
    .map((g) => ({ ...g, entries: g.entries.filter(fits) }))
    .filter((g) => g.entries.length);
}
