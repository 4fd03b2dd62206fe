// Arrows of forces (one head) and torques (two heads), scaled to the largest of the run.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import type { ArrowData } from "../data/types";
import type { Mechanism } from "../motion/mechanism";
import type { Layer } from "./layer";
import type { Theme } from "./theme";

const Y = new Vector3(0, 1, 0);
const LONGEST = 0.8;
const SHAFT = 0.014;
const HEAD = 0.1;

type Group_ = ArrowData["group"];
type Quantity = ArrowData["quantity"];

/** An arrow along y whose shaft can be stretched. */
class Arrow extends Group {
  private readonly shaft: Mesh;
  private readonly heads: Mesh[];

  constructor(material: MeshBasicMaterial, scale: number, heads: number) {
    super();
    const s = scale * SHAFT;
    this.shaft = new Mesh(new CylinderGeometry(s, s, 1, 12).translate(0, 0.5, 0), material);
    const cone = new ConeGeometry(2.6 * s, HEAD * scale, 20).translate(0, -0.5 * HEAD * scale, 0);
    this.heads = Array.from({ length: heads }, () => new Mesh(cone, material));
    this.add(this.shaft, ...this.heads);
    for (const mesh of [this.shaft, ...this.heads]) mesh.renderOrder = 10;
  }

  stretch(length: number, scale: number): void {
    const most = HEAD * scale * (this.heads.length + 1);
    const small = Math.min(1, length / most);
    this.shaft.scale.set(small, Math.max(length - 0.5 * HEAD * scale * small, 1e-9), small);
    this.heads.forEach((head, k) => {
      head.scale.setScalar(small);
      head.position.y = length - 0.6 * k * HEAD * scale * small;
    });
  }
}

export class Arrows implements Layer {
  readonly object = new Group();
  private readonly materials: Record<Quantity, MeshBasicMaterial>;
  private readonly arrows: [ArrowData, Arrow][] = [];
  private readonly most: Record<Quantity, number> = { force: 0, torque: 0 };
  private readonly at = new Vector3();
  private readonly vector = new Vector3();

  constructor(
    private readonly mechanism: Mechanism,
    private readonly group: Group_,
  ) {
    const ink = () => new MeshBasicMaterial({ depthTest: false, transparent: true });
    this.materials = { force: ink(), torque: ink() };
    const { scale, arrows } = mechanism.scene;
    for (const data of arrows.filter((a) => a.group === group)) {
      this.most[data.quantity] = Math.max(this.most[data.quantity], this.largest(data));
      const arrow = new Arrow(this.materials[data.quantity], scale, data.quantity === "force" ? 1 : 2);
      this.arrows.push([data, arrow]);
      this.object.add(arrow);
    }
    this.object.visible = false;
  }

  get isEmpty(): boolean {
    return this.arrows.length === 0;
  }

  /** The sizes that the longest arrows stand for. */
  get scales(): [Quantity, number][] {
    return (["force", "torque"] as const).filter((q) => this.most[q] > 0).map((q) => [q, this.most[q]]);
  }

  private largest(data: ArrowData): number {
    const columns = this.mechanism.table.columnsOf(data.series);
    let most = 0;
    for (let k = 0; k < columns[0].length; k++) {
      const size = Math.hypot(...columns.map((c) => c[k]));
      if (size > most && Number.isFinite(size)) most = size;
    }
    return most;
  }

  update(time: number): void {
    if (!this.object.visible) return;
    const { scale } = this.mechanism.scene;
    for (const [data, arrow] of this.arrows) {
      this.place(data, time);
      const share = this.vector.length() / (this.most[data.quantity] || 1);
      arrow.visible = share > 2e-3;
      if (!arrow.visible) continue;
      arrow.position.copy(this.at);
      arrow.quaternion.copy(TURN.setFromUnitVectors(Y, this.vector.normalize()));
      arrow.stretch(share * LONGEST * scale, scale);
    }
  }

  /** The point it acts on and its vector, in world axes. */
  private place(data: ArrowData, time: number): void {
    const values = this.mechanism.table.at(data.series, time);
    this.mechanism.origin(data.at, this.at);
    if (data.towards) {
      this.mechanism.origin(data.towards, this.vector).sub(this.at).normalize().multiplyScalar(values[0]);
    } else if (data.along) {
      this.vector.set(...data.along.direction).transformDirection(this.mechanism.frame(data.along.frame));
      this.vector.multiplyScalar(values[0]);
    } else this.vector.set(values[0], values[1], values[2]);
  }

  paint(theme: Theme): void {
    const applied = this.group === "applied";
    this.materials.force.color.copy(applied ? theme.force : theme.reaction);
    this.materials.torque.color.copy(applied ? theme.torque : theme.moment);
  }
}

const TURN = new Quaternion();
