// What the server says of one element (message `inquire`).
import type { FaultData, NumberData, Span } from "../protocol";

export interface FieldData {
  name: string;
  /** As written in the file; of one that is not given what holds then. */
  text: string;
  unit: string;
  /** What it means. */
  about: string;
  path: string[];
  given: boolean;
  default?: string;
  span?: Span | null;
  /** Of a number: what a slider needs. */
  number?: NumberData;
}

export interface UseData {
  /** The element it is used in or by. */
  name: string;
  path: string[];
  span: Span;
  text: string;
}

export interface ObservableData {
  name: string;
  unit: string;
}

export interface Inquiry {
  name: string;
  title: string;
  kind: string;
  sentence: string;
  law: string;
  causality: string;
  fields: FieldData[];
  uses: UseData[];
  usedBy: UseData[];
  observables: ObservableData[];
  faults: FaultData[];
  /** MathML. */
  equation?: string;
  span?: Span | null;
}

/** Whether a law is written as a formula, and not in words. */
export const isFormula = (law: string): boolean => law.includes("=") && law.length < 90;

/** Whether the file holds the element at all. */
export const isKnown = ({ kind, sentence, fields }: Inquiry): boolean =>
  kind !== "" || sentence !== "" || fields.length > 0;

/** Words of the server without the signs that mark names in them. */
export const plainWords = (words: string): string => words.replace(/`+/g, "");
