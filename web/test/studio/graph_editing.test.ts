// Drawing without a page: the grid, what typing means, rims, loops of the linear graph, strokes.
import { describe, expect, it } from "vitest";
import type { Item } from "../../studio/graph/canvas/items";
import type { EdgeData, Point } from "../../studio/graph/data";
import {
  boxOf,
  freePlace,
  isWithin,
  snapped,
  snappedShift,
  unitsOf,
} from "../../studio/graph/editing/grid";
import { rimPoint } from "../../studio/graph/editing/handles";
import { bodyOf, exchanges, loopOf, stays, treeAfter } from "../../studio/graph/editing/loops";
import { nextStroke } from "../../studio/graph/editing/network_actions";
import { localOf } from "../../studio/graph/editing/targets";
import { meant, typedElement, valueOf } from "../../studio/graph/editing/typed";

describe("grid", () => {
  it("puts things on whole units", () => {
    expect(snapped([29, -11])).toEqual([20, -20]);
    expect(unitsOf([-61, 139])).toEqual([-3, 7]);
    expect(Object.is(unitsOf([-3, 0])[0], -0)).toBe(false);
  });

  it("moves what stands off the grid onto it", () => {
    const shift = snappedShift([96.4, -12.6], [10, 0]);
    expect([96.4 + shift[0], -12.6 + shift[1]]).toEqual([100, -20]);
  });

  it("finds a free place, rather beside than below", () => {
    expect(freePlace([3, 4], [])).toEqual([0, 0]);
    const [x, y] = freePlace([0, 0], [[-15, -7, 15, 7]]);
    expect([x, y]).not.toEqual([0, 0]);
    expect(Math.abs(x) >= 45 || Math.abs(y) >= 21).toBe(true);
  });

  it("bands have corners in any order", () => {
    const band = boxOf([10, 40], [-5, 3]);
    expect(band).toEqual([-5, 3, 10, 40]);
    expect(isWithin([-4, 4, 9, 39], band)).toBe(true);
    expect(isWithin([-6, 4, 9, 39], band)).toBe(false);
  });
});

describe("typing", () => {
  it("reads kind, name and value", () => {
    expect(typedElement("R")).toEqual({ kind: "R", name: "", value: "" });
    expect(typedElement("I:La 50 mH")).toEqual({ kind: "I", name: "La", value: "50 mH" });
    expect(typedElement("  Se:V   24 V ")).toEqual({ kind: "Se", name: "V", value: "24 V" });
  });

  it("numbers are numbers, everything else is as typed", () => {
    expect(valueOf("24")).toBe(24);
    expect(valueOf("1e-3")).toBe(0.001);
    expect(valueOf("24 V")).toBe("24 V");
    expect(valueOf("E*b*h**3/12")).toBe("E*b*h**3/12");
  });

  const choices = ["1", "0", "Se", "Sf", "R", "MR", "TF", "dc-motor"].map((kind) => ({
    kind,
    label: kind,
    sentence: kind === "Se" ? "source of effort" : kind === "R" ? "resistance" : "",
  }));
  const kinds = (text: string) => meant(choices, text).map(({ kind }) => kind);

  it("the kind that is written out comes first, whatever follows it", () => {
    expect(kinds("r")[0]).toBe("R");
    expect(kinds("R:ra 0.4 ohm")).toEqual(["R"]);
    expect(kinds("S")).toEqual(["Se", "Sf"]);
  });

  it("words of the sentence and of names do too", () => {
    expect(kinds("effort")).toEqual(["Se"]);
    expect(kinds("motor")).toEqual(["dc-motor"]);
    expect(kinds("nothing like it")).toEqual([]);
    expect(kinds("")).toHaveLength(choices.length);
  });
});

describe("rims", () => {
  const item = { bounds: [-20, -10, 20, 10], centre: [0, 0] } as unknown as Item;

  it("a bond begins on the rim, towards the pointer", () => {
    expect(rimPoint([100, 0], item, 5)).toEqual([25, 0]);
    expect(rimPoint([0, -40], item, 5)).toEqual([0, -15]);
    const [x, y] = rimPoint([-60, 60], item, 5);
    expect([x, y]).toEqual([-15, 15]);
  });
});

describe("names", () => {
  it("lose their network, not more", () => {
    expect(localOf("drive", "drive.motor.shaft")).toBe("motor.shaft");
    expect(localOf("subgraphs.motor", "subgraphs.motor.mesh")).toBe("mesh");
    expect(localOf("drive", "driver.x")).toBe("driver.x");
  });
});

describe("strokes", () => {
  it("are forced to the other end, then left free", () => {
    expect(nextStroke(false, { tail: true, head: false })).toBe("head");
    expect(nextStroke(false, { tail: false, head: true })).toBe("tail");
    expect(nextStroke(true, { tail: true, head: false })).toBe("");
  });
});

describe("loops of the linear graph", () => {
  const at: Point = [0, 0];
  const edge = (name: string, tail: string, head: string, tree: boolean, kind = "joint") =>
    ({
      name,
      owner: name.split(".")[kind === "arm" ? 1 : 0],
      kind,
      tail,
      head,
      tree,
      points: [at, at, at],
      colour: "",
      label: null,
      sentence: "",
    }) satisfies EdgeData;
  // a slider-crank: ground O crank A rod B slider S ground, B is cut; S is two edges
  const edges = [
    edge("arm.crank.A", "crank", "crank.A", true, "arm"),
    edge("arm.rod.B", "rod", "rod.B", true, "arm"),
    edge("O", "ground", "crank", true),
    edge("A", "crank.A", "rod", true),
    edge("S.t", "ground", "S.+", true),
    edge("S.r", "S.+", "slider", true),
    edge("B", "rod.B", "slider", false),
    edge("crank", "ground", "crank", false, "body"),
  ];
  const [arm, , o, a, , , b, body] = edges;

  it("a cotree joint closes a loop of joints", () => {
    expect(loopOf(edges, b).sort()).toEqual(["A", "O", "S"]);
  });

  it("it is exchanged for one of them; one of the tree for it, or for a free body", () => {
    expect(
      exchanges(edges, b)
        .map(({ leaves }) => leaves)
        .sort(),
    ).toEqual(["A", "O", "S"]);
    expect(exchanges(edges, o)).toEqual([
      { leaves: "O", enters: "B" },
      { leaves: "O", enters: "" },
    ]);
    expect(exchanges(edges, arm)).toEqual([]);
  });

  it("the tree after it has as many edges", () => {
    expect(treeAfter(edges, { leaves: "A", enters: "B" }, "rod").sort()).toEqual(["B", "O", "S"]);
    expect(treeAfter(edges, { leaves: "A", enters: "" }, "rod").sort()).toEqual(["O", "S", "rod"]);
    expect(bodyOf(edges, a)).toBe("rod");
    expect(bodyOf(edges, edges[4])).toBe("slider");
  });

  it("says why other edges stay", () => {
    expect(stays(arm)).toContain("always in the tree");
    expect(stays(body)).toContain("no joint leads to it");
  });
});
