// The bodies themselves.
import { type BufferGeometry, Group, Mesh, MeshStandardMaterial } from "three";
import type { Mechanism } from "../motion/mechanism";
import type { Layer } from "./layer";
import { bodyGeometry } from "./parts";
import type { Theme } from "./theme";

export class Bodies implements Layer {
  readonly object = new Group();
  readonly meshes = new Map<string, Mesh<BufferGeometry, MeshStandardMaterial>>();
  private lit = new Set<string>();

  private constructor(private readonly mechanism: Mechanism) {}

  static async draw(mechanism: Mechanism): Promise<Bodies> {
    const layer = new Bodies(mechanism);
    const { bodies } = mechanism.scene;
    const geometries = await Promise.all(bodies.map((b) => bodyGeometry(b.parts)));
    bodies.forEach((body, k) => layer.add(body.name, geometries[k]));
    return layer;
  }

  private add(name: string, geometry: BufferGeometry): void {
    const material = new MeshStandardMaterial({ roughness: 0.45, metalness: 0.1 });
    const mesh = new Mesh(geometry, material);
    mesh.matrixAutoUpdate = false;
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.userData = { element: name, kind: "body" };
    geometry.computeBoundingBox();
    this.meshes.set(name, mesh);
    this.object.add(mesh);
  }

  update(): void {
    for (const [name, mesh] of this.meshes) {
      mesh.matrix.copy(this.mechanism.body(name));
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  paint(theme: Theme): void {
    let k = 0;
    for (const [name, mesh] of this.meshes) {
      mesh.material.color.copy(theme.bodies[k++ % theme.bodies.length]);
      mesh.material.emissive.copy(theme.highlight);
      mesh.material.emissiveIntensity = this.lit.has(name) ? 0.35 : 0;
    }
  }

  /** Light up some bodies. */
  highlight(names: Iterable<string>): void {
    this.lit = new Set(names);
    for (const [name, mesh] of this.meshes) {
      mesh.material.emissiveIntensity = this.lit.has(name) ? 0.35 : 0;
    }
  }
}
