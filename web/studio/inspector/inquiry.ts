// What the server says of one element (message `inquire`).
import type { FaultData, Span } from "../protocol";

export interface FieldData {
  name: string;
  /** As written in the file; "" if it is not given. */
  text: string;
  unit: string;
  /** What it means. */
  about: string;
  path: string[];
  given: boolean;
  default: string;
  span?: Span;
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
  span?: Span;
}
