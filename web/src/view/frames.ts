// Triads at all frames, on demand: x red, y green, z blue; those that are selected always.
import {
  BufferAttribute,
  type BufferGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Triple } from "../data/types";
import type { Mechanism } from "../motion/mechanism";
import type { Layer } from "./layer";
import { along } from "./parts";
import type { Theme } from "./theme";

const AXES: [Triple, Triple][] = [
  [
    [1, 0, 0],
    [0.85, 0.2, 0.2],
  ],
  [
    [0, 1, 0],
    [0.2, 0.62, 0.25],
  ],
  [
    [0, 0, 1],
    [0.2, 0.4, 0.9],
  ],
];

export class Frames implements Layer {
  readonly object = new Group();
  /** Triads of all frames. */
  readonly all: InstancedMesh;
  readonly references: string[];
  private readonly place = new Matrix4();
  private readonly ink = new MeshBasicMaterial({ vertexColors: true, depthTest: false });
  private readonly dot = new MeshBasicMaterial({ depthTest: false });
  private readonly marks = new Map<string, Group>();

  constructor(private readonly mechanism: Mechanism) {
    const { scale, ground } = mechanism.scene;
    const fixed = ["ground", ...ground.frames.map((f) => `ground.${f.name}`)];
    this.references = [...mechanism.references, ...fixed];
    const material = new MeshBasicMaterial({ vertexColors: true });
    this.all = new InstancedMesh(triad(0.2 * scale), material, this.references.length);
    this.all.visible = false;
    this.all.frustumCulled = false;
    this.object.add(this.all);
  }

  /** Mark some frames, whether all are shown or not. */
  highlight(names: ReadonlySet<string>, hovered: string | null): void {
    const wanted = this.references.filter(
      (name) => name.includes(".") && (names.has(name) || name === hovered),
    );
    for (const [name, mark] of this.marks) {
      if (wanted.includes(name)) continue;
      this.object.remove(mark);
      this.marks.delete(name);
    }
    for (const name of wanted) if (!this.marks.has(name)) this.mark(name);
  }

  private mark(name: string): void {
    const { scale } = this.mechanism.scene;
    const group = new Group();
    const ball = new Mesh(new SphereGeometry(0.022 * scale, 20, 14), this.dot);
    const axes = new Mesh(triad(0.26 * scale), this.ink);
    ball.renderOrder = 12;
    axes.renderOrder = 11;
    group.add(axes, ball);
    group.matrixAutoUpdate = false;
    this.marks.set(name, group);
    this.object.add(group);
  }

  update(): void {
    for (const [name, mark] of this.marks) {
      this.mechanism.frame(name, mark.matrix);
      mark.matrixWorldNeedsUpdate = true;
    }
    if (!this.all.visible) return;
    this.references.forEach((ref, k) =>
      this.all.setMatrixAt(k, this.mechanism.frame(ref, this.place)),
    );
    this.all.instanceMatrix.needsUpdate = true;
    this.all.boundingSphere = null; // rays ask for it again
  }

  paint(theme: Theme): void {
    this.dot.color.copy(theme.highlight);
  }
}

function triad(size: number): BufferGeometry {
  const bars = AXES.map(([axis, color]) => {
    const bar = along(
      new CylinderGeometry(0.035 * size, 0.035 * size, size, 10).translate(0, size / 2, 0),
      axis,
    );
    const count = bar.attributes.position.count;
    const colors = new Float32Array(3 * count);
    for (let k = 0; k < count; k++) colors.set(color, 3 * k);
    return bar.setAttribute("color", new BufferAttribute(colors, 3));
  });
  return mergeGeometries(bars);
}
