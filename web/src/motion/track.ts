// Pose of one body over time.
import { type Matrix4, Quaternion, Vector3 } from "three";
import type { Column, Table } from "../data/table";
import type { Quadruple } from "../data/types";

export function quaternion([w, x, y, z]: Quadruple): Quaternion {
  return new Quaternion(x, y, z, w);
}

/** Pose of one body over time: positions linear, rotations along the shortest arc. */
export class Track {
  private p: Column[] = [];
  private q: Column[] = [];
  private readonly next = new Quaternion();
  private readonly place = new Vector3();
  private readonly turn = new Quaternion();
  private readonly one = new Vector3(1, 1, 1);

  constructor(
    private table: Table,
    private readonly body: string,
  ) {
    this.take(table);
  }

  /** Follow the numbers of another run. */
  take(table: Table): void {
    this.table = table;
    this.p = table.columnsOf(`${this.body}.position`);
    this.q = table.columnsOf(`${this.body}.orientation`);
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
