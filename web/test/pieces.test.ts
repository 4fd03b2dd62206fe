import { Matrix4, Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { Table } from "../src/data/table";
import type { PageData, PiecesData } from "../src/data/types";
import { Pieces } from "../src/motion/pieces";
import { pack } from "./pack";

const COUNT = 4;
const nodes = Array.from({ length: COUNT + 1 }, (_, k) => k);

/** Nodes of a straight beam of length 1, which at time 1 are on a circle that closes by `turns`. */
async function beam(turns: number, held = false, from = [0, 0, 0]): Promise<Pieces> {
  const along = nodes.map((k) => k / COUNT);
  const zero = nodes.map(() => 0);
  const one = nodes.map(() => 1);
  const drawn = Array.from({ length: 4 * COUNT + 1 }, (_, k) => k / (4 * COUNT));
  const knot = drawn.map((x) => Math.min(COUNT - 1, Math.floor(x * COUNT)));
  const data: PiecesData = {
    carriers: nodes.map((k) => `rod:${k}`),
    ...{ knots: COUNT + 1, drawn: drawn.length, held, carried: {} },
    rest: pack([along, zero, zero, one, zero, zero, zero]),
    on: pack([nodes, zero, zero, zero, one, zero, zero, zero]),
    places: pack([drawn, knot, drawn.map((x, k) => x * COUNT - knot[k])]),
  };
  const angle = 2 * Math.PI * turns;
  const ends = nodes.map((k) => {
    const a = (angle * k) / COUNT;
    const p = [Math.sin(a) / angle, (1 - Math.cos(a)) / angle, 0];
    return { p, q: [Math.cos(a / 2), 0, 0, Math.sin(a / 2)] };
  });
  const numbers = ends.flatMap(({ p, q }, k) => [
    ...p.map((v, i) => [(i ? 0 : along[k]) + from[i], v + from[i]]),
    ...q.map((v, i) => [i ? 0 : 1, v]),
  ]);
  const series = nodes.flatMap((k) => [
    { name: `rod:${k}.position`, column: 7 * k, labels: ["x", "y", "z"] },
    { name: `rod:${k}.orientation`, column: 7 * k + 3, labels: ["w", "x", "y", "z"] },
  ]);
  const told = series.map((s) => ({ ...s, unit: "", kind: "", unique: [] }));
  const page = { time: [0, 1], series: told, numbers: pack(numbers) } as unknown as PageData;
  return Pieces.read(data, await Table.read(page));
}

describe("a beam in pieces", () => {
  it.each([0.2, 1, 1.9])("lies on the circle through its nodes, %f turns", async (turns) => {
    const rod = await beam(turns, false, [3, -2, 1]);
    rod.show(1);
    const angle = 2 * Math.PI * turns;
    const pose = new Matrix4();
    for (let k = 0; k < rod.drawn; k++) {
      const a = angle * rod.along(k);
      rod.pose(k, pose);
      const p = new Vector3().setFromMatrixPosition(pose);
      expect(p.x).toBeCloseTo(Math.sin(a) / angle, 5);
      expect(p.y).toBeCloseTo((1 - Math.cos(a)) / angle, 5);
      const x = new Vector3().setFromMatrixColumn(pose, 0);
      expect(x.x).toBeCloseTo(Math.cos(a), 5);
      expect(x.y).toBeCloseTo(Math.sin(a), 5);
    }
  });

  it("is straight at rest, however much it is magnified", async () => {
    const rod = await beam(0.1);
    rod.factor = 50;
    rod.show(0);
    for (let k = 0; k < rod.drawn; k++) {
      const p = rod.position(k, new Vector3());
      expect(p.distanceTo(new Vector3(rod.along(k), 0, 0))).toBeLessThan(1e-5);
    }
  });

  it("is magnified from where the first body holds it, or from the chord", async () => {
    const [turns, factor] = [0.01, 10];
    const free = await beam(turns);
    free.show(1);
    const tip = free.position(free.drawn - 1, new Vector3());
    free.factor = factor;
    const far = free.position(free.drawn - 1, new Vector3());
    expect(far.y).toBeCloseTo(factor * tip.y, 6);
    const held = await beam(turns, true);
    held.show(1);
    held.factor = factor;
    const end = held.position(held.drawn - 1, new Vector3());
    expect(end.distanceTo(tip)).toBeLessThan(1e-6);
    const middle = held.position((held.drawn - 1) / 2, new Vector3());
    const rise = (1 - Math.cos(Math.PI * turns)) / (2 * Math.PI * turns); // of the arc over its chord
    const chord = new Vector3().copy(end).multiplyScalar(0.5);
    expect(middle.distanceTo(chord)).toBeCloseTo(factor * rise, 4);
  });

  it("carries frames on its bodies", async () => {
    const rod = await beam(0.25);
    rod.show(1);
    const pose = rod.pose(rod.drawn + COUNT, new Matrix4());
    const [p, q, s] = [new Vector3(), new Quaternion(), new Vector3()];
    pose.decompose(p, q, s);
    expect(p.x).toBeCloseTo(2 / Math.PI, 6);
    expect(q.z).toBeCloseTo(Math.SQRT1_2, 6);
  });
});
