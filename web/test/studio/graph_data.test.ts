// What is made of a graph's data: one box alone, places of values, power at a time.
import { describe, expect, it } from "vitest";
import { alone } from "../../studio/graph/alone";
import type { BondData, GraphData, NodeData, Point } from "../../studio/graph/data";
import { valuePlaces } from "../../studio/graph/drawing/values";
import { widthOf } from "../../src/motion/power";
import { sampleAt } from "../../studio/graph/power";

function node(name: string, at: Point, value = ""): NodeData {
  const rest = { dim: 1, size: [24, 13] as Point, causality: "", faults: 0, sentence: "", law: "" };
  return { name, owner: name.split(".")[0], kind: "I", text: name, value, at, ...rest };
}

function bond(tail: NodeData, head: NodeData): BondData {
  const name = `${tail.name}_${head.name}`;
  const ends = { tail: tail.name, head: head.name, points: [tail.at, head.at] };
  const look = { dim: 1, domain: "", colour: "#000000", stroke: { tail: true, head: false } };
  return { name, owner: tail.owner, ...ends, ...look, forced: false, sentence: "" };
}

function graph(nodes: NodeData[], bonds: BondData[], boxes: GraphData["boxes"] = []): GraphData {
  const rest = {
    title: "",
    caption: "",
    vertices: [],
    edges: [],
    hulls: [],
    facts: [],
    legend: [],
  };
  return { kind: "bond", bounds: [0, 0, 1, 1], nodes, bonds, boxes, findings: [], ...rest };
}

it("one box alone has its elements and the bonds among them", () => {
  const [a, b, c] = [node("x.a", [10, 10]), node("x.b", [60, 10]), node("y.c", [200, 10])];
  const look = { kind: "body", open: true, canOpen: true, sentence: "" };
  const boxes: GraphData["boxes"] = [
    { name: "x", label: "x", at: [0, 0, 100, 40], ...look },
    { name: "y", label: "y", at: [150, 0, 100, 40], ...look },
  ];
  const part = alone(graph([a, b, c], [bond(a, b), bond(b, c)], boxes), "x");
  expect(part.nodes.map(({ name }) => name)).toEqual(["x.a", "x.b"]);
  expect(part.bonds.map(({ name }) => name)).toEqual(["x.a_x.b"]);
  expect(part.boxes.map(({ name }) => name)).toEqual(["x"]);
});

describe("values of elements", () => {
  const store = node("La", [0, 0], "50 mH");

  it("stand below, unless a bond leaves there", () => {
    const free = valuePlaces(graph([store], []));
    expect(free.get("La")![1]).toBeGreaterThan(0);
    const below = node("mesh", [0, 60]);
    const taken = valuePlaces(graph([store, below], [bond(store, below)]));
    expect(taken.get("La")![1]).toBeLessThan(0);
  });

  it("that are long are left to the card", () => {
    const long = node("M", [0, 0], "[0.00707, 0.00707, 0.00707] kg*m^2");
    expect(valuePlaces(graph([long], [])).size).toBe(0);
  });
});

describe("power", () => {
  it("is taken between the samples around a time", () => {
    const times = Float64Array.of(0, 1, 3, 4);
    expect(sampleAt(times, 2)).toEqual([1, 0.5]);
    expect(sampleAt(times, -1)).toEqual([0, 0]);
    expect(sampleAt(times, 4)).toEqual([3, 0]);
    expect(sampleAt(Float64Array.of(0.5), 2)).toEqual([0, 0]);
  });

  it("widens bonds by its root, without its sign; nearly nothing is nothing", () => {
    expect(widthOf(-25, 100)).toBe(widthOf(100, 100) / 2);
    expect(widthOf(1e-9, 100)).toBe(0);
    expect(widthOf(1, 0)).toBe(0);
  });
});
