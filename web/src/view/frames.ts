// Triads at all frames, on demand: x red, y green, z blue.
import {
  BufferAttribute,
  type BufferGeometry,
  CylinderGeometry,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Triple } from "../data/types";
import type { Mechanism } from "../motion/mechanism";
import type { Layer } from "./layer";
import { along } from "./parts";

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
  readonly object: InstancedMesh;
  readonly references: string[];
  private readonly place = new Matrix4();

  constructor(private readonly mechanism: Mechanism) {
    const { scale, ground } = mechanism.scene;
    const fixed = ["ground", ...ground.frames.map((f) => `ground.${f.name}`)];
    this.references = [...mechanism.references, ...fixed];
    const material = new MeshBasicMaterial({ vertexColors: true });
    this.object = new InstancedMesh(triad(0.2 * scale), material, this.references.length);
    this.object.visible = false;
    this.object.frustumCulled = false;
  }

  update(): void {
    if (!this.object.visible) return;
    this.references.forEach((ref, k) =>
      this.object.setMatrixAt(k, this.mechanism.frame(ref, this.place)),
    );
    this.object.instanceMatrix.needsUpdate = true;
    this.object.computeBoundingSphere();
  }

  paint(): void {}
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
