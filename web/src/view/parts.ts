// Shapes of the parts of bodies: few that many bodies share, each with its place in body axes.
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
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

/** A shape somewhere on a body; those of one key are the same. */
export interface Piece {
  key: string;
  shape: BufferGeometry;
  place: Matrix4;
}

/** Makes each shape once. */
export class Shapes {
  private readonly made = new Map<string, BufferGeometry>();

  async of(parts: PartData[]): Promise<Piece[]> {
    return (await Promise.all(parts.map((part) => this.pieces(part)))).flat();
  }

  private async pieces(part: PartData): Promise<Piece[]> {
    switch (part.kind) {
      case "box":
        return [this.box(part.size, placed(part.p))];
      case "block":
        return [this.box([part.width, part.length, part.width], placed(part.p, part.axis))];
      case "cylinder": {
        const { radius, length, axis, p } = part;
        return [this.piece("cylinder", round, placed(p, axis, [radius, length, radius]))];
      }
      case "sphere":
        return [this.ball(part.p, [part.radius, part.radius, part.radius])];
      case "ellipsoid":
        return [this.ball(part.p, part.size)];
      case "link":
        return this.link(part.a, part.b, part.radius);
      case "mesh": {
        const mesh = this.made.get(part.corners) ?? (await meshGeometry(part.corners, part.faces));
        return [this.piece(part.corners, () => mesh, new Matrix4())];
      }
      case "sweep":
      case "lattice": {
        const shape = () =>
          part.kind === "sweep"
            ? sweepGeometry(part.x, part.loops, part.smooth)
            : latticeGeometry(part.points, part.bars, part.radius);
        return [this.piece(JSON.stringify(part), shape, new Matrix4())];
      }
    }
  }

  private piece(key: string, make: () => BufferGeometry, place: Matrix4): Piece {
    const shape = this.made.get(key) ?? make();
    this.made.set(key, shape);
    return { key, shape, place };
  }

  private box([a, b, c]: Triple, place: Matrix4): Piece {
    return this.piece(`box ${a} ${b} ${c}`, () => softBox(a, b, c), place);
  }

  private ball(p: Triple, size: Triple): Piece {
    const make = () => new SphereGeometry(1, 40, 24);
    return this.piece("ball", make, placed(p, [0, 1, 0], size));
  }

  /** A tube with half a ball at each end. */
  private link(a: Triple, b: Triple, r: number): Piece[] {
    const [from, to] = [new Vector3(...a), new Vector3(...b)];
    const way = to.clone().sub(from);
    const middle = from.clone().lerp(to, 0.5).toArray();
    const tube = () => new CylinderGeometry(1, 1, 1, 24, 1, true);
    const cap = () => new SphereGeometry(1, 24, 8, 0, 2 * Math.PI, 0, Math.PI / 2);
    const axis = way.toArray();
    return [
      this.piece("tube", tube, placed(middle, axis, [r, way.length(), r])),
      this.piece("cap", cap, placed(b, axis, [r, r, r])),
      this.piece("cap", cap, placed(a, way.negate().toArray(), [r, r, r])),
    ];
  }
}

/** All pieces of a body as one geometry in body axes. */
export function merged(pieces: Piece[]): BufferGeometry {
  const loose = pieces.map(({ shape, place }) => {
    const own = shape.index ? shape.toNonIndexed() : shape.clone();
    for (const name of Object.keys(own.attributes))
      if (name !== "position" && name !== "normal") own.deleteAttribute(name);
    own.clearGroups();
    return own.applyMatrix4(place);
  });
  return mergeGeometries(loose);
}

/** Of a shape that lies along y: its middle, direction and size. */
export function placed(p: Triple, axis: Triple = [0, 1, 0], size: Triple = [1, 1, 1]): Matrix4 {
  return new Matrix4().compose(new Vector3(...p), turned(axis), new Vector3(...size));
}

/** From y to another direction. */
function turned(direction: Triple): Quaternion {
  return new Quaternion().setFromUnitVectors(Y, new Vector3(...direction).normalize());
}

/** A cylinder of radius and length one. */
export const round = () => new CylinderGeometry(1, 1, 1, 48);

export function softBox(a: number, b: number, c: number): BufferGeometry {
  const radius = 0.08 * Math.min(a, b, c);
  return radius > 0 ? new RoundedBoxGeometry(a, b, c, 3, radius) : new BoxGeometry(a, b, c);
}

/** Turn a geometry that lies along y to another direction. */
export function along(geometry: BufferGeometry, direction: Triple): BufferGeometry {
  return geometry.applyMatrix4(new Matrix4().makeRotationFromQuaternion(turned(direction)));
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
