// What the Python side writes into the page (pliant.report.page.page_data).

export type Triple = [number, number, number];
/** w, x, y, z. */
export type Quadruple = [number, number, number, number];

export interface SeriesData {
  name: string;
  unit: string;
  labels: string[];
  kind: string;
  /** Where its first component stands in the table of numbers. */
  column: number;
  unique: boolean[];
}

export interface FrameData {
  name: string;
  p: Triple;
  q: Quadruple;
}

export type PartData =
  | { kind: "box"; size: Triple; p: Triple }
  | { kind: "cylinder"; radius: number; length: number; axis: Triple; p: Triple }
  | { kind: "sphere"; radius: number; p: Triple }
  | { kind: "ellipsoid"; size: Triple; p: Triple }
  | { kind: "link"; a: Triple; b: Triple; radius: number }
  | { kind: "block"; axis: Triple; length: number; width: number; p: Triple }
  | { kind: "mesh"; corners: string; faces: string };

export interface BodyData {
  name: string;
  mass: number;
  com: Triple;
  inertia: number[];
  about: string;
  frames: FrameData[];
  parts: PartData[];
}

/** A direction given by components in a frame. */
export interface AxisData {
  frame: string;
  direction: Triple;
}

export interface JointData {
  name: string;
  kind: string;
  parent: string;
  child: string;
  axes: AxisData[];
}

export interface SpringData {
  name: string;
  kind: "spring" | "bushing" | "distance";
  a: string;
  b: string;
}

export interface ArrowData {
  group: "reaction" | "applied";
  name: string;
  quantity: "force" | "torque";
  at: string;
  series: string;
  /** Scalars act along an axis, or towards another frame. */
  along?: AxisData;
  towards?: string;
}

export interface SceneData {
  scale: number;
  gravity: Triple;
  ground: { frames: FrameData[] };
  bodies: BodyData[];
  joints: JointData[];
  springs: SpringData[];
  arrows: ArrowData[];
}

export interface EventData {
  name: string;
  time: number;
  message: string;
}

export interface SummaryData {
  model: [string, string][];
  run: [string, string][];
  parameters: { name: string; value: string; changed: boolean }[];
  events: EventData[];
  warnings: string[];
  failure: string;
  notes: string[];
}

export interface PageData {
  title: string;
  description: string;
  version: string;
  scene: SceneData;
  plots: string[];
  summary: SummaryData;
  time: number[];
  series: SeriesData[];
  numbers: string;
}
