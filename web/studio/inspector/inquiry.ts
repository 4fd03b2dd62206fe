// What the server says of one element (message `inquire`).
import type { FaultData, Span } from "../protocol";

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
export const isKnown = ({ kind, sentence }: Inquiry): boolean => kind !== "" || sentence !== "";

/** Words of the server without the signs that mark names in them. */
export const plainWords = (words: string): string => words.replace(/`+/g, "");
