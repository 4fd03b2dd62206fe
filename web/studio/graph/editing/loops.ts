// Loops of a linear graph: which joints can change places between tree and cotree.
import type { EdgeData } from "../data";

/** A tree in which one joint is exchanged for another; without `enters`, for the body's own place. */
export interface Exchange {
  /** The joint that is cut. */
  leaves: string;
  /** The joint that is in the tree instead; or "". */
  enters: string;
}

export const isJoint = ({ kind }: EdgeData): boolean => kind === "joint";

/** Joints of the tree on the way between the ends of a cotree edge. */
export function loopOf(edges: readonly EdgeData[], edge: EdgeData): string[] {
  const next = new Map<string, EdgeData[]>();
  for (const own of edges.filter(({ tree }) => tree))
    for (const end of [own.tail, own.head]) next.set(end, [...(next.get(end) ?? []), own]);
  const way = wayBetween(next, edge.tail, edge.head) ?? [];
  return [...new Set(way.filter(isJoint).map(({ owner }) => owner))];
}

function wayBetween(
  next: ReadonlyMap<string, readonly EdgeData[]>,
  from: string,
  to: string,
): EdgeData[] | null {
  const came = new Map<string, EdgeData | null>([[from, null]]);
  const waiting = [from];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (at === to) break;
    for (const edge of next.get(at) ?? []) {
      const other = edge.tail === at ? edge.head : edge.tail;
      if (came.has(other)) continue;
      came.set(other, edge);
      waiting.push(other);
    }
  }
  if (!came.has(to)) return null;
  const way: EdgeData[] = [];
  for (let at = to, edge = came.get(at); edge; edge = came.get(at)) {
    way.push(edge);
    at = edge.tail === at ? edge.head : edge.tail;
  }
  return way;
}

/** What a joint can be exchanged for: one of its loop, or of each loop that it is in. */
export function exchanges(edges: readonly EdgeData[], edge: EdgeData): Exchange[] {
  if (!isJoint(edge)) return [];
  if (!edge.tree) return loopOf(edges, edge).map((leaves) => ({ leaves, enters: edge.owner }));
  const closing = edges.filter((other) => isJoint(other) && !other.tree);
  const through = closing.filter((other) => loopOf(edges, other).includes(edge.owner));
  const found = [...new Set(through.map(({ owner }) => owner))];
  return [...found, ""].map((enters) => ({ leaves: edge.owner, enters }));
}

/** The edges of the tree after an exchange, as a choice of the tree: joints, and bodies by their
 * own place. `body`: which is placed so if nothing enters. */
export function treeAfter(
  edges: readonly EdgeData[],
  { leaves, enters }: Exchange,
  body: string,
): string[] {
  const own = edges.filter(({ tree, kind }) => tree && (kind === "joint" || kind === "body"));
  const names = new Set(own.map(({ owner }) => owner));
  names.delete(leaves);
  names.add(enters || body);
  return [...names];
}

/** Why an edge that is no joint stays where it is. */
export function stays({ kind, owner }: EdgeData): string {
  if (kind === "arm")
    return `${owner}: a frame is fixed in its body, so that it is always in the tree`;
  if (kind === "body") return `${owner}: a body is in the tree only where no joint leads to it`;
  return `${owner}: only joints change between tree and cotree`;
}

/** The body that a joint leads to; a joint may be several edges, with places of its own between. */
export function bodyOf(edges: readonly EdgeData[], { owner }: EdgeData): string {
  const heads = edges.filter((own) => own.owner === owner).map(({ head }) => head.split(".")[0]);
  return heads.find((body) => body !== owner) ?? "";
}
