// Forms as the server describes them (message `form`), and what typing into one asks for.
import type { FaultData, NumberData, Span } from "../protocol";

export type Input =
  | "number"
  | "vector"
  | "text"
  | "choice"
  | "flag"
  | "frame"
  | "frames"
  | "joint"
  | "names"
  | "table"
  | "nested"
  | "variant"
  | "value";

export interface ChoiceData {
  value: string;
  /** What is written into the file when it is chosen. */
  text: string;
}

/** One entry of a list: a component of a vector, one of two frames. */
export interface PartData {
  label: string;
  input: Input;
  path: string[];
  value: string;
  unit: string;
  typed: boolean;
}

export interface FieldData {
  /** Place within the element: "beam.length". */
  name: string;
  label: string;
  about: string;
  unit: string;
  input: Input;
  /** As typed; empty of one that is not given. */
  value: string;
  default: string;
  given: boolean;
  required: boolean;
  path: string[];
  /** What is typed is read as the file would be; otherwise the words are the value. */
  typed: boolean;
  faults: FaultData[];
  span: Span | null;
  choices?: ChoiceData[];
  /** Anything else may be typed as well. */
  free?: boolean;
  chosen?: string;
  parts?: PartData[];
  fields?: FieldData[];
  /** Rows that stand beside the field, not inside of it. */
  others?: FieldData[];
  /** Entries of any name may be added. */
  open?: boolean;
  /** Names that may be meant. */
  names?: string[];
  number?: NumberData;
  /** The operation that changes it, if it is no field of the file. */
  operation?: string;
}

export interface FormData {
  name: string;
  path: string[];
  groups: { title: string; fields: FieldData[] }[];
  /** Faults of the element that belong to no field. */
  faults: FaultData[];
}

export interface Change {
  operation: string;
  arguments: Record<string, unknown>;
}

/** What leaving a field with a text asks for; an empty one takes the value away. */
export function changeOf(
  { path, typed }: { path: string[]; typed: boolean },
  text: string,
): Change {
  if (text.trim() === "") return { operation: "element.unset", arguments: { path } };
  if (typed) return { operation: "element.type", arguments: { path, text } };
  return { operation: "element.set", arguments: { path, value: text.trim() } };
}

/** What writing one entry of a list asks for: of a list that is not there yet, all of it. */
export function partChange(field: FieldData, part: number, text: string): Change {
  const parts = field.parts ?? [];
  if (field.given && parts[part]?.value !== "") {
    const empty = text.trim() === "" ? "0" : text;
    return changeOf(parts[part], parts[part].typed ? empty : text);
  }
  const others = entries(field.default);
  const all = parts.map((p, k) => (k === part ? text : p.value || (others[k] ?? "0")));
  return { operation: "element.type", arguments: { path: field.path, text: listed(all) } };
}

/** Entries of a list of plain numbers: "[0, 0, 1]". */
export function entries(text: string): string[] {
  const inner = /^\[(.*)\]$/.exec(text.trim())?.[1] ?? "";
  return inner === "" ? [] : inner.split(",").map((entry) => entry.trim());
}

/** A list as it is typed; entries with signs of lists in them stand in quotes. */
export function listed(texts: readonly string[]): string {
  const quoted = texts.map((text) => (/[,[\]{}:#"']/.test(text) ? JSON.stringify(text) : text));
  return `[${quoted.join(", ")}]`;
}

/** Whether a field is shown without unfolding the others. */
export function isMain(field: FieldData): boolean {
  const hasRows = field.input === "table" && (field.fields?.length ?? 0) > 0;
  return (
    field.given || field.required || field.default !== "" || field.faults.length > 0 || hasRows
  );
}

/** All fields of a form with those inside of them. */
export function* everyField(fields: readonly FieldData[]): Generator<FieldData> {
  for (const field of fields) {
    yield field;
    yield* everyField(field.fields ?? []);
    yield* everyField(field.others ?? []);
  }
}
