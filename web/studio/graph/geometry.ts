// Points, ways and the signs on them: the same geometry as pliant.show.bonds.lines.
import type { Point } from "./data";

/** Pixels of a vector bond, of the light in its middle, and of a single bond. */
export const DOUBLE = 4.4;
export const INNER = 1.8;
export const SINGLE = 1.5;
const BARB = 11;
const SPREAD = 5.5;
const STROKE = 7;
/** Between a symbol and its bonds. */
const GAP: Point = [4, 3.5];
/** More of it where a bond leaves at 45 degrees, so that strokes keep off the symbol. */
const OBLIQUE = 4;

export type Segment = readonly [Point, Point];

export const plus = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1]];
export const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]];
export const times = (a: Point, k: number): Point => [a[0] * k, a[1] * k];
export const between = (a: Point, b: Point, s: number): Point => plus(a, times(minus(b, a), s));
export const length = (a: Point): number => Math.hypot(a[0], a[1]);

/** Unit vector from one point to another. */
export function direction(from: Point, to: Point): Point {
  const step = minus(to, from);
  return times(step, 1 / Math.max(length(step), 1e-9));
}

/** The part of a way outside the symbols at its two ends, which are given by middle and size. */
export function trimmed(
  way: readonly Point[],
  tail: { at: Point; size: Point },
  head: { at: Point; size: Point },
): Point[] {
  const rest = fromBox(way, tail.at, tail.size);
  return fromBox(rest.reverse(), head.at, head.size).reverse();
}

function fromBox(way: readonly Point[], at: Point, size: Point): Point[] {
  const half: Point = [size[0] / 2 + GAP[0], size[1] / 2 + GAP[1]];
  const outside = (p: Point) =>
    Math.abs(p[0] - at[0]) > half[0] + 1e-6 || Math.abs(p[1] - at[1]) > half[1] + 1e-6;
  const first = way.findIndex(outside);
  if (first <= 0) return [...way];
  const [a, b] = [way[first - 1], way[first]];
  const step = minus(b, a);
  const leaving = [0, 1]
    .filter((k) => Math.abs(step[k]) > 1e-9)
    .map((k) => (Math.sign(step[k]) * half[k] - (a[k] - at[k])) / step[k]);
  const whole = length(step);
  const oblique = (2 * Math.abs(step[0] * step[1])) / whole ** 2;
  const start = Math.min(...leaving) + (OBLIQUE * oblique) / whole;
  return [between(a, b, Math.min(Math.max(start, 0), 0.95)), ...way.slice(first)];
}

/** The half arrow at the head of a way: on the right hand of who looks back from the head. */
export function halfArrow(way: readonly Point[], vector: boolean): Segment {
  const tip = way[way.length - 1];
  const along = direction(tip, way[way.length - 2]);
  const across: Point = [-along[1], along[0]];
  const side = vector ? DOUBLE / 2 : 0;
  const start = plus(tip, times(across, side));
  return [start, plus(plus(tip, times(along, BARB)), times(across, side + SPREAD))];
}

/** The causal stroke at the first point of a way. */
export function strokeAt(way: readonly Point[]): Segment {
  const along = direction(way[0], way[1]);
  const across: Point = [-along[1] * STROKE, along[0] * STROKE];
  return [minus(way[0], across), plus(way[0], across)];
}

const number = (x: number): string => `${Math.round(x * 10) / 10}`;

/** Attribute `d` of a way with corners. */
export function pathOf(way: readonly Point[]): string {
  return way.map(([x, y], k) => `${k ? "L" : "M"}${number(x)} ${number(y)}`).join("");
}

/** Attribute `d` of a quadratic curve. */
export function curveOf([a, c, b]: readonly Point[]): string {
  return `${pathOf([a])}Q${number(c[0])} ${number(c[1])} ${number(b[0])} ${number(b[1])}`;
}

/** A point of a quadratic curve, and its direction there. */
export function onCurve([a, c, b]: readonly Point[], s: number): { at: Point; along: Point } {
  const [p, q] = [between(a, c, s), between(c, b, s)];
  return { at: between(p, q, s), along: direction(p, q) };
}

/** Straight pieces of a quadratic curve. */
export function flattened(curve: readonly Point[], pieces = 12): Point[] {
  return Array.from({ length: pieces + 1 }, (_, k) => onCurve(curve, k / pieces).at);
}

/** The point in the middle of a way, counted along it, and its direction there. */
export function middle(way: readonly Point[]): { at: Point; along: Point } {
  const parts = way.slice(1).map((p, k) => length(minus(p, way[k])));
  let left = parts.reduce((sum, part) => sum + part, 0) / 2;
  for (let k = 0; k < parts.length; k++) {
    if (left <= parts[k] || k === parts.length - 1) {
      const along = direction(way[k], way[k + 1]);
      return { at: plus(way[k], times(along, left)), along };
    }
    left -= parts[k];
  }
  return { at: way[0], along: [1, 0] };
}

export function distanceToWay(p: Point, way: readonly Point[]): number {
  let best = Infinity;
  for (let k = 1; k < way.length; k++) {
    best = Math.min(best, distanceToSegment(p, way[k - 1], way[k]));
  }
  return best;
}

function distanceToSegment(p: Point, a: Point, b: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const square = dx * dx + dy * dy;
  const s = square > 0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square : 0;
  const t = Math.min(1, Math.max(0, s));
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
}

/** How far a point is from a box around a middle; 0 inside. */
export function distanceToBox(p: Point, at: Point, size: Point): number {
  const dx = Math.max(0, Math.abs(p[0] - at[0]) - size[0] / 2);
  const dy = Math.max(0, Math.abs(p[1] - at[1]) - size[1] / 2);
  return Math.hypot(dx, dy);
}

/** A way whose ends were moved: level and upright parts beside them stay so. */
export function stretched(way: readonly Point[], tail: Point, head: Point): Point[] {
  if (tail[0] === head[0] && tail[1] === head[1]) return way.map((p) => plus(p, tail));
  const moved = end([...way], tail);
  return end(moved.reverse(), head).reverse();
}

/** Move the first point; of a way with corners the next one follows across its part. */
function end(way: Point[], shift: Point): Point[] {
  if (!shift[0] && !shift[1]) return way;
  const [a, b] = way;
  if (way.length > 2) {
    const level = Math.abs(b[1] - a[1]) <= Math.abs(b[0] - a[0]);
    way[1] = level ? [b[0], b[1] + shift[1]] : [b[0] + shift[0], b[1]];
  }
  way[0] = plus(a, shift);
  return way;
}

/** Corners of the convex hull, in order. */
export function hull(points: readonly Point[]): Point[] {
  const ordered = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (ordered.length < 3) return ordered;
  const half = (sequence: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const p of sequence) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 0)
        chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(ordered), ...half([...ordered].reverse())];
}

function turn(a: Point, b: Point, p: Point): number {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}
