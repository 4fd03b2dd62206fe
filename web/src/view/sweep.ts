// Surfaces of flexible bodies in their undeformed shape: swept sections, lattices of nodes.
import {
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  Matrix4,
  Quaternion,
  ShapeUtils,
  SphereGeometry,
  Vector2,
  Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

/** Loops of a section along x: a loop has one outline, or one at every place. */
export function sweepGeometry(x: number[], loops: number[][][], smooth: boolean): BufferGeometry {
  const positions: number[] = [];
  const normals: number[] = [];
  const corner = (k: number, [y, z]: number[], n: number[]) => {
    positions.push(x[k], y, z);
    normals.push(...n);
  };
  for (const places of loops) {
    const at = (k: number) => pairs(places[Math.min(k, places.length - 1)]);
    for (let k = 0; k + 1 < x.length; k++) {
      const [here, there] = [at(k), at(k + 1)];
      for (let j = 0; j < here.length; j++) {
        const i = (j + 1) % here.length;
        const flat = outward(here[j], here[i]);
        const [a, b] = smooth ? [around(here, j), around(here, i)] : [flat, flat];
        corner(k, here[j], a);
        corner(k, here[i], b);
        corner(k + 1, there[i], b);
        corner(k, here[j], a);
        corner(k + 1, there[i], b);
        corner(k + 1, there[j], a);
      }
    }
  }
  for (const [k, way] of [
    [0, -1],
    [x.length - 1, 1],
  ]) {
    const rings = loops.map((places) => pairs(places[Math.min(k, places.length - 1)]));
    const [outer, ...holes] = rings.map((ring) => ring.map(([y, z]) => new Vector2(y, z)));
    const all = rings.flat();
    for (const face of ShapeUtils.triangulateShape(outer, holes)) {
      const [a, b, c] = way > 0 ? face : [...face].reverse();
      for (const j of [a, b, c]) corner(k, all[j], [way, 0, 0]);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  return geometry;
}

function pairs(flat: number[]): number[][] {
  return Array.from({ length: flat.length / 2 }, (_, k) => [flat[2 * k], flat[2 * k + 1]]);
}

/** Normal of an edge of a loop that runs counter-clockwise around x. */
function outward(a: number[], b: number[]): number[] {
  const [y, z] = [b[1] - a[1], a[0] - b[0]];
  const size = Math.hypot(y, z) || 1;
  return [0, y / size, z / size];
}

/** Normal at a corner of a smooth loop. */
function around(loop: number[][], j: number): number[] {
  const n = loop.length;
  return outward(loop[(j + n - 1) % n], loop[(j + 1) % n]);
}

/** Balls at nodes, bars between some of them. */
export function latticeGeometry(flat: number[], bars: number[], radius: number): BufferGeometry {
  const points = Array.from({ length: flat.length / 3 }, (_, k) =>
    new Vector3().fromArray(flat, 3 * k),
  );
  const pieces: BufferGeometry[] = points.map((p) =>
    new SphereGeometry(1.6 * radius, 10, 6).translate(p.x, p.y, p.z),
  );
  const one = new Vector3(1, 1, 1);
  const up = new Vector3(0, 1, 0);
  for (let k = 0; k < bars.length; k += 2) {
    const [a, b] = [points[bars[k]], points[bars[k + 1]]];
    const way = new Vector3().subVectors(b, a);
    const turn = new Quaternion().setFromUnitVectors(up, way.clone().normalize());
    const middle = new Vector3().lerpVectors(a, b, 0.5);
    const bar = new CylinderGeometry(radius, radius, way.length(), 8, 1, true);
    pieces.push(bar.applyMatrix4(new Matrix4().compose(middle, turn, one)));
  }
  return mergeGeometries(pieces.map((piece) => piece.toNonIndexed()));
}
