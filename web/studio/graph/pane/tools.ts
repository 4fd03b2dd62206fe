// Choices in the bars of panes.
import { h } from "../../../src/ui/dom";

/** Spanning trees: what the server calls them, and what the bar says. */
export const TREES: readonly (readonly [value: string, label: string])[] = [
  ["", "tree of the file"],
  ["joint", "joint tree"],
  ["absolute", "absolute tree"],
  ["best", "best tree"],
];

/** A list to choose from, by name. */
export function choiceOf(
  label: string,
  options: readonly (readonly [value: string, label: string])[],
  change: (value: string) => void,
): HTMLSelectElement {
  const items = options.map(([value, text]) => h("option", { value }, text));
  const list = h("select", { "aria-label": label, title: label }, ...items);
  list.addEventListener("change", () => change(list.value));
  return list;
}
