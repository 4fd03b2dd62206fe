// What a body that deforms tells of itself: its sections or nodes at a time, true or magnified, and
// what its sections pass on.
import { Matrix4, type Quaternion, Vector3 } from "three";
import type { Table } from "../data/table";
import type { Load } from "../data/types";
import { unpackColumns } from "../data/unpack";

/** Turns below this are rounding. */
const SMALLEST = 1e-12;

export abstract class Shape {
  /** How much larger than true the deflection is drawn. */
  factor = 1;
  protected time = { index: 0, fraction: 0 };

  protected constructor(
    protected readonly carried: ReadonlyMap<Load, Float32Array[]>,
    protected table: Table,
  ) {}

  /** The first places carry the drawing. */
  abstract get drawn(): number;
  /** Places are nodes anywhere, not sections along an axis. */
  abstract get byNodes(): boolean;
  abstract get deforms(): boolean;
  abstract show(time: number): void;
  /** A place of the undeformed body; of a beam as if it were straight, along x. */
  abstract undeformed(place: number, out: Vector3): Vector3;
  /** How far along the undeformed axis a place is. */
  abstract along(place: number): number;
  /** Where a place is drawn, in the body frame. */
  abstract position(place: number, out: Vector3): Vector3;
  /** Pose of the section or node as it is drawn, in the body frame. */
  abstract pose(place: number, out: Matrix4): Matrix4;

  /** Follow the numbers of another run of the same body. */
  take(table: Table): void {
    this.table = table;
  }

  /** What is known of its sections. */
  get loads(): Load[] {
    return [...this.carried.keys()];
  }

  get tellsOfShapes(): boolean {
    return false;
  }

  /** What the section at a drawn place passes on. */
  load(load: Load, place: number): number {
    const own = this.carried.get(load)?.[place];
    if (!own) return 0;
    const { index, fraction } = this.time;
    return fraction ? own[index] + fraction * (own[index + 1] - own[index]) : own[index];
  }

  /** The largest size of it in the whole run. */
  largest(load: Load): number {
    let largest = 0;
    for (const time of this.table.timeline.times) {
      this.show(time);
      for (let k = 0; k < this.drawn; k++)
        largest = Math.max(largest, Math.abs(this.load(load, k)) || 0);
    }
    return largest;
  }
}

/** Columns of what the drawn sections pass on. */
export async function readCarried(data: {
  carried: Partial<Record<Load, string>>;
  drawn: number;
}): Promise<Map<Load, Float32Array[]>> {
  const found = new Map<Load, Float32Array[]>();
  for (const [load, text] of Object.entries(data.carried))
    found.set(load as Load, await unpackColumns(text, data.drawn));
  return found;
}

const axis = new Vector3();

/** Magnify a rotation: the tangent of its angle grows. Beyond a right angle it stays. */
export function magnifyTurn(turn: Quaternion, factor: number): void {
  if (turn.w < 0) turn.set(-turn.x, -turn.y, -turn.z, -turn.w);
  const sine = axis.set(turn.x, turn.y, turn.z).length();
  const angle = 2 * Math.atan2(sine, turn.w);
  if (sine > SMALLEST && angle < Math.PI / 2)
    turn.setFromAxisAngle(axis.divideScalar(sine), Math.atan(factor * Math.tan(angle)));
}

/** Axes of a chord: x along it, z nearest to that of the body. */
export function chordTurn(start: Vector3, end: Vector3, out: Quaternion): Quaternion {
  const x = new Vector3().subVectors(end, start).normalize();
  const z = new Vector3(0, 0, 1).addScaledVector(x, -x.z).normalize();
  const y = new Vector3().crossVectors(z, x);
  return out.setFromRotationMatrix(new Matrix4().makeBasis(x, y, z));
}
