import { Matrix4, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { Table } from "../src/data/table";
import type { ElasticData, PageData } from "../src/data/types";
import { Deformation } from "../src/motion/deformation";
import { sweepGeometry } from "../src/view/sweep";
import { Skin } from "../src/view/skin";
import { pack } from "./pack";

// A beam of length 2 with v = q x² and twist x q2: p = (x - ½ (4/3) x³ q², q x², 0).
const at = [0, 1, 2];
const zero = at.map(() => 0);
const square = at.map((x) => x * x);
const columns = [
  at,
  zero,
  zero, // p0
  ...[zero, zero, square, zero, zero, zero], // L
  ...[zero, zero, zero, zero, at.map((x) => 2 * x), zero], // psi
  ...[zero, at], // phi
  at.map((x) => (4 / 3) * x ** 3), // H
];

async function beam(held: boolean, carried: ElasticData["carried"] = {}): Promise<Deformation> {
  const numbers = pack(columns);
  const elastic: ElasticData = {
    coordinates: ["rod.v1", "rod.phi1"],
    places: 3,
    drawn: 3,
    held,
    nodes: false,
    pairs: [[0, 0, 0]],
    numbers,
    moments: pack([zero, zero, at.map((x) => 30 * (2 - x)), zero]),
    carried,
  };
  const series = elastic.coordinates.map((name, column) => ({
    ...{ name, column, unit: "", labels: [], kind: "coordinate", unique: [] },
  }));
  const data = {
    time: [0, 1],
    series,
    numbers: pack([
      [0, 0.1],
      [0, 0.2],
    ]),
  } as unknown as PageData;
  return Deformation.read(elastic, await Table.read(data));
}

function close(p: Vector3, [x, y, z]: number[]) {
  expect(p.x).toBeCloseTo(x, 6);
  expect(p.y).toBeCloseTo(y, 6);
  expect(p.z).toBeCloseTo(z, 6);
}

describe("deformation", () => {
  it("is that of the elastic coordinates, linear between samples", async () => {
    const d = await beam(false);
    d.show(1);
    close(d.position(2, new Vector3()), [2 - (2 / 3) * 8 * 0.01, 0.4, 0]);
    d.show(0.5);
    close(d.position(1, new Vector3()), [1 - (2 / 3) * 0.0025, 0.05, 0]);
  });

  it("turns sections by bend, then twist", async () => {
    const d = await beam(false);
    d.show(1);
    const m = d.pose(1, new Matrix4());
    const bend = new Matrix4().makeRotationZ(0.2).multiply(new Matrix4().makeRotationX(0.2));
    const axes = [0, 1, 2].map((k) => new Vector3().setFromMatrixColumn(m, k));
    [0, 1, 2].forEach((k) =>
      close(axes[k], new Vector3().setFromMatrixColumn(bend, k).toArray() as number[]),
    );
  });

  it("is magnified about the undeformed shape, with slopes", async () => {
    const d = await beam(false);
    d.factor = 10;
    d.show(1);
    close(d.position(2, new Vector3()), [2 - 10 * (2 / 3) * 8 * 0.01, 4, 0]);
    const x = new Vector3().setFromMatrixColumn(d.pose(1, new Matrix4()), 0);
    expect(x.y / x.x).toBeCloseTo(10 * Math.tan(0.2), 5);
  });

  it("leaves the ends of a beam between joints where they are", async () => {
    const d = await beam(true);
    d.show(1);
    const ends = [0, 2].map((k) => d.position(k, new Vector3()));
    const middle = d.position(1, new Vector3());
    const way = ends[1].clone().sub(ends[0]).normalize();
    const sag = middle.y * way.x - middle.x * way.y;
    d.factor = 5;
    close(d.position(0, new Vector3()), ends[0].toArray());
    close(d.position(2, new Vector3()), ends[1].toArray());
    const far = d.position(1, new Vector3());
    expect(far.y * way.x - far.x * way.y).toBeCloseTo(5 * sag, 6);
  });
});

describe("what sections pass on", () => {
  it("is a bending moment of the elastic coordinates where nothing else is known", async () => {
    const d = await beam(false);
    d.show(1);
    expect(d.loads).toEqual(["moment"]);
    expect(d.load("moment", 1)).toBeCloseTo(3, 5);
    expect(d.largest("moment")).toBeCloseTo(6, 5);
  });

  it("is what the run tells of every place, linear between samples", async () => {
    const forces = at.map((x) => [-10 * x, 4 * x]);
    const d = await beam(false, { moment: pack(at.map(() => [1, 2])), force: pack(forces) });
    d.show(0.5);
    expect(d.loads).toEqual(["moment", "force"]);
    expect(d.load("force", 2)).toBeCloseTo(-6, 5);
    expect(d.load("moment", 1)).toBeCloseTo(1.5, 5);
    expect(d.largest("force")).toBeCloseTo(20, 5);
  });
});

describe("skin", () => {
  it("carries every corner with its section", async () => {
    const d = await beam(false);
    const box = sweepGeometry([0, 1, 2], [[[-0.1, -0.2, 0.1, -0.2, 0.1, 0.2, -0.1, 0.2]]], false);
    const skin = new Skin(box, d);
    expect(skin.reach).toBeCloseTo(Math.hypot(0.1, 0.2), 6);
    d.show(0);
    const before = Array.from(box.attributes.position.array);
    skin.update();
    expect(Array.from(box.attributes.position.array)).toEqual(before);
    d.show(1);
    skin.update();
    const p = box.attributes.position;
    const place = new Vector3();
    const tip = d.position(2, new Vector3());
    let largest = 0;
    for (let k = 0; k < p.count; k++)
      if (before[3 * k] === 2)
        largest = Math.max(largest, place.fromBufferAttribute(p, k).distanceTo(tip));
    expect(largest).toBeCloseTo(Math.hypot(0.1, 0.2), 6);
  });

  it("has normals that point outwards", () => {
    const ring = Array.from({ length: 16 }, (_, k) => [
      Math.cos((k * Math.PI) / 8),
      Math.sin((k * Math.PI) / 8),
    ]).flat();
    const { position, normal } = sweepGeometry([0, 1], [[ring]], true).attributes;
    const [p, n] = [new Vector3(), new Vector3()];
    const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
    for (let k = 0; k < position.count; k++) {
      p.fromBufferAttribute(position, k).setX(p.x === 0 ? -1 : 1);
      expect(n.fromBufferAttribute(normal, k).dot(p)).toBeGreaterThan(0.9);
    }
    for (let k = 0; k < position.count; k += 3) {
      a.fromBufferAttribute(position, k);
      b.fromBufferAttribute(position, k + 1).sub(a);
      c.fromBufferAttribute(position, k + 2).sub(a);
      expect(b.cross(c).dot(n.fromBufferAttribute(normal, k))).toBeGreaterThan(0);
    }
  });
});
