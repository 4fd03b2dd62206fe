// A graph as the server describes it (pliant.studio.views): places in pixels, y downwards.

export type Point = readonly [x: number, y: number];

export interface BoxData {
  name: string;
  label: string;
  /** "body", "joint", "force", "driver", "network", "part", "ground". */
  kind: string;
  at: [x: number, y: number, width: number, height: number];
  /** The middle of its name. */
  title?: Point;
  owner?: string;
  open: boolean;
  canOpen: boolean;
  sentence: string;
  /** The sub-graph that a part is a copy of. */
  of?: string;
  /** What it is a copy of, to open it: "subgraphs.motor", "file:…", "shipped:…". */
  source?: string;
  /** The place by which the file puts a part; its middle, if nothing is said. */
  place?: Point | null;
  /** Of parts in a network that is shown alone. */
  ports?: PortData[];
  /** Whether it stands where the file says. */
  placed?: boolean;
  faults?: number;
}

export interface PortData {
  name: string;
  side: "left" | "right";
  at: Point;
  outward: boolean;
  /** The junction inside of the part that it leads to. */
  junction: string;
  /** The junction that it is bonded to; or "". */
  joined: string;
  domain: string;
  dim: number;
}

export interface NodeData {
  name: string;
  owner: string;
  /** "Se", "Sf", "I", "C", "R", "TF", "GY", "0", "1", ... */
  kind: string;
  /** "I:La". */
  text: string;
  /** "50 mH". */
  value: string;
  dim: number;
  at: Point;
  size: Point;
  /** "integral", "derivative", ...; "" if there is nothing to say. */
  causality: string;
  faults: number;
  sentence: string;
  law: string;
  /** Whether it stands where the file says. */
  placed?: boolean;
  /** Whether it has a bond at all. */
  bonded?: boolean;
  /** Its value exactly as the file has it. */
  written?: string;
  /** Where its value stands in the file. */
  valuePath?: string[];
  /** Whether it is inside of a part. */
  inside?: boolean;
  domain?: string;
}

export interface BondData {
  name: string;
  owner: string;
  tail: string;
  head: string;
  dim: number;
  domain: string;
  colour: string;
  points: Point[];
  /** The ends that receive the effort; both: in some components each. */
  stroke: { tail: boolean; head: boolean };
  forced: boolean;
  sentence: string;
  label?: { text: string; at: Point } | null;
  /** Of networks that are shown alone: whether its arrow can be turned round, its stroke forced. */
  reversible?: boolean;
  forcible?: boolean;
  /** Why its arrow goes as it does. */
  convention?: string;
}

/** What the motion basis of a joint holds, at one of its junctions: not an element of its own. */
export interface HeldData {
  owner: string;
  text: string;
  at: Point;
  points: Point[];
  label: { text: string; at: Point };
  sentence: string;
}

/** The name of a frame beside its junctions. */
export interface TextData {
  text: string;
  at: Point;
  owner: string;
}

/** A spanning tree and what it costs. */
export interface TreeData {
  name: string;
  text: string;
  /** Why it cannot be used; or "". */
  objection: string;
}

export interface VertexData {
  name: string;
  owner: string;
  at: Point;
  ground: boolean;
  /** Where the name of the ground stands. */
  named?: Point | null;
}

export interface EdgeData {
  name: string;
  owner: string;
  kind: string;
  tail: string;
  head: string;
  /** A quadratic curve. */
  points: [Point, Point, Point];
  tree: boolean;
  colour: string;
  label: { text: string; at: Point } | null;
  sentence: string;
}

export interface HullData {
  owner: string;
  points: Point[];
  width: number;
  index: number;
  label?: { text: string; at: Point };
}

export interface Finding {
  kind: string;
  text: string;
  elements: string[];
}

export interface GraphData {
  kind: "bond" | "linear" | "network";
  revision?: number;
  title: string;
  caption: string;
  bounds: [x0: number, y0: number, x1: number, y1: number];
  boxes: BoxData[];
  nodes: NodeData[];
  bonds: BondData[];
  held?: HeldData[];
  texts?: TextData[];
  vertices: VertexData[];
  edges: EdgeData[];
  hulls: HullData[];
  findings: Finding[];
  facts: { label: string; text: string }[];
  trees?: TreeData[];
  /** Of a network that is shown alone. */
  network?: string;
  domain?: string;
  /** Without a colour: words only. */
  legend: { label: string; colour: string; dashed: boolean }[];
}
