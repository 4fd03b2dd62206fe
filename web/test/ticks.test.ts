import { describe, expect, it } from "vitest";
import { brief, niceStep, readable, tickLabels, ticks } from "../src/plots/ticks";

describe("ticks", () => {
  it("are round numbers inside the range", () => {
    expect(ticks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
    expect(ticks(-8.3, 7.9, 4)).toEqual([-5, 0, 5]);
  });

  it("of an empty range are its one value", () => {
    expect(ticks(3, 3, 5)).toEqual([3]);
  });

  it("step by 1, 2 or 5 times a power of ten", () => {
    expect([0.9, 1, 1.1, 2.1, 5.1, 0.03].map(niceStep)).toEqual([1, 1, 2, 5, 10, 0.05]);
  });

  it("have labels with just the digits they need", () => {
    expect(tickLabels(ticks(0, 1, 5))).toEqual(["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    expect(tickLabels([-5, 0, 5])).toEqual(["−5", "0", "5"]);
    expect(tickLabels([0, 2e-7, 4e-7])).toEqual(["0", "2e−7", "4e−7"]);
    expect(tickLabels([1.2e6, 1.4e6])).toEqual(["1.2e+6", "1.4e+6"]);
  });
});

describe("numbers", () => {
  it("keep about four digits", () => {
    expect([0, 0.12345678, 12.345678, -1234.5678, 1e-5].map(readable)).toEqual([
      "0.0000",
      "0.1235",
      "12.346",
      "−1234.6",
      "1.000e−5",
    ]);
    expect(readable(NaN)).toBe("–");
    expect([2, 0.25, -1e-9].map(brief)).toEqual(["2", "0.25", "−1e−9"]);
  });
});
