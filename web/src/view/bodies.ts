// The bodies themselves.
import { type BufferGeometry, Group, Mesh, MeshStandardMaterial } from "three";
import type { Load } from "../data/types";
import type { Mechanism } from "../motion/mechanism";
import type { Layer } from "./layer";
import { bodyGeometry } from "./parts";
import { Skin } from "./skin";
import type { Theme } from "./theme";

export class Bodies implements Layer {
  readonly object = new Group();
  readonly meshes = new Map<string, Mesh<BufferGeometry, MeshStandardMaterial>>();
  readonly skins = new Map<string, Skin>();
  private lit: ReadonlySet<string> = new Set();
  private hovered: string | null = null;
  private theme: Theme | null = null;
  private readonly strongest = new Map<Load, number>();

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
    const shape = this.mechanism.shape(name);
    if (shape?.deforms) {
      this.skins.set(name, new Skin(geometry, shape));
      mesh.frustumCulled = false;
    }
    this.meshes.set(name, mesh);
    this.object.add(mesh);
  }

  update(): void {
    for (const [name, mesh] of this.meshes) {
      mesh.matrix.copy(this.mechanism.body(name));
      mesh.matrixWorldNeedsUpdate = true;
    }
    for (const skin of this.skins.values()) skin.update();
  }

  /** What beams can be coloured by. */
  get loads(): Load[] {
    const known = new Set([...this.skins.values()].flatMap((skin) => skin.deformation.loads));
    return (["moment", "force", "stress"] as const).filter((load) => known.has(load));
  }

  /** Whether that is only what their shapes tell. */
  get tellOfShapes(): boolean {
    return [...this.skins.values()].every((skin) => skin.deformation.tellsOfShapes);
  }

  /** Colour beams by what their sections pass on, or not; how much has the strongest colour. */
  colour(load: Load | null): number {
    const strongest = load ? this.largest(load) : 0;
    for (const [name, skin] of this.skins) {
      const shown = load && skin.deformation.loads.includes(load);
      const { material } = this.meshes.get(name)!;
      skin.coloured = shown ? { load, strongest } : null;
      material.vertexColors = !!shown;
      material.needsUpdate = true;
    }
    if (this.theme) this.paint(this.theme);
    return strongest;
  }

  private largest(load: Load): number {
    if (!this.strongest.has(load)) {
      const all = [...this.skins.values()].map((skin) => skin.deformation.largest(load));
      this.strongest.set(load, Math.max(...all) || 1);
    }
    return this.strongest.get(load)!;
  }

  paint(theme: Theme): void {
    this.theme = theme;
    let k = 0;
    for (const mesh of this.meshes.values()) {
      mesh.material.color.copy(theme.bodies[k++ % theme.bodies.length]);
      if (mesh.material.vertexColors) mesh.material.color.set(0xffffff);
      mesh.material.emissive.copy(theme.highlight);
    }
    this.highlight(this.lit, this.hovered);
  }

  /** Light up some bodies, and a little the one under the pointer. */
  highlight(names: ReadonlySet<string>, hovered: string | null = null): void {
    this.lit = names;
    this.hovered = hovered;
    for (const [name, { material }] of this.meshes) {
      material.emissiveIntensity = names.has(name) ? 0.35 : name === hovered ? 0.16 : 0;
    }
  }
}
