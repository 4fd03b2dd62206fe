// The canvas without a page: zoom around the pointer, what is hit, where arrow keys lead, what
// lights up.
import { describe, expect, it } from "vitest";
import {
  endToward,
  hit,
  inReadingOrder,
  indexed,
  neighbour,
  stepped,
  type Drawing,
  type Item,
  type Rank,
} from "../../studio/graph/canvas/items";
import { Viewport } from "../../studio/graph/canvas/viewport";
import type { GraphData, Point } from "../../studio/graph/data";
import { distanceToBox, distanceToWay } from "../../studio/graph/geometry";
import { fittedScale, LEGIBLE, Legibility } from "../../studio/graph/legible";

function item(name: string, rank: Rank, centre: Point, size: Point = [20, 12]): Item {
  const [w, h] = [size[0] / 2, size[1] / 2];
  const { [0]: x, [1]: y } = centre;
  const off = (p: Point) => distanceToBox(p, centre, size);
  return {
    name,
    owner: name.split(".")[0],
    rank,
    element: null as unknown as SVGGElement,
    sentence: name,
    details: [],
    focusable: rank !== "line",
    centre,
    bounds: [x - w, y - h, x + w, y + h],
    distance: (p) => (rank === "area" && off(p) > 0 ? Infinity : off(p)),
  };
}

function bond(name: string, a: Point, b: Point): Item {
  const made = item(name, "line", [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
  return { ...made, distance: (p) => distanceToWay(p, [a, b]) };
}

function drawing(items: Item[], links: Record<string, string[]>): Drawing {
  return { items, neighbours: new Map(Object.entries(links)) } as unknown as Drawing;
}

describe("viewport", () => {
  it("zooms around the pointer: what is under it stays there", () => {
    const view = new Viewport();
    view.pan(37, -12);
    const pointer: Point = [310, 205];
    for (const factor of [1.3, 0.4, 2.2]) {
      const before = view.toDrawing(pointer);
      view.zoom(factor, pointer);
      const after = view.toDrawing(pointer);
      expect(after[0]).toBeCloseTo(before[0], 9);
      expect(after[1]).toBeCloseTo(before[1], 9);
    }
    expect(view.scale).toBeCloseTo(1.3 * 0.4 * 2.2);
  });

  it("does not zoom beyond its limits, nor move there", () => {
    const view = new Viewport();
    view.zoom(1e6, [0, 0]);
    const { scale, x } = view;
    view.zoom(2, [500, 0]);
    expect([view.scale, view.x]).toEqual([scale, x]);
  });

  it("fits a drawing into the middle of its window", () => {
    const view = new Viewport();
    view.fit([0, -100, 2000, 500], 640, 480);
    const [x, y] = view.toScreen([1000, 200]);
    expect([x, y]).toEqual([320, 240]);
    expect(view.toScreen([0, 0])[0]).toBeCloseTo(20);
    view.fit([0, 0, 10, 10], 640, 480);
    expect(view.scale).toBe(1.25);
  });

  it("brings a part into sight by the least pan", () => {
    const view = new Viewport();
    view.bring([700, 100, 720, 110], 640, 480);
    expect([view.x, view.y]).toEqual([640 - 20 - 720, 0]);
    view.bring([700, 100, 720, 110], 640, 480);
    expect(view.x).toBe(-100);
  });
});

describe("hit", () => {
  const box = item("coupler", "area", [50, 50], [200, 200]);
  const inner = item("drive.motor", "area", [50, 50], [80, 80]);
  const symbol = item("coupler.m", "symbol", [50, 50]);
  const line = bond("coupler.ab", [50, 50], [120, 50]);
  const all = [box, inner, line, symbol];

  it("finds symbols before bonds before boxes", () => {
    expect(hit(all, [52, 50], 5)?.name).toBe("coupler.m");
    expect(hit(all, [90, 53], 5)?.name).toBe("coupler.ab");
    expect(hit(all, [130, 130], 5)?.name).toBe("coupler");
    expect(hit(all, [400, 400], 5)).toBeNull();
  });

  it("finds the innermost box", () => {
    expect(hit(all, [30, 75], 5)?.name).toBe("drive.motor");
  });

  it("finds a symbol a little beside it, but no box", () => {
    expect(hit([symbol], [63, 50], 5)?.name).toBe("coupler.m");
    expect(hit([box], [152, 50], 5)).toBeNull();
  });
});

describe("arrow keys", () => {
  const mesh = item("drive.mesh", "symbol", [0, 0]);
  const motor = item("drive.motor", "symbol", [200, 20]);
  const ra = item("drive.ra", "symbol", [0, -60]);
  const near = item("drive.near", "symbol", [60, 4]);
  const box = item("drive", "area", [100, 0], [400, 200]);
  const graph = drawing([mesh, motor, ra, near, box], {
    "drive.mesh": ["drive.motor", "drive.ra"],
  });

  it("lead along bonds, even past what is nearer", () => {
    expect(neighbour(graph, mesh, "ArrowRight")?.name).toBe("drive.motor");
    expect(neighbour(graph, mesh, "ArrowUp")?.name).toBe("drive.ra");
  });

  it("lead to the nearest symbol where no bond leads", () => {
    expect(neighbour(graph, motor, "ArrowLeft")?.name).toBe("drive.near");
  });

  it("lead nowhere at the edge, and from symbols never to boxes", () => {
    expect(neighbour(graph, mesh, "ArrowLeft")).toBeNull();
    expect(neighbour(graph, motor, "ArrowRight")).toBeNull();
  });
});

it("an element lights up by its own name, its owner's, and those around it", () => {
  const rotor = item("drive.motor.rotor", "symbol", [0, 0]);
  const mesh = item("drive.mesh", "symbol", [0, 0]);
  const index = indexed([rotor, mesh]);
  expect(index.get("drive.motor")).toEqual([rotor]);
  expect(index.get("drive")).toEqual([rotor, mesh]);
  expect(index.get("driv")).toBeUndefined();
});

describe("keys along bonds", () => {
  const [left, right] = [item("a", "symbol", [0, 0]), item("b", "symbol", [100, 10])];
  const line = bond("ab", [0, 0], [100, 10]);

  it("lead to the end that an arrow points to", () => {
    expect(endToward([left, right], line, "ArrowRight")).toBe(right);
    expect(endToward([left, right], line, "ArrowLeft")).toBe(left);
    expect(endToward([left, right], line, "ArrowDown")).toBe(right);
    expect(endToward([], line, "ArrowDown")).toBeNull();
  });

  it("go round, and come in at the first or the last", () => {
    const lines = ["p", "q", "r"].map((name) => bond(name, [0, 0], [1, 1]));
    expect(stepped(lines, null, 1)).toBe(lines[0]);
    expect(stepped(lines, null, -1)).toBe(lines[2]);
    expect(stepped(lines, lines[2], 1)).toBe(lines[0]);
    expect(stepped(lines, lines[0], -1)).toBe(lines[2]);
    expect(stepped([], lines[0], 1)).toBeNull();
  });

  it("reach everything in the order of reading", () => {
    const low = item("c", "area", [10, 200]);
    expect(inReadingOrder([low, line, right, left])).toEqual([left, right, low]);
  });
});

describe("legibility", () => {
  const wide = { bounds: [0, 0, 2000, 400], boxes: [{ open: true, canOpen: true }] };
  const data = wide as unknown as GraphData;

  it("is that of all of a drawing in a window", () => {
    expect(fittedScale([0, 0, 1000, 100], [540, 400])).toBeCloseTo(0.5);
    expect(fittedScale([0, 0, 1000, 100], [540, 400])).toBeLessThan(LEGIBLE);
  });

  it("is decided once for a document and a class of sizes", () => {
    let [path, size] = ["a.yaml", [550, 600] as Point];
    const legibility = new Legibility(
      () => path,
      () => size,
    );
    expect(legibility.isDecided).toBe(false);
    legibility.decide(data);
    expect(legibility.isFolded).toBe(true);
    size = [540, 590];
    expect(legibility.isDecided).toBe(true);
    size = [1600, 900];
    expect(legibility.isDecided).toBe(false);
    legibility.decide(data);
    expect(legibility.isFolded).toBe(false);
    [path, size] = ["b.yaml", [550, 600]];
    expect(legibility.isDecided).toBe(false);
  });

  it("is not decided in a window without a size, and has nothing to fold where no box is open", () => {
    let size: Point = [0, 0];
    const legibility = new Legibility(
      () => "c.yaml",
      () => size,
    );
    legibility.decide(data);
    expect(legibility.isDecided).toBe(false);
    size = [550, 600];
    legibility.decide({ ...data, boxes: [] });
    expect(legibility.isFolded).toBe(false);
  });

  it("of a part: as large as there is room, not too small, from its beginning", () => {
    const view = new Viewport();
    view.approach([100, 100, 300, 200], 400, 400, LEGIBLE);
    expect(view.scale).toBe(1.25);
    view.approach([100, 100, 2100, 200], 400, 400, LEGIBLE);
    expect(view.scale).toBeCloseTo(LEGIBLE);
    expect(view.toScreen([100, 100])[0]).toBeCloseTo(20);
    expect(view.toScreen([0, 150])[1]).toBeCloseTo(200);
  });
});
