// Joints: pins and balls, rails on the ground, and axes on demand.
import {
  type BufferGeometry,
  CylinderGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import type { AxisData, JointData, Triple } from "../data/types";
import { bodyOf, type Mechanism } from "../motion/mechanism";
import type { Layer } from "./layer";
import { along } from "./parts";
import type { Theme } from "./theme";

interface Fixed {
  mesh: Mesh;
  frame: string;
}

export class Joints implements Layer {
  readonly object = new Group();
  readonly axes = new Group();
  readonly meshes: Mesh[] = [];
  private readonly steel = new MeshStandardMaterial({ roughness: 0.35, metalness: 0.5 });
  private readonly ground = new MeshStandardMaterial({ roughness: 0.8, metalness: 0 });
  private readonly line = new MeshBasicMaterial({ transparent: true, opacity: 0.85 });
  private readonly lit = new MeshStandardMaterial({ roughness: 0.35, metalness: 0.3 });
  private readonly plain = new Map<Mesh, MeshStandardMaterial>();
  private readonly fixed: Fixed[] = [];

  constructor(private readonly mechanism: Mechanism) {
    const { scale, joints } = mechanism.scene;
    const r = 0.035 * scale;
    this.axes.visible = false;
    for (const joint of joints) {
      for (const axis of joint.axes) this.addAxis(joint, axis, scale);
      this.addMark(joint, r);
      if (joint.rail && bodyOf(joint.parent) === "ground") this.addRail(joint, joint.rail, r);
    }
    this.object.add(this.axes);
  }

  private addMark(joint: JointData, r: number): void {
    for (const axis of joint.pins)
      this.add(joint, pin(0.55 * r, 3.2 * r, axis.direction), axis.frame);
    if (joint.ball) this.add(joint, new SphereGeometry(1.45 * r, 28, 18), joint.child);
    const anchor = [joint.parent, joint.child].find((ref) => bodyOf(ref) === "ground");
    if (anchor && joint.foot) {
      const foot = pin(1.9 * r, 1.3 * r, joint.pins[0].direction);
      this.add(joint, foot, anchor, this.ground);
    }
  }

  private addAxis(joint: JointData, axis: AxisData, scale: number): void {
    const mesh = new Mesh(pin(0.004 * scale, 0.9 * scale, axis.direction), this.line);
    this.fix(mesh, axis.frame, joint);
    this.axes.add(mesh);
  }

  private add(
    joint: JointData,
    geometry: BufferGeometry,
    frame: string,
    material = this.steel,
  ): void {
    const mesh = new Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = true;
    this.fix(mesh, frame, joint);
    this.meshes.push(mesh);
    this.plain.set(mesh, material);
    this.object.add(mesh);
  }

  private fix(mesh: Mesh, frame: string, joint: JointData): void {
    mesh.matrixAutoUpdate = false;
    mesh.userData = { element: joint.name, kind: "joint" };
    this.fixed.push({ mesh, frame });
  }

  /** A bar on the ground as long as the way of the slider. */
  private addRail(joint: JointData, rail: AxisData, r: number): void {
    const direction = new Vector3(...rail.direction);
    const inverse = new Matrix4().copy(this.mechanism.local(joint.parent)).invert();
    const p = new Vector3();
    let [low, high] = [Infinity, -Infinity];
    for (let k = 0; k < this.mechanism.table.timeline.times.length; k++) {
      const s = this.mechanism.originAt(joint.child, k, p).applyMatrix4(inverse).dot(direction);
      low = Math.min(low, s);
      high = Math.max(high, s);
    }
    const bar = pin(0.4 * r, high - low + 10 * r, rail.direction);
    const middle = direction.multiplyScalar((low + high) / 2);
    bar.translate(middle.x, middle.y, middle.z);
    this.add(joint, bar, joint.parent, this.ground);
  }

  /** Light up some joints. */
  highlight(names: ReadonlySet<string>, hovered: string | null): void {
    for (const [mesh, material] of this.plain) {
      const name = mesh.userData.element as string;
      mesh.material = names.has(name) || name === hovered ? this.lit : material;
    }
  }

  update(): void {
    for (const { mesh, frame } of this.fixed) {
      this.mechanism.frame(frame, mesh.matrix);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  paint(theme: Theme): void {
    this.steel.color.copy(theme.steel);
    this.ground.color.copy(theme.ground);
    this.line.color.copy(theme.axis);
    this.lit.color.copy(theme.highlight);
    this.lit.emissive.copy(theme.highlight);
    this.lit.emissiveIntensity = 0.5;
  }
}

function pin(radius: number, length: number, direction: Triple): BufferGeometry {
  return along(new CylinderGeometry(radius, radius, length, 28), direction);
}
