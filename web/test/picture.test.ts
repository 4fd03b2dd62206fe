// How many things are drawn: shapes, not bodies, count.
import { InstancedMesh, Matrix4, Mesh, type Object3D, Raycaster, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { Table } from "../src/data/table";
import type { BodyData, JointData, SceneData, SymbolData } from "../src/data/types";
import { Mechanism } from "../src/motion/mechanism";
import { Timeline } from "../src/motion/timeline";
import { Picture } from "../src/view/picture";

const TIMES = [0, 1];

/** Bodies in a row, a metre apart, each on a joint that slides and with a spring to the ground. */
function row(count: number, more: Partial<BodyData> = {}): [SceneData, Table] {
  const names = Array.from({ length: count }, (_, k) => `b${k}`);
  const body = (name: string, k: number): BodyData => ({
    ...{ name, mass: 1, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0], about: "com", frames: [] },
    parts: [
      { kind: "link", a: [0, 0, 0], b: [0.1 + 0.001 * k, 0, 0], radius: 0.01 },
      { kind: "sphere", radius: 0.02 + 0.0001 * k, p: [0, 0, 0] },
    ],
    ...more,
  });
  const joint = (child: string): JointData => ({
    ...{ name: `j${child}`, kind: "prismatic", parent: "ground", child, axes: [], pins: [] },
    ...{ ball: false, plate: null, foot: false, block: false },
    rail: { frame: "ground", direction: [0, 1, 0], form: "square" },
  });
  const spring = (b: string): SymbolData => ({ name: `s${b}`, kind: "spring", a: "ground", b });
  const scene: SceneData = {
    ...{ scale: 0.1, gravity: [0, -9.81, 0], ground: { frames: [] }, arrows: [] },
    bodies: names.map(body),
    joints: names.map(joint),
    symbols: names.map(spring),
  };
  const numbers = names.flatMap((_, k) => [
    [k, k],
    [0, 0.5],
    [0, 0],
    ...[1, 0, 0, 0].map((v) => [v, v]),
  ]);
  const series = names.flatMap((name, k) => [
    { ...s(`${name}.position`, 7 * k), labels: ["x", "y", "z"] },
    { ...s(`${name}.orientation`, 7 * k + 3), labels: ["w", "x", "y", "z"] },
  ]);
  const columns = numbers.map((c) => Float64Array.from(c));
  return [scene, Table.of(new Timeline(TIMES), series, columns)];
}

const s = (name: string, column: number) => ({
  ...{ name, column, unit: "", kind: "", labels: [] as string[], unique: [] as boolean[] },
});

async function drawn(count: number, more: Partial<BodyData> = {}): Promise<Picture> {
  const picture = await Picture.of(await Mechanism.read(...row(count, more)));
  picture.show(0);
  return picture;
}

function meshes(object: Object3D): Mesh[] {
  const found: Mesh[] = [];
  object.traverseVisible((o) => o instanceof Mesh && found.push(o));
  return found;
}

describe("a picture", () => {
  it("of 500 bodies has no more meshes than one of 20", async () => {
    const [few, many] = [await drawn(20), await drawn(500)];
    const counts = [few, many].map((p) => meshes(p.object).length);
    expect(counts[1]).toBeLessThanOrEqual(counts[0] + 5); // coils of some lengths
    expect(counts[1]).toBeLessThan(20);
    const links = meshes(many.object).filter((m) => m instanceof InstancedMesh && m.count === 500);
    expect(links.length).toBeGreaterThan(3);
  });

  it("puts all of them where they are", async () => {
    const picture = await drawn(3);
    picture.show(1);
    const ball = meshes(picture.bodies.object).find(
      (m): m is InstancedMesh => m instanceof InstancedMesh && m.count === 3,
    )!;
    const [place, p] = [new Matrix4(), new Vector3()];
    ball.getMatrixAt(2, place);
    expect(p.setFromMatrixPosition(place).y).toBeCloseTo(0.5, 12);
    expect(Math.floor(p.x)).toBe(2);
  });

  it("tells which of them is under the pointer", async () => {
    const picture = await drawn(5);
    const ray = new Raycaster(new Vector3(3, 0.001, 5), new Vector3(0, 0, -1));
    const [hit] = ray.intersectObjects(picture.bodies.solids, false);
    const named = hit.object.userData.named as { element: string }[];
    expect(named[hit.instanceId!].element).toBe("b3");
  });

  it("leaves out what is hidden, and gives what is transparent a mesh of its own", async () => {
    const picture = await drawn(4, { opacity: 0.5 });
    expect(picture.bodies.solids.filter((o) => !(o instanceof InstancedMesh))).toHaveLength(4);
    picture.bodies.dress("b1", { visible: false });
    picture.bodies.dress("b2", { opacity: 1 });
    picture.show(0);
    expect(picture.bodies.solids.filter((o) => !(o instanceof InstancedMesh))).toHaveLength(2);
    expect(picture.bodies.look("b2")).toEqual({ visible: true, opacity: 1 });
    const ray = (x: number) => new Raycaster(new Vector3(x, 0.001, 5), new Vector3(0, 0, -1));
    expect(ray(1).intersectObjects(picture.bodies.solids, false)).toEqual([]);
    expect(ray(2).intersectObjects(picture.bodies.solids, false).length).toBeGreaterThan(0);
  });
});

describe("a joint that slides", () => {
  it("has a rail as long as the way, and its sleeve where the body is", async () => {
    const picture = await drawn(1);
    const box = (k: number) => {
      const mesh = meshes(picture.joints.object)[k] as InstancedMesh;
      const place = new Matrix4();
      mesh.getMatrixAt(0, place);
      mesh.geometry.computeBoundingBox();
      const all = mesh.geometry.boundingBox!.clone().applyMatrix4(place);
      return [all.min.y, all.max.y];
    };
    for (const [time, y] of [
      [0, 0],
      [0.4, 0.2],
      [1, 0.5],
    ]) {
      picture.show(time);
      const [[low, high], [from, to]] = [box(0), box(1)];
      expect((from + to) / 2).toBeCloseTo(y, 6);
      expect(low).toBeLessThan(from + 1e-9);
      expect(high).toBeGreaterThan(to - 1e-9);
      expect([low, high].map((v) => Math.round(v * 1e4) / 1e4)).toEqual([-0.0175, 0.5175]);
    }
  });
});
