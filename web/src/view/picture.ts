// All that is drawn of one mechanism.
import {
  type Box3,
  BufferGeometry,
  Group,
  InstancedMesh,
  type Material,
  Mesh,
  type Object3D,
  Vector3,
} from "three";
import type { Table } from "../data/table";
import type { Mechanism } from "../motion/mechanism";
import { Arrows } from "./arrows";
import { Bodies } from "./bodies";
import { boundsOf } from "./bounds";
import { upOf } from "./camera";
import { Floor } from "./floor";
import { Frames } from "./frames";
import { Joints } from "./joints";
import type { Layer } from "./layer";
import type { PickTargets } from "./picking";
import { Symbols } from "./symbols";
import type { Theme } from "./theme";
import { Trails } from "./trails";

export class Picture {
  readonly object = new Group();
  readonly joints: Joints;
  readonly symbols: Symbols;
  readonly frames: Frames;
  readonly trails: Trails;
  readonly forces: Arrows;
  readonly reactions: Arrows;
  readonly floor: Floor;
  readonly up: Vector3;
  /** The space of the whole motion. */
  box: Box3;
  private readonly layers: Layer[];

  /** `on`: the picture before, whose ground is kept where the new motion stays about there. */
  static async of(mechanism: Mechanism, on: Picture | null = null): Promise<Picture> {
    return new Picture(mechanism, await Bodies.draw(mechanism), on);
  }

  private constructor(
    readonly mechanism: Mechanism,
    readonly bodies: Bodies,
    on: Picture | null,
  ) {
    this.box = boundsOf(mechanism, bodies);
    this.up = upOf(mechanism.scene.gravity);
    this.joints = new Joints(mechanism);
    this.symbols = new Symbols(mechanism);
    this.frames = new Frames(mechanism);
    this.trails = new Trails(mechanism);
    this.forces = new Arrows(mechanism, "applied");
    this.reactions = new Arrows(mechanism, "reaction");
    if (on?.up.equals(this.up) && !differs(on.box, this.box)) this.box.copy(on.box);
    this.floor = new Floor(this.box, this.up, 0.08 * mechanism.scene.scale);
    this.layers = [
      ...[bodies, this.joints, this.symbols, this.frames, this.trails],
      ...[this.forces, this.reactions, this.floor],
    ];
    for (const layer of this.layers) this.object.add(layer.object);
  }

  get targets(): PickTargets {
    return {
      solids: () => [this.bodies, this.joints, this.symbols].flatMap((layer) => layer.solids),
      frames: this.frames.all,
      references: this.frames.references,
    };
  }

  /** Show and hide the layers that another picture shows and hides, and the same trails. */
  inherit(other: Picture): void {
    for (const layer of ["forces", "reactions", "floor"] as const)
      this[layer].object.visible = other[layer].object.visible;
    this.frames.all.visible = other.frames.all.visible;
    this.joints.axes.visible = other.joints.axes.visible;
    const known = new Set(this.mechanism.references);
    for (const name of other.trails.chosen) if (known.has(name)) this.trails.toggle(name);
  }

  /** The same mechanism, moving in another way. */
  take(table: Table): void {
    this.mechanism.take(table);
    for (const layer of [this.trails, this.joints, this.symbols]) layer.measure();
  }

  /** The space of the motion again: deflections may be drawn larger, a run may have grown. */
  measure(): void {
    this.box = boundsOf(this.mechanism, this.bodies);
  }

  /** Light up elements and frames; what is under the pointer less than what is selected. */
  highlight(selected: ReadonlySet<string>, hovered: string | null = null): void {
    this.bodies.highlight(selected, hovered);
    this.joints.highlight(selected, hovered);
    this.symbols.highlight(selected, hovered);
    this.frames.highlight(selected, hovered);
  }

  show(time: number): void {
    this.mechanism.show(time);
    for (const layer of this.layers) layer.update(time);
  }

  paint(theme: Theme): void {
    for (const layer of this.layers) layer.paint(theme);
  }

  dispose(): void {
    this.object.traverse(release);
  }
}

function release(object: Object3D): void {
  const { geometry, material } = object as Partial<Mesh>;
  if (geometry instanceof BufferGeometry) geometry.dispose();
  if (object instanceof InstancedMesh) object.dispose();
  for (const m of [material ?? []].flat() as Material[]) m.dispose();
}

/** Whether two spaces are so unlike that one must look anew. */
export function differs(a: Box3, b: Box3): boolean {
  const [one, two] = [a, b].map((box) => box.getSize(new Vector3()).length());
  const apart = a.getCenter(new Vector3()).distanceTo(b.getCenter(new Vector3()));
  return !(two < 1.35 * one && two > 0.5 * one && apart < 0.35 * one);
}
