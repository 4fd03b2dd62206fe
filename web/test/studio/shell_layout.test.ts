// How panes divide the window.
import { describe, expect, it } from "vitest";
import {
  closed,
  divided,
  type Layout,
  MOST_PANES,
  panesOf,
  placed,
  PRESETS,
  read,
  shared,
  stacked,
  withKind,
} from "../../studio/panes/layout";

const ids = (layout: Layout) => panesOf(layout).map((p) => p.id);

describe("a layout", () => {
  it("stands in one column where there is no room for two", () => {
    for (const preset of Object.values(PRESETS)) {
      const boxes = [...placed(stacked(preset)).panes.values()];
      expect(boxes.every(([x, , width]) => x === 0 && width === 1)).toBe(true);
      expect(ids(stacked(preset))).toEqual(ids(preset));
    }
  });

  it("covers the window without gaps, whatever is done to it", () => {
    for (const preset of Object.values(PRESETS)) {
      const more = divided(preset, 1, "column");
      for (const layout of [preset, more, shared(more, "a", 0.3), closed(more, 1)]) {
        const boxes = [...placed(layout).panes.values()];
        const area = boxes.reduce((sum, [, , w, h]) => sum + w * h, 0);
        expect(area).toBeCloseTo(1, 12);
        expect(placed(layout).dividers).toHaveLength(boxes.length - 1);
      }
    }
  });

  it("has at most four panes, each with a number of its own", () => {
    let layout: Layout = { id: 1, kind: "text" };
    for (let k = 0; k < 6; k++) layout = divided(layout, 1, k % 2 ? "row" : "column");
    expect(ids(layout)).toHaveLength(MOST_PANES);
    expect(new Set(ids(layout)).size).toBe(MOST_PANES);
    expect(new Set(panesOf(layout).map((p) => p.kind)).size).toBe(MOST_PANES);
  });

  it("gives the room of a closed pane to its neighbour, and keeps the last one", () => {
    const two = divided({ id: 1, kind: "text" }, 1, "row");
    const one = closed(two, 1);
    expect(ids(one)).toEqual([2]);
    expect(placed(one).panes.get(2)).toEqual([0, 0, 1, 1]);
    expect(closed(one, 2)).toBe(one);
  });

  it("moves a divider only so far that both parts stay in sight", () => {
    const layout = shared(PRESETS.text, "", 1.7);
    expect(placed(layout).panes.get(1)![2]).toBeCloseTo(0.9);
  });

  it("changes the kind of one pane", () => {
    expect(panesOf(withKind(PRESETS.text, 2, "linear"))[1].kind).toBe("linear");
  });

  it("is read from what was kept, if that is a layout", () => {
    for (const preset of Object.values(PRESETS))
      expect(read(JSON.parse(JSON.stringify(preset)))).toEqual(preset);
    const pane = { id: 1, kind: "text" };
    const split = { along: "row", share: 0.5, first: pane, second: { id: 2, kind: "stage" } };
    expect(read(split)).toEqual(split);
    for (const bad of [
      null,
      7,
      "text",
      {},
      { id: 1, kind: "door" },
      { ...split, second: pane },
      { ...split, share: 3 },
      { ...split, along: "sideways" },
      { ...split, first: null },
    ])
      expect(read(bad)).toBeNull();
  });
});
