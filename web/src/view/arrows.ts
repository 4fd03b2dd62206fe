// Arrows of forces (one head) and torques (two heads).
import {
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from "three";
import type { Column } from "../data/table";
import type { ArrowData } from "../data/types";
import type { Mechanism } from "../motion/mechanism";
import type { Layer } from "./layer";
import type { Theme } from "./theme";

const Y = new Vector3(0, 1, 0);
/** Length of an arrow of usual size, in sizes of a body. */
const USUAL = 0.6;
/** Torques this small beside forces times lengths (and the other way round) are rounding. */
const NOISE = 1e-9;
const SHAFT = 0.014;
const HEAD = 0.1;

type Origin = ArrowData["group"];
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
  /** Metres per newton and per newton metre. */
  private readonly lengths: Record<Quantity, number>;
  private readonly at = new Vector3();
  private readonly vector = new Vector3();

  constructor(
    private readonly mechanism: Mechanism,
    private readonly group: Origin,
  ) {
    const ink = () => new MeshBasicMaterial({ depthTest: false, transparent: true });
    this.materials = { force: ink(), torque: ink() };
    const { scale, arrows } = mechanism.scene;
    const ours = arrows.filter((a) => a.group === group);
    this.lengths = lengthsOf(mechanism, ours);
    for (const data of ours) {
      if (!this.lengths[data.quantity]) continue;
      const arrow = new Arrow(
        this.materials[data.quantity],
        scale,
        data.quantity === "force" ? 1 : 2,
      );
      this.arrows.push([data, arrow]);
      this.object.add(arrow);
    }
    this.object.visible = false;
  }

  get isEmpty(): boolean {
    return this.arrows.length === 0;
  }

  /** What an arrow of a given length stands for. */
  meaning(length: number): [Quantity, number][] {
    const drawn = (["force", "torque"] as const).filter((q) => this.lengths[q] > 0);
    return drawn.map((q) => [q, length / this.lengths[q]]);
  }

  update(time: number): void {
    if (!this.object.visible) return;
    const { scale } = this.mechanism.scene;
    for (const [data, arrow] of this.arrows) {
      this.place(data, time);
      const length = this.vector.length() * this.lengths[data.quantity];
      arrow.visible = length > 2e-3 * scale;
      if (!arrow.visible) continue;
      arrow.position.copy(this.at);
      arrow.quaternion.copy(TURN.setFromUnitVectors(Y, this.vector.normalize()));
      arrow.stretch(length, scale);
    }
  }

  /** The point it acts on and its vector, in world axes. */
  private place(data: ArrowData, time: number): void {
    const values = this.mechanism.table.at(data.series, time);
    this.mechanism.origin(data.at, this.at);
    if (data.towards) {
      this.mechanism
        .origin(data.towards, this.vector)
        .sub(this.at)
        .normalize()
        .multiplyScalar(values[0]);
    } else if (data.along) {
      this.vector
        .set(...data.along.direction)
        .transformDirection(this.mechanism.frame(data.along.frame));
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

/** A scale for each quantity at which most of the run is well seen; 0 for what is only rounding. */
function lengthsOf({ table, scene }: Mechanism, arrows: ArrowData[]): Record<Quantity, number> {
  const sizes = (quantity: Quantity) => {
    const series = new Set(arrows.filter((a) => a.quantity === quantity).map((a) => a.series));
    return largest(
      [...series].map((name) => table.columnsOf(name)),
      table.timeline.times.length,
    );
  };
  const [force, torque] = [sizes("force"), sizes("torque")];
  const isNoise = {
    force: force.most * scene.scale < NOISE * torque.most,
    torque: torque.most < NOISE * force.most * scene.scale,
  };
  const length = (usual: number, noise: boolean) =>
    usual > 0 && !noise ? (USUAL * scene.scale) / usual : 0;
  return {
    force: length(force.usual, isNoise.force),
    torque: length(torque.usual, isNoise.torque),
  };
}

/** Of vectors over time: the largest of all, and the size that only a tenth of the time exceeds. */
export function largest(vectors: Column[][], samples: number): { most: number; usual: number } {
  const sizes = Array.from({ length: samples }, (_, k) =>
    Math.max(0, ...vectors.map((v) => Math.hypot(...v.map((c) => c[k])))),
  );
  const sorted = sizes.filter(Number.isFinite).sort((a, b) => a - b);
  const most = sorted.at(-1) ?? 0;
  const usual = sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 0;
  return { most, usual: usual > 0.01 * most ? usual : most };
}
