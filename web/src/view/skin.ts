// The surface of a flexible body: every corner follows one or two places of the body.
import {
  type Box3,
  BufferAttribute,
  type BufferGeometry,
  type Color,
  Matrix4,
  Vector3,
} from "three";
import type { Load } from "../data/types";
import type { Shape } from "../motion/shape";
import { shade } from "./shade";

/** A second node counts if it is less than this much farther away. */
const FAR = 4;

interface Bond {
  a: number;
  b: number;
  /** Share of the second place. */
  share: number;
}

export class Skin {
  /** Largest distance of a corner from its place. */
  readonly reach: number;
  /** What is coloured, and how much of it has the strongest colour; null: one colour. */
  coloured: { load: Load; strongest: number } | null = null;
  private readonly corners: Float32Array;
  private readonly normals: Float32Array;
  private readonly first: Uint16Array;
  private readonly second: Uint16Array;
  private readonly share: Float32Array;
  private readonly poses: Matrix4[];
  private readonly colors: BufferAttribute;
  private readonly still: Vector3[];
  private readonly p = new Vector3();
  private readonly r = new Vector3();

  constructor(
    readonly geometry: BufferGeometry,
    readonly deformation: Shape,
  ) {
    const { drawn, byNodes: nodes } = deformation;
    this.corners = (geometry.attributes.position.array as Float32Array).slice();
    this.normals = (geometry.attributes.normal.array as Float32Array).slice();
    this.still = range(drawn).map((k) => deformation.undeformed(k, new Vector3()));
    this.poses = range(drawn).map(() => new Matrix4());
    const count = this.corners.length / 3;
    this.first = new Uint16Array(count);
    this.second = new Uint16Array(count);
    this.share = new Float32Array(count);
    this.colors = new BufferAttribute(new Float32Array(this.corners.length).fill(1), 3);
    geometry.setAttribute("color", this.colors);
    let reach = 0;
    for (let k = 0; k < count; k++) {
      this.p.fromArray(this.corners, 3 * k);
      const bond = nodes ? nearest(this.still, this.p) : along(this.still, this.p.x);
      this.first[k] = bond.a;
      this.second[k] = bond.b;
      this.share[k] = bond.share;
      const { x, y, z } = this.p.sub(this.still[bond.a]);
      reach = Math.max(reach, nodes ? Math.hypot(x, y, z) : Math.hypot(y, z));
    }
    this.reach = reach;
  }

  update(): void {
    const { position, normal } = this.geometry.attributes as Record<string, BufferAttribute>;
    this.poses.forEach((pose, k) => this.deformation.pose(k, pose));
    for (let k = 0; k < this.share.length; k++) {
      const [a, b, share] = [this.first[k], this.second[k], this.share[k]];
      this.moved(k, a, this.p);
      if (share) this.p.lerp(this.moved(k, b, this.r), share);
      this.p.toArray(position.array, 3 * k);
      this.r.fromArray(this.normals, 3 * k).transformDirection(this.poses[share > 0.5 ? b : a]);
      this.r.toArray(normal.array, 3 * k);
    }
    position.needsUpdate = normal.needsUpdate = true;
    this.geometry.computeBoundingSphere();
    if (this.coloured) this.paint(this.coloured);
  }

  /** Colours by what the sections pass on; of forces the middle colour is none. */
  private paint({ load, strongest }: { load: Load; strongest: number }): void {
    const { deformation, colors } = this;
    const part = (k: number) => deformation.load(load, k) / strongest;
    const signed = load === "force";
    const shades: Color[] = this.poses.map((_, k) => shade(signed ? 0.5 + part(k) / 2 : part(k)));
    for (let k = 0; k < this.share.length; k++) {
      const [a, b] = [shades[this.first[k]], shades[this.second[k]]];
      const s = this.share[k];
      colors.setXYZ(k, a.r + s * (b.r - a.r), a.g + s * (b.g - a.g), a.b + s * (b.b - a.b));
    }
    colors.needsUpdate = true;
  }

  /** The space it takes in the body frame. */
  bounds(out: Box3): Box3 {
    out.makeEmpty();
    this.still.forEach((_, k) => out.expandByPoint(this.deformation.position(k, this.p)));
    return out.expandByScalar(this.reach);
  }

  private moved(corner: number, place: number, out: Vector3): Vector3 {
    return out
      .fromArray(this.corners, 3 * corner)
      .sub(this.still[place])
      .applyMatrix4(this.poses[place]);
  }
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, k) => k);
}

/** The two sections around x. */
function along(places: Vector3[], x: number): Bond {
  const last = places.length - 1;
  let a = 0;
  while (a < last - 1 && places[a + 1].x <= x) a++;
  const span = places[a + 1].x - places[a].x;
  const share = Math.min(Math.max((x - places[a].x) / span, 0), 1);
  return share > 1 - 1e-6 ? { a: a + 1, b: a, share: 0 } : { a, b: a + 1, share };
}

/** The nearest node, and the next one where it is about as near. */
function nearest(places: Vector3[], p: Vector3): Bond {
  let [a, b] = [0, 0];
  let [near, next] = [Infinity, Infinity];
  places.forEach((place, k) => {
    const away = place.distanceTo(p);
    if (away < near) [b, next, a, near] = [a, near, k, away];
    else if (away < next) [b, next] = [k, away];
  });
  return { a, b, share: next < FAR * near ? near / (near + next) : 0 };
}
