// Joints that slide: a rail, rod or spindle on one body as long as the way, a sleeve or nut on the other.
import { BoxGeometry, type BufferGeometry, CylinderGeometry, Matrix4, Vector3 } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { JointData, RailData } from "../data/types";
import { bodyOf, type Mechanism } from "../motion/mechanism";
import type { Mark, Marks } from "./marks";
import { placed } from "./parts";

/** At which the way is measured; farther places lengthen the rail as they are reached. */
const MOST_SAMPLES = 400;
const RIDGES = 40;

/** Of length one along y, wide in radii of a link; and how long a sleeve is. */
const SHAPES: Record<
  RailData["form"],
  { bar: () => BufferGeometry; sleeve: () => BufferGeometry; length: number }
> = {
  square: { bar: () => beam(0.9), sleeve: () => beam(2.2), length: 4 },
  round: { bar: () => cylinder(0.5, 28), sleeve: () => cylinder(1.15, 28), length: 4 },
  thread: { bar: spindle, sleeve: () => cylinder(1.3, 6), length: 2.6 },
};
/** Of the shortest way, what a housing takes. */
const HOUSING = 0.7;

const beam = (width: number) => new BoxGeometry(width, 1, width);
const cylinder = (radius: number, sides: number) => new CylinderGeometry(radius, radius, 1, sides);

/** A rod with ridges. */
function spindle(): BufferGeometry {
  const height = 0.5 / RIDGES;
  const cones = Array.from({ length: 2 * RIDGES }, (_, k) => {
    const [above, below] = k % 2 ? [0.42, 0.6] : [0.6, 0.42];
    const cone = new CylinderGeometry(above, below, height, 20, 1, k > 0 && k < 2 * RIDGES - 1);
    return cone.translate(0, (k + 0.5) * height - 0.5, 0);
  });
  return mergeGeometries(cones);
}

export class Rail {
  private readonly bar: Mark;
  private readonly sleeve: Mark;
  private readonly mover: string;
  private readonly isOnGround: boolean;
  private readonly turn: Matrix4;
  private readonly direction: Vector3;
  private low = 0;
  private high = 0;
  private readonly p = new Vector3();
  private readonly inverse = new Matrix4();
  private readonly place = new Matrix4();
  private readonly local = new Matrix4();

  constructor(
    joint: JointData,
    private readonly rail: RailData,
    private readonly mechanism: Mechanism,
    marks: Marks,
    private readonly r: number,
  ) {
    const named = { element: joint.name, kind: "joint" };
    const { bar, sleeve } = SHAPES[rail.form];
    this.isOnGround = bodyOf(rail.frame) === "ground";
    this.bar = marks.add(`bar ${rail.form}`, bar, named, this.isOnGround ? "ground" : "steel");
    this.sleeve = marks.add(`sleeve ${rail.form}`, sleeve, named);
    this.mover = rail.frame === joint.parent ? joint.child : joint.parent;
    this.direction = new Vector3(...rail.direction);
    this.turn = placed([0, 0, 0], rail.direction);
  }

  /** How far the other body goes. */
  measure(): void {
    const { times } = this.mechanism.table.timeline;
    [this.low, this.high] = [Infinity, -Infinity];
    const count = Math.min(MOST_SAMPLES, times.length);
    for (let k = 0; k < count; k++) {
      const sample = Math.round((k * (times.length - 1)) / Math.max(1, count - 1));
      this.mechanism.frameAt(this.rail.frame, sample, this.inverse).invert();
      this.reach(this.mechanism.originAt(this.mover, sample, this.p));
    }
  }

  /** Displacement of a place of the world; what is drawn is as long as that needs. */
  private reach(p: Vector3): number {
    const s = p.applyMatrix4(this.inverse).dot(this.direction);
    if (!Number.isFinite(s)) return s;
    this.low = Math.min(this.low, s);
    this.high = Math.max(this.high, s);
    return s;
  }

  update(): void {
    const { mechanism, place, low, high, r } = this;
    const { length } = SHAPES[this.rail.form];
    mechanism.frame(this.rail.frame, place);
    this.inverse.copy(place).invert();
    const s = this.reach(mechanism.origin(this.mover, this.p));
    if (!this.isOnGround && low * high > 0) {
      // a rod that leaves a housing, which stays on one side
      const housing = HOUSING * (low > 0 ? low : high);
      this.put(this.bar, Math.min(0, s), Math.max(0, s));
      this.put(this.sleeve, Math.min(0, housing), Math.max(0, housing));
    } else {
      const [from, to] = this.isOnGround ? [low, high] : [Math.min(low, 0), Math.max(high, 0)];
      this.put(this.bar, from - 5 * r, to + 5 * r);
      this.put(this.sleeve, s - (length * r) / 2, s + (length * r) / 2);
    }
  }

  /** Along the rail, from one displacement to another. */
  private put(mark: Mark, from: number, to: number): void {
    const { local, p, r } = this;
    local.copy(this.turn).setPosition(p.copy(this.direction).multiplyScalar((from + to) / 2));
    mark.put(local.scale(p.set(r, to - from, r)).premultiply(this.place));
  }
}
