// Springs as coils, bushings as rubber balls, distance constraints as thin rods.
import {
  type BufferGeometry,
  Curve,
  CylinderGeometry,
  Group,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  TubeGeometry,
  Vector3,
} from "three";
import type { SpringData } from "../data/types";
import type { Mechanism } from "../motion/mechanism";
import type { Layer } from "./layer";
import type { Theme } from "./theme";

const TURNS = 9;
const Y = new Vector3(0, 1, 0);

/** A helix of unit length along y with straight ends. */
class Coil extends Curve<Vector3> {
  constructor(private readonly radius: number) {
    super();
  }

  override getPoint(t: number, out = new Vector3()): Vector3 {
    const inside = Math.min(Math.max((t - 0.12) / 0.76, 0), 1);
    const width = this.radius * Math.min(1, 12 * inside * (1 - inside));
    const angle = 2 * Math.PI * TURNS * inside;
    return out.set(width * Math.cos(angle), t, width * Math.sin(angle));
  }
}

export class Springs implements Layer {
  readonly object = new Group();
  readonly meshes: Mesh[] = [];
  private readonly material = new MeshStandardMaterial({ roughness: 0.4, metalness: 0.5 });
  private readonly rubber = new MeshStandardMaterial({ transparent: true, opacity: 0.55 });
  private readonly lit = new MeshStandardMaterial({ roughness: 0.4, metalness: 0.3 });
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private readonly turn = new Quaternion();
  private readonly stretched: [Mesh, SpringData][] = [];
  private readonly balls: [Mesh, SpringData][] = [];

  constructor(private readonly mechanism: Mechanism) {
    const { scale, springs } = mechanism.scene;
    for (const spring of springs) {
      const isBall = spring.kind === "bushing";
      const mesh = new Mesh(geometryOf(spring.kind, scale), isBall ? this.rubber : this.material);
      mesh.userData = { element: spring.name, kind: spring.kind };
      mesh.castShadow = true;
      this.meshes.push(mesh);
      this.object.add(mesh);
      (isBall ? this.balls : this.stretched).push([mesh, spring]);
    }
  }

  /** Light up some of them. */
  highlight(names: ReadonlySet<string>, hovered: string | null): void {
    for (const [mesh, { name, kind }] of [...this.stretched, ...this.balls]) {
      const plain = kind === "bushing" ? this.rubber : this.material;
      mesh.material = names.has(name) || name === hovered ? this.lit : plain;
    }
  }

  update(): void {
    const { mechanism, a, b } = this;
    for (const [mesh, spring] of this.stretched) {
      mechanism.origin(spring.a, a);
      mechanism.origin(spring.b, b);
      const length = b.sub(a).length();
      mesh.visible = length > 1e-9;
      mesh.position.copy(a);
      mesh.scale.set(1, Math.max(length, 1e-9), 1);
      if (mesh.visible)
        mesh.quaternion.copy(this.turn.setFromUnitVectors(Y, b.divideScalar(length)));
    }
    for (const [mesh, spring] of this.balls) mechanism.origin(spring.a, mesh.position);
  }

  paint(theme: Theme): void {
    this.material.color.copy(theme.steel);
    this.rubber.color.copy(theme.steel);
    this.lit.color.copy(theme.highlight);
    this.lit.emissive.copy(theme.highlight);
    this.lit.emissiveIntensity = 0.5;
  }
}

function geometryOf(kind: string, scale: number): BufferGeometry {
  if (kind === "bushing") return new SphereGeometry(0.07 * scale, 28, 18);
  if (kind === "distance")
    return new CylinderGeometry(0.012 * scale, 0.012 * scale, 1, 16).translate(0, 0.5, 0);
  return new TubeGeometry(new Coil(0.05 * scale), 360, 0.008 * scale, 8);
}
