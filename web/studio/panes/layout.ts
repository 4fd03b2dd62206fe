// How the middle of the window is divided: a tree of splits with panes at its ends. Plain data.
import type { ViewKind } from "../studio";

export type PaneKind = Exclude<ViewKind, "tree" | "inspector">;

export const PANE_KINDS: readonly PaneKind[] = [
  "stage",
  "bond",
  "linear",
  "text",
  "equations",
  "results",
];

export const TITLES: Record<PaneKind, string> = {
  stage: "3-D",
  bond: "Bond graph",
  linear: "Linear graph",
  text: "Text",
  equations: "Equations",
  results: "Results",
};

export interface Pane {
  readonly id: number;
  readonly kind: PaneKind;
}

export interface Split {
  /** "row": side by side; "column": one above the other. */
  readonly along: "row" | "column";
  /** Share of the first part, 0 to 1. */
  readonly share: number;
  readonly first: Layout;
  readonly second: Layout;
}

export type Layout = Pane | Split;

export const MOST_PANES = 4;
const LEAST_SHARE = 0.1;

export const isSplit = (layout: Layout): layout is Split => "along" in layout;

export function panesOf(layout: Layout): Pane[] {
  return isSplit(layout) ? [...panesOf(layout.first), ...panesOf(layout.second)] : [layout];
}

const row = (share: number, first: Layout, second: Layout): Split => ({
  along: "row",
  share,
  first,
  second,
});
const column = (share: number, first: Layout, second: Layout): Split => ({
  along: "column",
  share,
  first,
  second,
});
const pane = (id: number, kind: PaneKind): Pane => ({ id, kind });

export type Preset = "model" | "graph" | "text" | "results";

export const PRESETS: Record<Preset, Layout> = {
  model: row(0.56, column(0.58, pane(1, "stage"), pane(2, "results")), pane(3, "text")),
  graph: row(0.6, pane(1, "bond"), column(0.5, pane(2, "stage"), pane(3, "equations"))),
  text: row(0.62, pane(1, "text"), pane(2, "stage")),
  results: row(0.55, pane(1, "results"), column(0.55, pane(2, "stage"), pane(3, "bond"))),
};

/** Every pane replaced by what `change` makes of it; null takes it away. */
function mapped(layout: Layout, change: (pane: Pane) => Layout | null): Layout | null {
  if (!isSplit(layout)) return change(layout);
  const first = mapped(layout.first, change);
  const second = mapped(layout.second, change);
  if (!first || !second) return first ?? second;
  return first === layout.first && second === layout.second ? layout : { ...layout, first, second };
}

/** A pane of another kind, in the same place. */
export function withKind(layout: Layout, id: number, kind: PaneKind): Layout {
  return mapped(layout, (p) => (p.id === id ? { ...p, kind } : p))!;
}

/** Without a pane; the last one stays. */
export function closed(layout: Layout, id: number): Layout {
  return mapped(layout, (p) => (p.id === id ? null : p)) ?? layout;
}

/** All panes below each other. */
export function stacked(layout: Layout): Layout {
  if (!isSplit(layout)) return layout;
  const [first, second] = [stacked(layout.first), stacked(layout.second)];
  return { ...layout, along: "column", first, second };
}

/** A pane divided in two; the new one shows the first kind that no pane shows yet. */
export function divided(layout: Layout, id: number, along: Split["along"]): Layout {
  const panes = panesOf(layout);
  if (panes.length >= MOST_PANES) return layout;
  const shownKinds = new Set(panes.map((p) => p.kind));
  const kind = PANE_KINDS.find((k) => !shownKinds.has(k)) ?? "stage";
  const fresh = pane(Math.max(...panes.map((p) => p.id)) + 1, kind);
  return mapped(layout, (p) => (p.id === id ? { along, share: 0.5, first: p, second: fresh } : p))!;
}

/** A split with another share; `place` leads to it: "ab" is the second part of the first part. */
export function shared(layout: Layout, place: string, share: number): Layout {
  if (!isSplit(layout)) return layout;
  if (place === "")
    return { ...layout, share: Math.min(1 - LEAST_SHARE, Math.max(LEAST_SHARE, share)) };
  return place[0] === "a"
    ? { ...layout, first: shared(layout.first, place.slice(1), share) }
    : { ...layout, second: shared(layout.second, place.slice(1), share) };
}

/** A layout that was kept, if it is one: kinds known, panes not too many, every number once. */
export function read(data: unknown): Layout | null {
  const found = checked(data);
  if (!found) return null;
  const ids = panesOf(found).map((p) => p.id);
  return ids.length <= MOST_PANES && new Set(ids).size === ids.length ? found : null;
}

function checked(data: unknown): Layout | null {
  if (typeof data !== "object" || data === null) return null;
  const d = data as Record<string, unknown>;
  if ("kind" in d) {
    const isPane = PANE_KINDS.includes(d.kind as PaneKind) && Number.isInteger(d.id);
    return isPane ? pane(d.id as number, d.kind as PaneKind) : null;
  }
  const first = checked(d.first);
  const second = checked(d.second);
  const isGood =
    (d.along === "row" || d.along === "column") &&
    typeof d.share === "number" &&
    d.share >= LEAST_SHARE &&
    d.share <= 1 - LEAST_SHARE;
  if (!first || !second || !isGood) return null;
  return { along: d.along as Split["along"], share: d.share as number, first, second };
}

/** Left, top, width and height in shares of the whole. */
export type Box = readonly [x: number, y: number, width: number, height: number];

export interface Divider {
  /** Leads to the split, as in `shared`. */
  readonly place: string;
  readonly along: Split["along"];
  readonly share: number;
  /** The whole of the split. */
  readonly box: Box;
}

/** Where every pane and every divider lies. */
export function placed(layout: Layout): { panes: Map<number, Box>; dividers: Divider[] } {
  const panes = new Map<number, Box>();
  const dividers: Divider[] = [];
  const put = (part: Layout, box: Box, place: string) => {
    if (!isSplit(part)) {
      panes.set(part.id, box);
      return;
    }
    const [x, y, w, h] = box;
    const { along, share } = part;
    dividers.push({ place, along, share, box });
    const isRow = along === "row";
    put(part.first, isRow ? [x, y, w * share, h] : [x, y, w, h * share], `${place}a`);
    const rest = 1 - share;
    const after: Box = isRow ? [x + w * share, y, w * rest, h] : [x, y + h * share, w, h * rest];
    put(part.second, after, `${place}b`);
  };
  put(layout, [0, 0, 1, 1], "");
  return { panes, dividers };
}
