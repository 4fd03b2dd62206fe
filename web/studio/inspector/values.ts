// Values of observables at the time shown: filled in by the results, read by the inspector.
import { signal } from "@preact/signals";

export interface Value {
  value: number;
  unit: string;
}

/** Gives the value of a component by its name, or null if the run shown has none. */
export const valueSource = signal<((name: string) => Value | null) | null>(null);

/** Components that the inspector shows: results may fetch those that were not recorded. */
export const valuesWanted = signal<readonly string[]>([]);
