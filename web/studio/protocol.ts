// What page and server say to each other (pliant.studio.serve.protocol): JSON texts with a type, and
// binary frames of numbers. Offsets count UTF-16 units of the text with "\n" at the ends of lines.
import type { PageData, SceneData, SeriesData } from "../src/data/types";

export const VERSION = 1;

/** Replace text[start..end) by text. */
export type Splice = [start: number, end: number, text: string];
export type Span = [start: number, end: number];

export interface DocumentData {
  revision: number;
  text: string;
  /** Path below the root; "" for a model without a file. */
  path: string;
  name: string;
  format: "yaml" | "json";
  saved: boolean;
  readOnly: boolean;
  canUndo: boolean;
  canRedo: boolean;
}

/** What can be opened below the root, and what a new model can begin with. */
export interface FilesData {
  models: string[];
  results: string[];
  /** By name, each with a sentence. */
  templates: Record<string, string>;
  examples: Record<string, string>;
}

export interface Change {
  revision: number;
  splices: Splice[];
  /** What was done, for the history. */
  label: string;
  saved: boolean;
  canUndo: boolean;
  canRedo: boolean;
  /** The window that asked for it; null: undo, the disk, another view. */
  window: string | null;
  selection?: string[];
}

/** An operation was done. */
export interface Done {
  revision: number;
  label?: string;
  /** What is selected now; null: what was. */
  selection: string[] | null;
}

/** What an operation would do. */
export interface Tried {
  label: string;
  /** Lines of the file that would be written. */
  lines: string[];
  /** Faults it would bring. */
  faults: FaultData[];
}

/** What a button does about a fault: an operation. */
export interface Fix {
  label: string;
  operation: string;
  arguments: Record<string, unknown>;
}

export interface FaultData {
  /** "body 'crank'". */
  element: string;
  /** Its name in the one scheme of all views: "crank", "drive.mesh", "parameters.h"; "" for the model. */
  name: string;
  path: string[];
  span: Span;
  what: string;
  cure: string;
  fixes: Fix[];
}

export interface FaultsData {
  revision: number;
  faults: FaultData[];
  /** Allowed, but seldom meant. */
  remarks: string[];
  /** The text is no YAML or JSON at all: views show what was there before. */
  unreadable: boolean;
}

export interface OutlineItem {
  name: string;
  label: string;
  /** "beam", "revolute", "R", "parameter", ... */
  kind: string;
  /** Shown beside it: a value, what it joins. */
  text: string;
  path: string[];
  span: Span;
  faults: number;
  children: OutlineItem[];
  /** Of parameters and numbers of the file: what a slider needs. */
  number?: NumberData;
}

export interface NumberData {
  /** What `params` calls it: "h", "bodies.rod.length". */
  key: string;
  /** As written: "10 mm". */
  text: string;
  /** In the unit it is written in. */
  value: number;
  unit: string;
}

export interface OutlineSection {
  /** "bodies". */
  section: string;
  items: OutlineItem[];
}

export interface OutlineData {
  revision: number;
  title: string;
  sections: OutlineSection[];
  /** Names of elements (bodies, joints, ...) to what they are: "body", "joint", ... */
  kinds: Record<string, string>;
  /** Section `view` of the file, as far as it makes sense. */
  view: ViewSection;
  /** Of `simulate`: what a run will do, for the button. */
  run: { analysis: string; t_end: string | null };
}

export interface ViewSection {
  controls: Record<string, [number, number]>;
  plots: string[][];
  folded: string[];
}

export type JobState = "queued" | "running" | "done" | "stopped" | "failed";

export interface JobData {
  id: number;
  analysis: string;
  draft: boolean;
  state: JobState;
  /** "deriving", "compiling", "assembling", "integrating", ... */
  phase: string;
  /** 0 to 1; null if nobody knows. */
  progress: number | null;
  /** Seconds; null if nobody knows. */
  remaining: number | null;
  /** Machine code is still the quick one. */
  quick: boolean;
  /** The run it makes; its samples bear this name. */
  run: number | null;
  failure: string;
  /** Names of elements that the failure speaks of. */
  elements: string[];
  /** What an analysis other than a run has found. */
  data?: unknown;
}

export interface RunData {
  id: number;
  label: string;
  analysis: string;
  revision: number;
  params: Record<string, string>;
  settings: Record<string, unknown>;
  started: number;
  seconds: number;
  samples: number;
  t_start: number;
  t_end: number;
  failure: string;
  warnings: string[];
  events: { name: string; time: number; message: string }[];
  /** The command that computes the same. */
  command: string;
}

/** Header of a binary frame; the columns follow, 64-bit numbers, one after the other. */
export interface FrameHeader {
  /** "powers": watts along every bond, by its name, from an audit. */
  type: "samples" | "series" | "powers";
  id?: number;
  run: number;
  job?: number;
  draft: boolean;
  /** Samples before these. */
  offset: number;
  count: number;
  series: SeriesData[];
  /** With the first frame of a run: what the 3-D view draws; drafts may leave it as it was. */
  scene?: SceneData;
  params?: Record<string, string>;
}

export interface Frame {
  header: FrameHeader;
  time: Float64Array;
  /** Columns of `header.series`, by their `column`. */
  columns: Float64Array[];
}

/** The mechanism at its assembled start: one sample. */
export type StartData = Pick<PageData, "scene" | "time" | "series" | "numbers"> & {
  /** It cannot be assembled: bodies stand where the file guesses them. */
  failure?: { what: string; cure: string; elements: string[] };
};
