// What is typed to add an element: "R", "R 0.4 ohm", "I:La 50 mH": kind, name, value.

export interface Typed {
  kind: string;
  name: string;
  value: string;
}

/** Kind, name and value of a text; what is not said is empty. */
export function typedElement(text: string): Typed {
  const trimmed = text.trim();
  const gap = trimmed.search(/\s/);
  const head = gap < 0 ? trimmed : trimmed.slice(0, gap);
  const value = gap < 0 ? "" : trimmed.slice(gap).trim();
  const [kind, ...rest] = head.split(":");
  return { kind, name: rest.join(":").trim(), value };
}

/** A number as such, anything else as it was typed. */
export function valueOf(text: string): number | string {
  const number = Number(text);
  return text.trim() && Number.isFinite(number) ? number : text.trim();
}

export interface Choice {
  /** What it is called in the file: "Se", "1", "dc-motor". */
  kind: string;
  label: string;
  sentence: string;
  /** Existing elements and others that cannot be guessed from the kind. */
  [more: string]: unknown;
}

/** Choices that typed text means, best first: the kind itself, kinds that begin so, labels, words.
 * Behind a kind that is written out its name and value may follow. */
export function meant<T extends Choice>(choices: readonly T[], text: string): T[] {
  const typed = text.trim().toLowerCase();
  if (!typed) return [...choices];
  const kind = typedElement(text).kind.toLowerCase();
  const found: { choice: T; rank: number }[] = [];
  for (const choice of choices) {
    const rank = rankOf(choice, typed, kind);
    if (rank < Infinity) found.push({ choice, rank });
  }
  return found.sort((a, b) => a.rank - b.rank).map(({ choice }) => choice);
}

function rankOf({ kind, label, sentence }: Choice, typed: string, first: string): number {
  const [own, title, words] = [kind, label, sentence].map((text) => text.toLowerCase());
  if (own === first) return 0;
  if (title === typed) return 1;
  if (own.startsWith(typed)) return 2;
  if (title.startsWith(typed)) return 3;
  const known = `${title} ${words}`.split(/[^a-z0-9]+/);
  const begins = (part: string) => known.some((word) => word.startsWith(part));
  return typed.split(/\s+/).every(begins) ? 4 : Infinity;
}
