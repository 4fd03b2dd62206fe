// Half arrows, strokes and ways of bonds: the same geometry as in the pictures of `pliant graph`.
import { describe, expect, it } from "vitest";
import type { Point } from "../../studio/graph/data";
import {
  curveOf,
  distanceToBox,
  distanceToWay,
  halfArrow,
  hull,
  middle,
  pathOf,
  stretched,
  strokeAt,
  trimmed,
} from "../../studio/graph/geometry";

const close = (a: Point, b: Point) => {
  expect(a[0]).toBeCloseTo(b[0], 9);
  expect(a[1]).toBeCloseTo(b[1], 9);
};

describe("half arrow", () => {
  it("of a level bond to the right has its barb above", () => {
    const way: Point[] = [
      [0, 0],
      [100, 0],
    ];
    const [tip, end] = halfArrow(way, false);
    close(tip, [100, 0]);
    close(end, [89, -5.5]);
  });

  it("stays on the same hand when the bond turns", () => {
    const side = (head: Point) => {
      const [tip, end] = halfArrow([[0, 0], head], false);
      const [dx, dy] = [end[0] - tip[0], end[1] - tip[1]];
      return Math.sign(head[0] * dy - head[1] * dx);
    };
    const heads: Point[] = [
      [50, 0],
      [0, 50],
      [-50, 0],
      [0, -50],
      [30, -40],
    ];
    expect(heads.map(side)).toEqual([-1, -1, -1, -1, -1]);
  });

  it("of a vector bond begins at the edge of its double line", () => {
    const [tip] = halfArrow([[0, 0], [0, 80]], true); // prettier-ignore
    close(tip, [2.2, 80]);
  });
});

describe("causal stroke", () => {
  it("stands across the bond at its first point", () => {
    const [a, b] = strokeAt([[10, 5], [60, 5]]); // prettier-ignore
    expect([a, b].map(([x]) => x)).toEqual([10, 10]);
    expect(Math.abs(a[1] - b[1])).toBeCloseTo(14, 9);
  });

  it("is across the last part of a way with corners, seen from its head", () => {
    const way: Point[] = [
      [0, 0],
      [50, 0],
      [50, 40],
    ];
    const [a, b] = strokeAt([...way].reverse());
    expect([a[1], b[1]]).toEqual([40, 40]);
  });
});

describe("ways", () => {
  const tail = { at: [0, 0] as Point, size: [20, 12] as Point };
  const head = { at: [100, 0] as Point, size: [40, 12] as Point };

  it("end a little outside of the symbols", () => {
    const way = trimmed([tail.at, head.at], tail, head);
    close(way[0], [14, 0]);
    close(way[1], [76, 0]);
  });

  it("that begin at the edge already stay as they are", () => {
    const way: Point[] = [
      [20, 0],
      [70, 0],
    ];
    expect(trimmed(way, tail, head)).toEqual(way);
  });

  it("keep off symbols a little more when they leave obliquely", () => {
    const to = { at: [100, 100] as Point, size: [20, 12] as Point };
    const [start] = trimmed([tail.at, to.at], tail, to);
    expect(start[1]).toBeGreaterThan(6 + 3.5);
  });

  it("keep their level and upright parts when an end is moved", () => {
    const way: Point[] = [
      [0, 0],
      [50, 0],
      [50, 80],
      [100, 80],
    ];
    const moved = stretched(way, [0, 10], [0, 0]);
    expect(moved).toEqual([
      [0, 10],
      [50, 10],
      [50, 80],
      [100, 80],
    ]);
    expect(stretched(way, [5, 5], [5, 5])).toEqual(way.map(([x, y]) => [x + 5, y + 5]));
  });

  it("have a middle, counted along them", () => {
    const { at, along } = middle([[0, 0], [10, 0], [10, 30]]); // prettier-ignore
    close(at, [10, 10]);
    close(along, [0, 1]);
  });

  it("are written short", () => {
    expect(pathOf([[0.04, 1.26], [10, -3]])).toBe("M0 1.3L10 -3"); // prettier-ignore
    expect(curveOf([[0, 0], [5, 5], [10, 0]])).toBe("M0 0Q5 5 10 0"); // prettier-ignore
  });
});

describe("distances", () => {
  it("to a way is that to its nearest part", () => {
    const way: Point[] = [
      [0, 0],
      [10, 0],
      [10, 10],
    ];
    expect(distanceToWay([5, 3], way)).toBeCloseTo(3);
    expect(distanceToWay([14, 13], way)).toBeCloseTo(5);
  });

  it("to a box is zero inside", () => {
    expect(distanceToBox([3, 2], [0, 0], [10, 6])).toBe(0);
    expect(distanceToBox([8, 7], [0, 0], [10, 6])).toBeCloseTo(5);
  });
});

it("the outline of a body holds all of its points", () => {
  const corners = hull([[0, 0], [10, 0], [5, 5], [10, 10], [0, 10]]); // prettier-ignore
  expect(corners).toHaveLength(4);
  expect(corners).not.toContainEqual([5, 5]);
  expect(hull([[1, 2]])).toEqual([[1, 2]]);
});
