// Where every body and frame is at the time shown.
import { Matrix4, Vector3 } from "three";
import type { Table } from "../data/table";
import type { FrameData, SceneData } from "../data/types";
import { Deformation } from "./deformation";
import { Pieces } from "./pieces";
import type { Shape } from "./shape";
import { quaternion, Track } from "./track";

interface Owner {
  track: Track | null;
  /** X_WB at the time shown. */
  world: Matrix4;
  frames: Map<string, Place>;
  shape: Shape | null;
}

/** A frame on its body, or on a place of it that moves. */
interface Place {
  local: Matrix4;
  place: number | null;
}

export class Mechanism {
  private readonly owners = new Map<string, Owner>();
  private readonly product = new Matrix4();
  private readonly carrier = new Matrix4();

  constructor(
    readonly scene: SceneData,
    private numbers: Table,
    shapes: Map<string, Shape> = new Map(),
  ) {
    this.owners.set("ground", owner(null, scene.ground.frames, null));
    for (const { name, frames, pieces } of scene.bodies) {
      const track = new Track(numbers, pieces?.carriers[0] ?? name);
      this.owners.set(name, owner(track, frames, shapes.get(name) ?? null));
    }
  }

  get table(): Table {
    return this.numbers;
  }

  /** The same bodies, moving as in another run. */
  take(table: Table): void {
    this.numbers = table;
    for (const { track, shape } of this.owners.values()) {
      track?.take(table);
      shape?.take(table);
    }
  }

  static async read(scene: SceneData, table: Table): Promise<Mechanism> {
    const shapes = new Map<string, Shape>();
    for (const { name, elastic, pieces } of scene.bodies) {
      if (elastic) shapes.set(name, await Deformation.read(elastic, table));
      if (pieces) shapes.set(name, await Pieces.read(pieces, table));
    }
    return new Mechanism(scene, table, shapes);
  }

  /** The shape of a flexible body. */
  shape(body: string): Shape | null {
    return this.owners.get(body)!.shape;
  }

  /** Whether anything can deform. */
  get deforms(): boolean {
    return [...this.owners.values()].some(({ shape }) => shape?.deforms);
  }

  /** Draw deflections larger than they are. */
  magnify(factor: number): void {
    for (const { shape } of this.owners.values()) if (shape) shape.factor = factor;
  }

  /** Every frame on a body, as `body` or `body.frame`. */
  get references(): string[] {
    return this.scene.bodies.flatMap((b) => [
      b.name,
      ...b.frames.map((f) => `${b.name}.${f.name}`),
    ]);
  }

  show(time: number): void {
    for (const { track, world, shape } of this.owners.values()) {
      track?.at(time, world);
      shape?.show(time);
    }
  }

  body(name: string): Matrix4 {
    return this.owners.get(name)!.world;
  }

  /** X_WP of a frame at the time shown. */
  frame(reference: string, out = this.product): Matrix4 {
    const { world } = this.find(reference)[0];
    return out.multiplyMatrices(world, this.local(reference, this.carrier));
  }

  origin(reference: string, out: Vector3): Vector3 {
    return out.setFromMatrixPosition(this.frame(reference));
  }

  /** The frame on its body at the time shown, X_BP. */
  local(reference: string, out = new Matrix4()): Matrix4 {
    const [{ shape }, { local, place }] = this.find(reference);
    if (!shape || place === null) return out.copy(local);
    return shape.pose(place, out).multiply(local);
  }

  /** X_WP of a frame at one sample. */
  frameAt(reference: string, sample: number, out: Matrix4): Matrix4 {
    const [{ track, shape }] = this.find(reference);
    const time = this.table.timeline.times[sample];
    shape?.show(time);
    this.local(reference, out);
    return track ? out.premultiply(track.at(time, this.carrier)) : out;
  }

  /** Origin of a frame at one sample. */
  originAt(reference: string, sample: number, out: Vector3): Vector3 {
    return out.setFromMatrixPosition(this.frameAt(reference, sample, this.product));
  }

  private find(reference: string): [Owner, Place] {
    const dot = reference.indexOf(".");
    const found = this.owners.get(dot < 0 ? reference : reference.slice(0, dot))!;
    return [found, found.frames.get(dot < 0 ? "" : reference.slice(dot + 1))!];
  }
}

export function bodyOf(reference: string): string {
  return reference.split(".", 1)[0];
}

function owner(track: Track | null, frames: FrameData[], shape: Shape | null): Owner {
  const places = new Map<string, Place>([["", { local: new Matrix4(), place: null }]]);
  const one = new Vector3(1, 1, 1);
  for (const f of frames) {
    const local = new Matrix4().compose(new Vector3(...f.p), quaternion(f.q), one);
    places.set(f.name, { local, place: f.place ?? null });
  }
  return { track, world: new Matrix4(), frames: places, shape };
}
