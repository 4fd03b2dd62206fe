import { describe, expect, it } from "vitest";
import { Axis } from "../src/sweeps/axis";
import { Choice } from "../src/sweeps/choice";
import { step, steps } from "../src/sweeps/colours";
import { type ColumnData, Runs, type SweepData } from "../src/sweeps/data";
import { away, nearest } from "../src/sweeps/nearest";
import { pack } from "./pack";

const NOTHING = NaN;
const columns: ColumnData[] = [
  { name: "T", unit: "N*m", kind: "varied", shown: true },
  { name: "method", unit: "", kind: "varied", words: ["radau", "dop853"], shown: true },
  { name: "max x", unit: "m", kind: "score", shown: false },
  { name: "end", unit: "s", kind: "end", shown: false },
];
const table = [
  [1, 2, 3, 4],
  [0, 1, 0, 1],
  [10, 20, NOTHING, 40],
  [1, 1, 0.5, 1],
];

async function choice(): Promise<Choice> {
  const data: SweepData = {
    ...{ title: "t", version: "0", plan: "grid", total: 4, runs: [0, 1, 2, 3], columns },
    ...{ table: pack(table), time: [0, 1], curves: [{ name: "x", unit: "m" }], drawn: [3, 2] },
    ...{
      numbers: pack([
        [0, 40],
        [0, NOTHING],
      ]),
      failures: [{ text: "broke", runs: [2] }],
      notes: [],
    },
  };
  return new Choice(await Runs.read(data));
}

describe("a sweep", () => {
  it("takes the runs within all parts of axes; one without a number is in none", async () => {
    const own = await choice();
    expect(own.count).toBe(4);
    own.limit(0, [2, 4]);
    expect([...own.taken]).toEqual([0, 1, 1, 1]);
    own.limit(2, [0, 100]);
    expect([...own.taken]).toEqual([0, 1, 0, 1]);
    own.limit(0, null);
    expect([...own.taken]).toEqual([1, 1, 0, 1]);
  });

  it("tells those that follow of every change, once", async () => {
    const own = await choice();
    let told = 0;
    own.follow(() => told++);
    own.change(() => (own.run = 2));
    expect([told, own.run, own.runs.failure.get(2)]).toEqual([1, 2, "broke"]);
  });

  it("begins with what was varied across, and a score as colour", async () => {
    const own = await choice();
    expect([own.x, own.y, own.z, own.colour, [...own.axes]]).toEqual([0, 1, 2, 0, [0, 1]]);
  });

  it("has curves of the runs drawn, in their order", async () => {
    const { runs } = await choice();
    expect([...runs.curve(0, 0)]).toEqual([0, 40]);
    expect(runs.curve(0, 1)[1]).toBeNaN();
  });
});

describe("colours", () => {
  it("go from the lowest to the highest; no number has none", async () => {
    const [T, method, score] = (await choice()).runs.columns;
    expect([1, 4].map((v) => step(T, v))).toEqual([0, steps(T) - 1]);
    expect(step(score, NOTHING)).toBe(-1);
    expect([0, 1].map((v) => step(method, v))).toEqual([0, 1]);
    expect(steps(method)).toBe(2);
  });

  it("have one step if all are equal", () => {
    const same = { ...columns[0], values: new Float32Array([5, 5]), low: 5, high: 5 };
    expect(step(same, 5)).toBe(steps(same) >> 1);
  });
});

describe("an axis", () => {
  it("is undone by its inverse, and has a place for no number outside", async () => {
    const [T] = (await choice()).runs.columns;
    const axis = new Axis(T, 200, 20);
    for (const v of [1, 2.5, 4]) expect(axis.value(axis.at(v))).toBeCloseTo(v);
    expect(axis.at(4)).toBeGreaterThan(20);
    expect(axis.at(NOTHING)).toBeGreaterThan(200);
  });

  it("of one value, of none, of huge ones is finite", () => {
    const base = { ...columns[0], values: new Float32Array() };
    for (const [low, high] of [
      [0, 0],
      [Infinity, -Infinity],
      [-1e30, 1e30],
      [1e-30, 2e-30],
    ]) {
      const axis = new Axis({ ...base, low, high }, 0, 100);
      for (const v of [low, high]) expect(Number.isFinite(axis.at(v))).toBe(true);
      for (const { at } of axis.marks(4)) expect(Number.isFinite(axis.at(at))).toBe(true);
    }
  });
});

describe("the nearest run", () => {
  it("is measured to lines, not to their ends", () => {
    expect(away([5, 3], [0, 0], [10, 0])).toBe(3);
    expect(away([13, 4], [0, 0], [10, 0])).toBe(5);
    expect(away([3, 4], [0, 0], [0, 0])).toBe(5);
  });

  it("is none if all are too far", () => {
    const distance = (k: number) => Math.abs(k - 3.2);
    expect(nearest([1, 2, 3, 4], distance, 1)).toBe(3);
    expect(nearest([1, 9], distance, 1)).toBe(null);
    expect(nearest([1], () => NaN, 1)).toBe(null);
  });
});
