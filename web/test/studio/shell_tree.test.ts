// Rows of the tree, and where arrows lead.
import { describe, expect, it } from "vitest";
import type { OutlineData, OutlineItem } from "../../studio/protocol";
import { limitsAround, pin, pinned, unpin } from "../../studio/tree/pinned";
import { moved, rowsOf, wayTo } from "../../studio/tree/rows";

function item(name: string, children: OutlineItem[] = [], faults = 0): OutlineItem {
  const label = name.slice(name.lastIndexOf(".") + 1);
  return { name, label, kind: "", text: "", path: [], span: [0, 0], faults, children };
}

const outline: OutlineData = {
  revision: 1,
  title: "",
  sections: [
    { section: "parameters", items: [item("parameters.h")] },
    { section: "bodies", items: [item("crank", [item("crank.A", [], 1)]), item("rod", [], 1)] },
  ],
  kinds: {},
  view: { controls: {}, plots: [], folded: [] },
  run: { analysis: "transient", t_end: null },
};
const keys = (flipped: string[] = []) => rowsOf(outline, new Set(flipped)).map((r) => r.key);

describe("the tree", () => {
  it("opens sections at first, and elements when asked", () => {
    expect(keys()).toEqual([
      "parameters",
      "parameters/parameters.h",
      "bodies",
      "bodies/crank",
      "bodies/rod",
    ]);
    expect(keys(["parameters", "bodies/crank"])).toEqual([
      "parameters",
      "bodies",
      "bodies/crank",
      "bodies/crank/crank.A",
      "bodies/rod",
    ]);
  });

  it("shows faults that are folded away on what hides them", () => {
    const marks = (flipped: string[]) =>
      Object.fromEntries(rowsOf(outline, new Set(flipped)).map((r) => [r.key, r.faults]));
    expect(marks([])["bodies/crank"]).toBe(1);
    expect(marks([]).bodies).toBe(0);
    expect(marks(["bodies"]).bodies).toBe(2);
    expect(marks(["bodies/crank"])).toMatchObject({ "bodies/crank": 0, "bodies/crank/crank.A": 1 });
  });

  it("says what to unfold for an element", () => {
    expect(wayTo(outline, "crank.A")).toEqual(["bodies", "bodies/crank", "bodies/crank/crank.A"]);
    expect(wayTo(outline, "nobody")).toBeNull();
  });

  it("is walked by arrows", () => {
    const rows = rowsOf(outline, new Set());
    expect(moved(rows, "parameters", "ArrowDown")).toEqual({ to: "parameters/parameters.h" });
    expect(moved(rows, "parameters", "ArrowUp")).toBeNull();
    expect(moved(rows, "bodies/crank", "ArrowRight")).toEqual({ flip: "bodies/crank" });
    expect(moved(rows, "bodies/crank", "ArrowLeft")).toEqual({ to: "bodies" });
    expect(moved(rows, "bodies", "ArrowLeft")).toEqual({ flip: "bodies" });
    expect(moved(rows, "bodies", "End")).toEqual({ to: "bodies/rod" });
    expect(moved(rows, "gone", "x")).toBeNull();
  });
});

describe("a pin", () => {
  it("has limits around the value, whatever its sign", () => {
    expect(limitsAround(10)).toEqual([5, 20]);
    expect(limitsAround(-10)).toEqual([-20, -5]);
    expect(limitsAround(0)).toEqual([-1, 1]);
  });

  it("comes and goes", () => {
    pin({ key: "h", text: "10 mm", value: 10, unit: "mm" });
    expect(pinned.value.get("h")).toEqual([5, 20]);
    unpin("h");
    expect(pinned.value.size).toBe(0);
  });
});
