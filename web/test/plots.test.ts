import { describe, expect, it } from "vitest";
import type { SeriesData } from "../src/data/types";
import { Timeline } from "../src/motion/timeline";
import { grouped, searched, SYSTEM } from "../src/plots/groups";
import { curvePath, range, visible } from "../src/plots/path";
import { TimeWindow } from "../src/plots/window";

const series = (name: string): SeriesData => ({
  name,
  unit: "m",
  labels: [],
  kind: "",
  column: 0,
  unique: [],
});

describe("groups of observables", () => {
  const groups = grouped(["rod.B.position", "energy", "rod.velocity", "O.angle"].map(series));

  it("follow the elements, the whole system first", () => {
    expect(groups.map((g) => [g.element, g.entries.map((e) => e.label)])).toEqual([
      [SYSTEM, ["energy"]],
      ["rod", ["B.position", "velocity"]],
      ["O", ["angle"]],
    ]);
  });

  it("are searched by all words", () => {
    expect(searched(groups, "rod pos").flatMap((g) => g.entries.map((e) => e.series.name))).toEqual(
      ["rod.B.position"],
    );
    expect(searched(groups, "nothing")).toEqual([]);
    expect(searched(groups, " ")).toBe(groups);
  });
});

describe("time window", () => {
  const window = () => new TimeWindow(new Timeline([0, 10]));

  it("zooms about a time and stays inside the run", () => {
    const w = window();
    w.zoom(0.5, 4);
    expect([w.from, w.to]).toEqual([2, 7]);
    w.zoom(4, 2);
    expect([w.from, w.to, w.isWhole]).toEqual([0, 10, true]);
  });

  it("follows a time that leaves it", () => {
    const w = window();
    w.set(0, 2);
    w.reveal(5);
    expect([w.from, w.to]).toEqual([4.8, 6.8]);
  });
});

describe("curves", () => {
  const times = Array.from({ length: 10001 }, (_, k) => k / 1000);
  const values = Float32Array.from(times, (t) => (t === 5 ? 9 : Math.sin(t)));
  const scale = { x: (t: number) => 10 * t, y: (v: number) => v };

  it("keep every extreme, with few points", () => {
    const path = curvePath(times, values, 0, 10000, scale, 100);
    expect(path).toContain("50.00 9.00");
    expect(path.split("L").length).toBeLessThan(1000);
  });

  it("are cut to the samples that matter", () => {
    expect(visible(times, 1, 2)).toEqual([1000, 2000]);
    expect(visible([0, 1, 2, 3], 1.2, 1.8)).toEqual([1, 2]);
    expect(range(values, 4990, 5010)[1]).toBe(9);
  });

  it("leave out what is not a number", () => {
    expect(curvePath([0, 1, 2], Float32Array.from([1, NaN, 2]), 0, 2, scale, 100)).toBe(
      "M0.00 1.00L20.00 2.00",
    );
  });
});
