// Where the text is asked to go: a fault, a field of the inspector, an element of a graph.
import { signal } from "@preact/signals";
import type { Span } from "../protocol";

export interface Place {
  readonly span: Span;
  /** Also move the caret there and type from now on. */
  readonly focus: boolean;
}

/** The last place asked for; every request is a new object. */
export const place = signal<Place | null>(null);

/** Bring a part of the text into sight, in a text pane. */
export function goTo(span: Span, { focus = false } = {}): void {
  place.value = { span, focus };
}
