// What the Python side writes into the page (pliant.show.page.page.page_data).

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
  /** On a flexible body: the place that carries it; p and q are relative to that. */
  place?: number;
}

export type PartData =
  | { kind: "box"; size: Triple; p: Triple }
  | { kind: "cylinder"; radius: number; length: number; axis: Triple; p: Triple }
  | { kind: "sphere"; radius: number; p: Triple }
  | { kind: "ellipsoid"; size: Triple; p: Triple }
  | { kind: "link"; a: Triple; b: Triple; radius: number }
  | { kind: "block"; axis: Triple; length: number; width: number; p: Triple }
  | { kind: "mesh"; corners: string; faces: string }
  | { kind: "sweep"; x: number[]; loops: number[][][]; smooth: boolean }
  | { kind: "lattice"; points: number[]; bars: number[]; radius: number };

/** What a section of a beam passes on: |M| of bending, N, largest normal stress. */
export type Load = "moment" | "force" | "stress";

/** How a flexible body deforms (pliant.show.page.geometry). */
export interface ElasticData {
  /** Observables that hold its elastic coordinates. */
  coordinates: string[];
  places: number;
  /** The first places carry the drawing. */
  drawn: number;
  /** Joints hold both ends of a beam. */
  held: boolean;
  /** Places are nodes of given modes, not sections of a beam. */
  nodes: boolean;
  /** Axis and two coordinates of each column of H. */
  pairs: Triple[];
  numbers: string;
  /** Bending moments My, Mz of the drawn places per coordinate; empty if there are none. */
  moments: string;
  /** Internal forces of the drawn places, a column each, at all samples; where there are none
   * bending moments are those of the coordinates. */
  carried: Partial<Record<Load, string>>;
}

/** A beam that was taken apart (pliant.show.page.pieces). */
export interface PiecesData {
  /** Bodies whose poses are known; the first one is the body frame. */
  carriers: string[];
  knots: number;
  drawn: number;
  /** Joints hold both ends. */
  held: boolean;
  /** Without stress: p, q of the carriers. */
  rest: string;
  /** Of each knot its carrier, and p, q on it. */
  on: string;
  /** Of each drawn section its place along the axis, the knot before it, and its share of the way to
   * the next one. */
  places: string;
  carried: Partial<Record<Load, string>>;
}

export interface BodyData {
  name: string;
  mass: number;
  com: Triple;
  inertia: number[];
  about: string;
  /** As #rrggbb; without it that of its place in the list. */
  colour?: string;
  /** Of its drawing, 1 if not given. */
  opacity?: number;
  /** False: it is not drawn. */
  visible?: boolean;
  frames: FrameData[];
  parts: PartData[];
  elastic?: ElasticData;
  pieces?: PiecesData;
}

/** A direction given by components in a frame. */
export interface AxisData {
  frame: string;
  direction: Triple;
}

/** What a joint slides on: a bar beside which nothing turns, a rod, or a spindle that screws. */
export interface RailData extends AxisData {
  form: "square" | "round" | "thread";
}

export interface JointData {
  name: string;
  kind: string;
  parent: string;
  child: string;
  axes: AxisData[];
  /** What it is drawn by: pins about axes, a ball, the rail of its only displacement, a plate that
   *  slides in its plane, a foot; a block where nothing of these stands for it. */
  pins: AxisData[];
  ball: boolean;
  rail: RailData | null;
  plate: AxisData | null;
  foot: boolean;
  block: boolean;
  /** In the studio: what can be dragged. */
  coordinates?: CoordinateData[];
}

/** A scalar coordinate of a joint: about or along a direction fixed in a frame. */
export interface CoordinateData extends AxisData {
  name: string;
  unit: "rad" | "m";
}

/** What stands for an element between two frames, or at a joint coordinate (pliant.model.forces). */
export interface SymbolData {
  name: string;
  kind:
    | ("spring" | "damper" | "spring_damper" | "actuator" | "distance" | "bushing")
    | ("torsion_spring" | "brake" | "motor" | "rotor" | "wheel" | "rack");
  a: string;
  b: string;
  /** Of a joint coordinate: about or along what, in the axes of both frames. */
  direction?: Triple;
  /** Of a wheel: its own, or else its share of the way to its mate. */
  radius?: number;
  share?: number;
  mate?: string;
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
  symbols: SymbolData[];
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
  /** In SI units. */
  parameters: { name: string; value: string; unit: string; changed: boolean }[];
  events: EventData[];
  warnings: string[];
  failure: string;
  notes: string[];
}

/** The bond graph of a model with networks (pliant.analysis.power.shown). */
export interface GraphData {
  svg: string;
  /** Those whose power is known, a column each: from tail to head, in watts. */
  bonds: string[];
  time: number[];
  power: string;
}

export interface PageData {
  title: string;
  description: string;
  version: string;
  scene: SceneData;
  graph?: GraphData;
  plots: string[];
  summary: SummaryData;
  time: number[];
  series: SeriesData[];
  numbers: string;
  /** Of a page of modes: what each of them is called, and what differs from this page. */
  mode?: string;
  modes?: Partial<PageData>[];
}
