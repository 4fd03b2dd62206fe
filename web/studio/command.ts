// A command of the studio: plain data, which the parts of the page write lists of.

/** Where the focus is when a key is pressed; the first that knows the key takes it. */
export type Context = "everywhere" | "views" | "graph" | "linear" | "tree" | "text";

/** What must be true of the studio for a command to make sense. */
export type Condition =
  | "always"
  | "connected"
  | "writable"
  | "undoable"
  | "redoable"
  | "running"
  | "faulty"
  | "selected"
  /** Something is selected, and the file may be changed. */
  | "editable";

export interface Command {
  readonly name: string;
  /** As the palette lists it. */
  readonly title: string;
  /** What it does, for the manual. */
  readonly sentence: string;
  /** "Ctrl+Shift+Z"; Ctrl is the command key on a Mac. */
  readonly keys: readonly string[];
  readonly context: Context;
  readonly when: Condition;
  /** Keys that the part with the focus handles by itself. */
  readonly own?: boolean;
}

export type Facts = Omit<Command, "name" | "title" | "sentence">;

/** A command; what is not said of it is as for most. */
export function command(
  name: string,
  title: string,
  sentence: string,
  facts: Partial<Facts>,
): Command {
  return { name, title, sentence, keys: [], context: "everywhere", when: "always", ...facts };
}
