// Where every body and frame is at the time shown.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Table } from "../data/table";
import type { FrameData, Quadruple, SceneData } from "../data/types";

export function quaternion([w, x, y, z]: Quadruple): Quaternion {
  return new Quaternion(x, y, z, w);
}

/** Pose of one body over time: positions linear, rotations along the shortest arc. */
export class Track {
  private readonly p: Float32Array[];
  private readonly q: Float32Array[];
  private readonly next = new Quaternion();
  private readonly place = new Vector3();
  private readonly turn = new Quaternion();
  private readonly one = new Vector3(1, 1, 1);

  constructor(
    private readonly table: Table,
    body: string,
  ) {
    this.p = table.columnsOf(`${body}.position`);
    this.q = table.columnsOf(`${body}.orientation`);
  }

  at(time: number, out: Matrix4): Matrix4 {
    const { index, fraction } = this.table.timeline.place(time);
    const [w, x, y, z] = this.q;
    this.place.set(this.p[0][index], this.p[1][index], this.p[2][index]);
    this.turn.set(x[index], y[index], z[index], w[index]);
    if (fraction) {
      const k = index + 1;
      this.next.set(x[k], y[k], z[k], w[k]);
      this.turn.slerp(this.next, fraction);
      this.place.x += fraction * (this.p[0][k] - this.place.x);
      this.place.y += fraction * (this.p[1][k] - this.place.y);
      this.place.z += fraction * (this.p[2][k] - this.place.z);
    }
    return out.compose(this.place, this.turn.normalize(), this.one);
  }
}

interface Owner {
  track: Track | null;
  /** X_WB at the time shown. */
  world: Matrix4;
  frames: Map<string, Matrix4>;
}

export class Mechanism {
  private readonly owners = new Map<string, Owner>();
  private readonly product = new Matrix4();

  constructor(
    readonly scene: SceneData,
    readonly table: Table,
  ) {
    this.owners.set("ground", owner(null, scene.ground.frames));
    for (const body of scene.bodies) {
      this.owners.set(body.name, owner(new Track(table, body.name), body.frames));
    }
  }

  /** Every frame on a body, as `body` or `body.frame`. */
  get references(): string[] {
    return this.scene.bodies.flatMap((b) => [
      b.name,
      ...b.frames.map((f) => `${b.name}.${f.name}`),
    ]);
  }

  show(time: number): void {
    for (const { track, world } of this.owners.values()) track?.at(time, world);
  }

  body(name: string): Matrix4 {
    return this.owners.get(name)!.world;
  }

  /** X_WP of a frame at the time shown. */
  frame(reference: string, out = this.product): Matrix4 {
    const [found, local] = this.find(reference);
    return out.multiplyMatrices(found.world, local);
  }

  origin(reference: string, out: Vector3): Vector3 {
    return out.setFromMatrixPosition(this.frame(reference));
  }

  /** The frame on its body, X_BP. */
  local(reference: string): Matrix4 {
    return this.find(reference)[1];
  }

  /** Origin of a frame at one sample. */
  originAt(reference: string, sample: number, out: Vector3): Vector3 {
    const [found, local] = this.find(reference);
    out.setFromMatrixPosition(local);
    if (!found.track) return out;
    return out.applyMatrix4(found.track.at(this.table.timeline.times[sample], this.product));
  }

  private find(reference: string): [Owner, Matrix4] {
    const dot = reference.indexOf(".");
    const found = this.owners.get(dot < 0 ? reference : reference.slice(0, dot))!;
    return [found, found.frames.get(dot < 0 ? "" : reference.slice(dot + 1))!];
  }
}

export function bodyOf(reference: string): string {
  return reference.split(".", 1)[0];
}

function owner(track: Track | null, frames: FrameData[]): Owner {
  const places = new Map([["", new Matrix4()]]);
  const one = new Vector3(1, 1, 1);
  for (const f of frames) {
    places.set(f.name, new Matrix4().compose(new Vector3(...f.p), quaternion(f.q), one));
  }
  return { track, world: new Matrix4(), frames: places };
}
