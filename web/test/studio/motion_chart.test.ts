import { describe, expect, it } from "vitest";
import { freePath, thinPath } from "../../studio/results/chart";

const scale = { x: (t: number) => 10 * t, y: (v: number) => v };
const points = (path: string) =>
  path
    .slice(1)
    .split("L")
    .map((p) => p.split(" ").map(Number));

describe("paths of many samples", () => {
  const times = Float64Array.from({ length: 10001 }, (_, k) => k / 1000);
  const values = times.map((t) => (t === 5 ? 9 : t === 7.001 ? -3 : Math.sin(t)));

  it("keep every extreme, both ends and the order of time, with two points a pixel", () => {
    const found = points(thinPath(times, values, 0, 10000, scale, 100));
    expect(found.length).toBeLessThanOrEqual(2 * 101 + 2);
    expect(Math.max(...found.map((p) => p[1]))).toBe(9);
    expect(Math.min(...found.map((p) => p[1]))).toBe(-3);
    expect([found[0][0], found.at(-1)![0]]).toEqual([0, 100]);
    for (let k = 1; k < found.length; k++)
      expect(found[k][0]).toBeGreaterThanOrEqual(found[k - 1][0]);
  });

  it("have all samples where there are few, and leave out what is not a number", () => {
    const few = Float64Array.of(1, NaN, 2);
    expect(thinPath([0, 1, 2], few, 0, 2, scale, 100)).toBe("M0 1L20 2");
  });

  it("over each other leave out steps that nobody sees", () => {
    const x = Float64Array.of(0, 0.001, 1, NaN, 2);
    expect(freePath(x, Float64Array.of(0, 0, 5, 5, 3), scale)).toBe("M0 0L10 5L20 3");
  });
});
