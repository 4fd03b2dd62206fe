// Lines of what is selected and of what the pointer is on, lit up.
import { RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { OutlineItem } from "../protocol";
import type { SharedText } from "./shared";

export interface Lit {
  selected: readonly (readonly [number, number])[];
  hovered: readonly (readonly [number, number])[];
}

const light = StateEffect.define<Lit>();
const SELECTED = Decoration.line({ class: "cm-selected-element" });
const HOVERED = Decoration.line({ class: "cm-hovered-element" });

export const litLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, transaction) {
    let now = lines.map(transaction.changes);
    for (const effect of transaction.effects)
      if (effect.is(light)) now = decorated(transaction.newDoc, effect.value);
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const lit = (value: Lit) => light.of(value);

function decorated(doc: Text, { selected, hovered }: Lit): DecorationSet {
  const marks = new Map<number, Decoration>();
  const mark = (spans: Lit["selected"], decoration: Decoration) => {
    for (const [start, end] of spans) {
      const last = doc.lineAt(Math.min(Math.max(start, end - 1), doc.length)).number;
      for (let n = doc.lineAt(Math.min(start, doc.length)).number; n <= last; n++)
        marks.set(doc.line(n).from, decoration);
    }
  };
  mark(hovered, HOVERED);
  mark(selected, SELECTED);
  const builder = new RangeSetBuilder<Decoration>();
  for (const at of [...marks.keys()].sort((a, b) => a - b)) builder.add(at, at, marks.get(at)!);
  return builder.finish();
}

/** Where elements are in the text shown; names that the file does not hold are left out. */
export function spansOf(
  names: Iterable<string>,
  items: ReadonlyMap<string, OutlineItem>,
  text: SharedText,
  revision: number,
): [number, number][] {
  const spans: [number, number][] = [];
  for (const name of names) {
    const item = items.get(name);
    if (item)
      spans.push([text.carried(item.span[0], revision), text.carried(item.span[1], revision)]);
  }
  return spans;
}
