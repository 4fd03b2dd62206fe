// The bodies themselves. Those that keep their shape and hide what is behind share their shapes; a body
// that deforms, or through which one sees, has a mesh of its own.
import {
  type Box3,
  type BufferGeometry,
  Color,
  Group,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
} from "three";
import { Box3 as Box } from "three";
import type { BodyData, Load } from "../data/types";
import type { Mechanism } from "../motion/mechanism";
import { Instances, type Slot } from "./instances";
import type { Layer } from "./layer";
import { merged, type Piece, Shapes } from "./parts";
import { Skin } from "./skin";
import type { Theme } from "./theme";

/** How a body looks besides its shape and colour. */
export interface Look {
  visible: boolean;
  /** From 0 to 1. */
  opacity: number;
}

type OwnMesh = Mesh<BufferGeometry, MeshStandardMaterial>;
const USUAL = { roughness: 0.45, metalness: 0.1 };
const LIT = 0.35;
const HOVERED = 0.16;

/** One body. */
class Drawn {
  readonly slots: Slot[] = [];
  readonly box = new Box();
  readonly color = new Color();
  readonly skin: Skin | null = null;
  look: Look;
  private own: OwnMesh | null = null;
  private isApart: boolean;

  constructor(
    readonly data: BodyData,
    private readonly pieces: Piece[],
    mechanism: Mechanism,
    private readonly group: Group,
  ) {
    this.look = { visible: data.visible ?? true, opacity: data.opacity ?? 1 };
    const part = new Box();
    for (const { shape, place } of pieces) {
      shape.computeBoundingBox();
      this.box.union(part.copy(shape.boundingBox!).applyMatrix4(place));
    }
    const shape = mechanism.shape(data.name);
    this.isApart = !!shape?.deforms;
    if (shape?.deforms) this.skin = new Skin(this.mesh.geometry, shape);
  }

  get isSeen(): boolean {
    return this.look.visible && this.look.opacity > 0;
  }

  /** Its own mesh, if that is what is seen of it. */
  get solid(): OwnMesh | null {
    return this.isSeen && this.isApart ? this.mesh : null;
  }

  get mesh(): OwnMesh {
    if (this.own) return this.own;
    const mesh = new Mesh(merged(this.pieces), new MeshStandardMaterial(USUAL));
    mesh.matrixAutoUpdate = mesh.frustumCulled = false;
    mesh.receiveShadow = true;
    mesh.userData = { element: this.data.name, kind: "body" };
    this.group.add(mesh);
    return (this.own = mesh);
  }

  dress(look: Partial<Look>): void {
    this.look = { ...this.look, ...look };
    const { opacity } = this.look;
    this.isApart = !!this.skin || opacity < 1;
    if (this.isApart && this.isSeen) {
      const { material } = this.mesh;
      material.opacity = opacity;
      material.transparent = opacity < 1;
      material.depthWrite = opacity === 1;
      material.needsUpdate = true;
    }
    if (!this.own) return;
    this.own.visible = !!this.solid;
    this.own.castShadow = opacity > 0.5;
  }

  move(world: Matrix4): void {
    const { solid } = this;
    if (solid) {
      solid.matrix.copy(world);
      solid.matrixWorldNeedsUpdate = true;
      this.skin?.update();
    }
    const isShared = this.isSeen && !solid;
    this.slots.forEach((slot, k) => {
      if (isShared) slot.put(PRODUCT.multiplyMatrices(world, this.pieces[k].place));
      else slot.hide();
    });
  }

  /** Its colour, lit up more or less. */
  paint(theme: Theme, light: number): void {
    SHADE.copy(this.color).lerp(theme.highlight, light);
    for (const slot of this.slots) slot.paint(SHADE);
    if (!this.own) return;
    const { material } = this.own;
    material.color.copy(this.color);
    if (material.vertexColors) material.color.set(0xffffff);
    material.emissive.copy(theme.highlight);
    material.emissiveIntensity = light;
  }
}

const PRODUCT = new Matrix4();
const SHADE = new Color();

export class Bodies implements Layer {
  readonly object = new Group();
  private readonly drawn = new Map<string, Drawn>();
  private readonly shared = new Instances();
  private readonly flexible: [Drawn, Skin][] = [];
  private lit: ReadonlySet<string> = new Set();
  private hovered: string | null = null;
  private theme: Theme | null = null;
  private readonly strongest = new Map<Load, number>();

  private constructor(private readonly mechanism: Mechanism) {}

  static async draw(mechanism: Mechanism): Promise<Bodies> {
    const layer = new Bodies(mechanism);
    const { bodies } = mechanism.scene;
    const shapes = new Shapes();
    const pieces = await Promise.all(bodies.map((b) => shapes.of(b.parts)));
    bodies.forEach((body, k) => layer.add(body, pieces[k]));
    layer.shared.build();
    layer.object.add(layer.shared.object);
    for (const body of layer.drawn.values()) body.dress({});
    return layer;
  }

  private add(data: BodyData, pieces: Piece[]): void {
    const body = new Drawn(data, pieces, this.mechanism, this.object);
    this.drawn.set(data.name, body);
    if (body.skin) return void this.flexible.push([body, body.skin]);
    const material = this.material;
    const named = { element: data.name, kind: "body" };
    pieces.forEach(({ key, shape }, k) => {
      const take = (slot: Slot) => (body.slots[k] = slot);
      this.shared.want(key, () => shape, material, named, take);
    });
  }

  private readonly material = new MeshStandardMaterial(USUAL);

  /** What rays may meet. */
  get solids(): Object3D[] {
    const own = [...this.drawn.values()].flatMap(({ solid }) => solid ?? []);
    return [...this.shared.meshes, ...own];
  }

  get names(): string[] {
    return [...this.drawn.keys()];
  }

  /** The space a body takes now, in its own frame; null if it is not seen. */
  space(name: string, out: Box3): Box3 | null {
    const body = this.drawn.get(name)!;
    if (!body.isSeen) return null;
    return body.skin?.bounds(out) ?? out.copy(body.box);
  }

  look(name: string): Look {
    return this.drawn.get(name)!.look;
  }

  /** As #rrggbb. */
  colourOf(name: string): string {
    return `#${this.drawn.get(name)!.color.getHexString()}`;
  }

  /** Show or hide a body, or see through it. */
  dress(name: string, look: Partial<Look>): void {
    this.drawn.get(name)?.dress(look);
    if (this.theme) this.paint(this.theme);
  }

  update(): void {
    for (const [name, body] of this.drawn) body.move(this.mechanism.body(name));
    this.shared.moved();
  }

  /** What beams can be coloured by. */
  get loads(): Load[] {
    const known = new Set(this.flexible.flatMap(([, skin]) => skin.deformation.loads));
    return (["moment", "force", "stress"] as const).filter((load) => known.has(load));
  }

  /** Whether that is only what their shapes tell. */
  get tellOfShapes(): boolean {
    return this.flexible.every(([, skin]) => skin.deformation.tellsOfShapes);
  }

  /** Colour beams by what their sections pass on, or not; how much has the strongest colour. */
  colour(load: Load | null): number {
    const strongest = load ? this.largest(load) : 0;
    for (const [{ mesh }, skin] of this.flexible) {
      const shown = load && skin.deformation.loads.includes(load);
      skin.coloured = shown ? { load, strongest } : null;
      mesh.material.vertexColors = !!shown;
      mesh.material.needsUpdate = true;
    }
    if (this.theme) this.paint(this.theme);
    return strongest;
  }

  private largest(load: Load): number {
    if (!this.strongest.has(load)) {
      const all = this.flexible.map(([, skin]) => skin.deformation.largest(load));
      this.strongest.set(load, Math.max(...all) || 1);
    }
    return this.strongest.get(load)!;
  }

  paint(theme: Theme): void {
    this.theme = theme;
    let k = 0;
    for (const body of this.drawn.values()) {
      const usual = theme.bodies[k++ % theme.bodies.length];
      if (body.data.colour) body.color.set(body.data.colour);
      else body.color.copy(usual);
    }
    this.highlight(this.lit, this.hovered);
  }

  /** Light up some bodies, and a little the one under the pointer. */
  highlight(names: ReadonlySet<string>, hovered: string | null = null): void {
    this.lit = names;
    this.hovered = hovered;
    if (!this.theme) return;
    for (const [name, body] of this.drawn)
      body.paint(this.theme, names.has(name) ? LIT : name === hovered ? HOVERED : 0);
    this.shared.painted();
  }
}
