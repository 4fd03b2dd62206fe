// Geometry of the parts of a body.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { PartData, Triple } from "../data/types";
import { unpackColumns, unpackIndices } from "../data/unpack";
import { latticeGeometry, sweepGeometry } from "./sweep";

const Y = new Vector3(0, 1, 0);

/** All parts of a body as one geometry in body axes. */
export async function bodyGeometry(parts: PartData[]): Promise<BufferGeometry> {
  const pieces = await Promise.all(parts.map(partGeometry));
  const plain = pieces.map((piece) => {
    const loose = piece.index ? piece.toNonIndexed() : piece;
    for (const name of Object.keys(loose.attributes)) {
      if (name !== "position" && name !== "normal") loose.deleteAttribute(name);
    }
    loose.clearGroups();
    return loose;
  });
  return mergeGeometries(plain);
}

async function partGeometry(part: PartData): Promise<BufferGeometry> {
  switch (part.kind) {
    case "box":
      return softBox(...part.size).translate(...part.p);
    case "cylinder":
      return along(
        new CylinderGeometry(part.radius, part.radius, part.length, 48),
        part.axis,
      ).translate(...part.p);
    case "sphere":
      return new SphereGeometry(part.radius, 40, 24).translate(...part.p);
    case "ellipsoid":
      return new SphereGeometry(1, 40, 24).scale(...part.size).translate(...part.p);
    case "link":
      return linkGeometry(part.a, part.b, part.radius);
    case "block":
      return along(softBox(part.width, part.length, part.width), part.axis).translate(...part.p);
    case "mesh":
      return meshGeometry(part.corners, part.faces);
    case "sweep":
      return sweepGeometry(part.x, part.loops, part.smooth);
    case "lattice":
      return latticeGeometry(part.points, part.bars, part.radius);
  }
}

function softBox(a: number, b: number, c: number): BufferGeometry {
  const radius = 0.08 * Math.min(a, b, c);
  return radius > 0 ? new RoundedBoxGeometry(a, b, c, 3, radius) : new BoxGeometry(a, b, c);
}

function linkGeometry(a: Triple, b: Triple, radius: number): BufferGeometry {
  const from = new Vector3(...a);
  const way = new Vector3(...b).sub(from);
  const middle = from.addScaledVector(way, 0.5);
  const capsule = new CapsuleGeometry(radius, way.length(), 12, 24);
  return along(capsule, way.toArray()).translate(middle.x, middle.y, middle.z);
}

/** Turn a geometry that lies along y to another direction. */
export function along(geometry: BufferGeometry, direction: Triple): BufferGeometry {
  const turn = new Quaternion().setFromUnitVectors(Y, new Vector3(...direction).normalize());
  return geometry.applyMatrix4(new Matrix4().makeRotationFromQuaternion(turn));
}

async function meshGeometry(corners: string, faces: string): Promise<BufferGeometry> {
  const [x, y, z] = await unpackColumns(corners, 3);
  const positions = new Float32Array(3 * x.length);
  for (let k = 0; k < x.length; k++) positions.set([x[k], y[k], z[k]], 3 * k);
  const indexed = new BufferGeometry();
  indexed.setAttribute("position", new BufferAttribute(positions, 3));
  indexed.setIndex(new BufferAttribute(await unpackIndices(faces), 1));
  const loose = indexed.toNonIndexed();
  loose.computeVertexNormals();
  return loose;
}
