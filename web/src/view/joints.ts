// Joints: pins and balls, rails with sleeves, plates and blocks; axes on demand.
import { type BufferGeometry, Group, Matrix4, MeshBasicMaterial, type Object3D } from "three";
import { BoxGeometry, CylinderGeometry, SphereGeometry } from "three";
import type { AxisData, JointData, Triple } from "../data/types";
import { bodyOf, type Mechanism } from "../motion/mechanism";
import { Instances, type Slot } from "./instances";
import type { Layer } from "./layer";
import { type Ink, Marks } from "./marks";
import { placed } from "./parts";
import { Rail } from "./rails";
import type { Theme } from "./theme";

/** Something that is put on a frame. */
interface Fixed {
  target: { put(matrix: Matrix4): void };
  frame: string;
  local: Matrix4;
}

export class Joints implements Layer {
  readonly object = new Group();
  /** Lines along the axes. */
  readonly axes: Object3D;
  private readonly lines = new Instances(false);
  private readonly marks = new Marks();
  private readonly line = new MeshBasicMaterial({ transparent: true, opacity: 0.85 });
  private readonly fixed: Fixed[] = [];
  private readonly drawnAxes: Fixed[] = [];
  private readonly rails: Rail[] = [];
  private readonly place = new Matrix4();

  constructor(private readonly mechanism: Mechanism) {
    const { scale, joints } = mechanism.scene;
    const r = 0.035 * scale;
    for (const joint of joints) {
      for (const axis of joint.axes) this.addAxis(joint, axis, scale);
      this.addMarks(joint, r);
    }
    this.lines.build();
    this.marks.build();
    this.axes = this.lines.object;
    this.axes.visible = false;
    this.object.add(this.axes, this.marks.object);
    this.measure();
  }

  get solids(): Object3D[] {
    return this.marks.solids;
  }

  private addMarks(joint: JointData, r: number): void {
    for (const { frame, direction } of joint.pins)
      this.add(
        joint,
        "pin",
        rod,
        frame,
        placed([0, 0, 0], direction, [0.55 * r, 3.2 * r, 0.55 * r]),
      );
    if (joint.ball) this.add(joint, "ball", ball, joint.child, sized(1.45 * r));
    if (joint.block) this.add(joint, "block", cube, joint.child, sized(1.9 * r));
    if (joint.plate) {
      const size: Triple = [3.2 * r, 0.35 * r, 3.2 * r];
      this.add(joint, "pin", rod, joint.child, placed([0, 0, 0], joint.plate.direction, size));
    }
    if (joint.rail) this.rails.push(new Rail(joint, joint.rail, this.mechanism, this.marks, r));
    const anchor = [joint.parent, joint.child].find((ref) => bodyOf(ref) === "ground");
    if (anchor && joint.foot && joint.pins.length) {
      const size: Triple = [1.9 * r, 1.3 * r, 1.9 * r];
      const local = placed([0, 0, 0], joint.pins[0].direction, size);
      this.add(joint, "pin", rod, anchor, local, "ground");
    }
  }

  private addAxis(joint: JointData, { frame, direction }: AxisData, scale: number): void {
    const local = placed([0, 0, 0], direction, [0.004 * scale, 0.9 * scale, 0.004 * scale]);
    const named = { element: joint.name, kind: "joint" };
    const take = (target: Slot) => this.drawnAxes.push({ target, frame, local });
    this.lines.want("axis", () => new CylinderGeometry(1, 1, 1, 10), this.line, named, take);
  }

  private add(
    joint: JointData,
    key: string,
    shape: () => BufferGeometry,
    frame: string,
    local: Matrix4,
    ink: Ink = "steel",
  ): void {
    const target = this.marks.add(key, shape, { element: joint.name, kind: "joint" }, ink);
    this.fixed.push({ target, frame, local });
  }

  /** How long rails are, for another motion. */
  measure(): void {
    for (const rail of this.rails) rail.measure();
  }

  /** Light up some joints. */
  highlight(names: ReadonlySet<string>, hovered: string | null): void {
    this.marks.highlight(names, hovered);
  }

  update(): void {
    this.put(this.fixed);
    for (const rail of this.rails) rail.update();
    this.marks.moved();
    if (!this.axes.visible) return;
    this.put(this.drawnAxes);
    this.lines.moved();
  }

  private put(all: Fixed[]): void {
    for (const { target, frame, local } of all)
      target.put(this.mechanism.frame(frame, this.place).multiply(local));
  }

  paint(theme: Theme): void {
    this.marks.paint(theme);
    this.line.color.copy(theme.axis);
  }
}

const rod = () => new CylinderGeometry(1, 1, 1, 28);
const ball = () => new SphereGeometry(1, 28, 18);
const cube = () => new BoxGeometry(1, 1, 1);

function sized(size: number): Matrix4 {
  return new Matrix4().makeScale(size, size, size);
}
