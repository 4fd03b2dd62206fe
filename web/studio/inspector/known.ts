// What can be observed of the model, from the first look of a worker at each sound revision.
import { effect, signal } from "@preact/signals";
import type { Studio } from "../studio";
import type { ObservableData } from "./inquiry";

interface Listed extends ObservableData {
  labels: string[];
}

/** Milliseconds from a change to the question. */
const PAUSE = 500;

/** All components with their units. */
export const components = signal<readonly ObservableData[]>([]);

/** One entry for each component: "crank.position.x". */
export function componentsOf(listed: readonly Listed[]): ObservableData[] {
  return listed.flatMap(({ name, unit, labels }) =>
    labels.length > 0
      ? labels.map((label) => ({ name: `${name}.${label}`, unit }))
      : { name, unit },
  );
}

/** Components of an element and of what belongs to it; of an output its own value. */
export function componentsAt(all: readonly ObservableData[], element: string): ObservableData[] {
  const name = element.startsWith("outputs.") ? element.slice("outputs.".length) : element;
  return all.filter((c) => c.name === name || c.name.startsWith(`${name}.`));
}

/** Ask again after every change that leaves the model without faults. */
export function followComponents(studio: Studio): () => void {
  let timer = 0;
  let asked = -1;
  return effect(() => {
    const revision = studio.outline.value?.revision ?? -1;
    const isSound = studio.connected.value && studio.faults.value.faults.length === 0;
    clearTimeout(timer);
    if (!isSound || revision < 0 || revision === asked) return;
    timer = window.setTimeout(() => {
      asked = revision;
      studio.look<{ observables?: Listed[] }>("observables").then(
        ({ observables }) =>
          asked === revision && (components.value = componentsOf(observables ?? [])),
        () => (asked = -1),
      );
    }, PAUSE);
  });
}
