import { describe, expect, it } from "vitest";
import type { RunData } from "../../studio/protocol";
import { differences } from "../../studio/results/differences";
import { joules, measured, type Flow, words } from "../../studio/run/sankey";
import { rounded, written } from "../../studio/run/sliders";

const spot = (name: string, role: "source" | "group" | "sink", column: number) => ({
  ...{ name, role, column, kind: role === "source" ? "supplied" : "dissipated" },
  ...{ domain: "electrical", energy: 10, y: 0 },
});

describe("bands of energy", () => {
  const flow: Flow = {
    spots: [spot("supply", "source", 0), spot("R", "sink", 1), spot("d", "sink", 1)],
    bands: [
      { source: 0, target: 1, energy: 6, kind: "dissipated" },
      { source: 0, target: 2, energy: 4, kind: "dissipated" },
    ],
  };

  it("are as wide as their energies, the fullest column as tall as the picture", () => {
    const { sizes, scale } = measured(flow);
    expect(sizes).toEqual([10, 6, 4]);
    expect(scale * 10).toBeCloseTo(3.2 * 76);
  });

  it("say what became of energy", () => {
    expect(words(flow.spots[1])).toBe("dissipated 10 J");
    expect(words({ ...flow.spots[0], kind: "kinetic", role: "sink" })).toBe("kinetic energy +10 J");
    expect([1234, 0.0123, 3.7e-9, 0, -2].map(joules)).toEqual([
      "1.23 kJ",
      "12.3 mJ",
      "0.0037 µJ",
      "0 J",
      "−2 J",
    ]);
  });
});

describe("numbers of sliders", () => {
  it("have the digits that neighbours need", () => {
    expect(rounded(7.918_273, [5, 20])).toBe(7.918);
    expect(rounded(1234.567, [0, 4000])).toBe(1235);
    expect(rounded(0.001_234_567, [0.001, 0.002])).toBe(0.0012346);
    expect([written(12, "mm"), written(0.4, "")]).toEqual(["12 mm", "0.4"]);
  });
});

describe("what tells runs apart", () => {
  const run = (part: Partial<RunData>): RunData =>
    ({
      analysis: "transient",
      params: {},
      settings: {},
      revision: 1,
      t_end: 1,
      ...part,
    }) as RunData;

  it("is said in words", () => {
    expect(differences(run({ params: { h: "12 mm" } }), run({}))).toBe("h = 12 mm");
    expect(differences(run({}), run({ params: { h: "12 mm" } }))).toBe("h as in the file");
    expect(differences(run({ settings: { method: "radau" }, t_end: 2 }), run({}))).toBe(
      "method radau, to 2 s",
    );
    expect(differences(run({ revision: 2 }), run({}))).toBe("other text");
    expect(differences(run({}), run({}))).toBe("");
  });
});
