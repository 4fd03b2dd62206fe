// Many things of few shapes: those that share a shape and a material are drawn at once.
import {
  type BufferGeometry,
  type Color,
  Group,
  InstancedMesh,
  type Material,
  Matrix4,
} from "three";
import type { Named } from "./picking";

const NOWHERE = new Matrix4().makeScale(0, 0, 0);

/** One of them: where it is, and its colour. */
export class Slot {
  constructor(
    readonly named: Named,
    private readonly mesh: InstancedMesh,
    private readonly index: number,
  ) {}

  put(matrix: Matrix4): void {
    this.mesh.setMatrixAt(this.index, matrix);
  }

  hide(): void {
    this.put(NOWHERE);
  }

  paint(color: Color): void {
    this.mesh.setColorAt(this.index, color);
  }
}

interface Wanted {
  shape: BufferGeometry;
  material: Material;
  takers: { named: Named; take: (slot: Slot) => void }[];
}

export class Instances {
  readonly object = new Group();
  readonly meshes: InstancedMesh[] = [];
  private readonly wanted = new Map<string, Wanted>();

  constructor(private readonly shadows = true) {}

  /** Ask for one of a shape; `key` tells shapes and materials apart. It is given by `build`. */
  want(
    key: string,
    shape: () => BufferGeometry,
    material: Material,
    named: Named,
    take: (slot: Slot) => void,
  ): void {
    const known = this.wanted.get(key) ?? { shape: shape(), material, takers: [] };
    this.wanted.set(key, known);
    known.takers.push({ named, take });
  }

  build(): void {
    for (const { shape, material, takers } of this.wanted.values()) {
      const mesh = new InstancedMesh(shape, material, takers.length);
      mesh.castShadow = mesh.receiveShadow = this.shadows;
      mesh.frustumCulled = false;
      mesh.userData.named = takers.map(({ named }) => named);
      takers.forEach(({ named, take }, k) => take(new Slot(named, mesh, k)));
      this.meshes.push(mesh);
      this.object.add(mesh);
    }
    this.wanted.clear();
  }

  /** Slots were put elsewhere. */
  moved(): void {
    for (const mesh of this.meshes) {
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // rays ask for it again
    }
  }

  /** Slots have other colours. */
  painted(): void {
    for (const { instanceColor } of this.meshes)
      if (instanceColor) instanceColor.needsUpdate = true;
  }
}
