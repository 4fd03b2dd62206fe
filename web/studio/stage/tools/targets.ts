// What a place of the pointer means on the stage: frames, bodies, points; and ghosts of what is new.
import { Matrix4, Vector3 } from "three";
import type { Triple } from "../../../src/data/types";
import type { Picked } from "../../../src/view/picking";
import type { Pixel } from "../../../src/view/space";
import type { StageContext } from "./context";
import { placeText, snapped, snappedPoint } from "./plane";
import type { Option } from "./prompt";
import { frameAt, type ShownFrame, shownFrames } from "./snapping";

/** What a click means: an element, or a place on the ground. */
export interface Target {
  name: string;
  at: Vector3;
}

export interface Ghost {
  lines: Vector3[][];
  dots: Vector3[];
}

export function target(name: string, at: Triple): Target {
  return { name, at: new Vector3(...at) };
}

export class Targets {
  constructor(private readonly stage: StageContext) {}

  /** Frames to choose from by name. */
  options(but: ReadonlySet<string>): Option<Target>[] {
    const { viewer } = this.stage;
    if (!viewer) return [];
    return shownFrames(viewer, but).map(({ name, at }) => ({
      ...{ label: name, text: placeText(at.toArray()), value: { name, at }, group: "frames" },
    }));
  }

  // -- what a pixel means

  get grid(): number {
    return this.stage.viewer!.floor.step / 10;
  }

  /** Without digits of rounding. */
  place(at: Vector3): Triple {
    return at.toArray().map((v) => snapped(v, this.grid / 1000)) as Triple;
  }

  /** A place of the working plane. */
  onPlane(pixel: Pixel, name: string): Target | null {
    const { viewer, plane } = this.stage;
    const point = viewer!.space.onPlane(pixel, new Vector3(), plane.normal);
    return point && target(name, snappedPoint(point, this.grid));
  }

  /** A frame near the pointer, the body under it, or the ground. */
  frameMeant(
    frames: readonly ShownFrame[],
    pixel: Pixel,
    picked: Picked | null,
    but: ReadonlySet<string>,
  ): Target | null {
    const caught = frameAt(frames, pixel);
    if (caught) return caught;
    if (picked?.kind === "body" && !but.has(picked.element)) {
      const at = this.stage.viewer!.mechanism.origin(picked.element, new Vector3()).clone();
      return { name: picked.element, at };
    }
    return but.has("ground") ? null : this.onPlane(pixel, "ground");
  }

  /** A point of the body under the pointer, or of the ground. */
  pointOn(pixel: Pixel, picked: Picked | null): Target | null {
    if (picked?.kind !== "body") return this.onPlane(pixel, "ground");
    const { viewer, plane } = this.stage;
    const origin = viewer!.mechanism.origin(picked.element, new Vector3()).clone();
    const point = viewer!.space.onPlane(pixel, origin, plane.normal) ?? picked.point.clone();
    return { name: picked.element, at: point };
  }

  /** A point of the world on a body, at the grid. */
  local(body: string, at: Vector3): Triple {
    const world = this.stage.viewer!.mechanism.body(body);
    const local = at.clone().applyMatrix4(new Matrix4().copy(world).invert());
    return snappedPoint(local, this.grid);
  }

  // -- ghosts

  /** A body that begins at a place, along x as all new ones. */
  bar(at: Vector3, length: number): Ghost {
    const end = at.clone().add(new Vector3(length, 0, 0));
    return { lines: [[at, end]], dots: [at, end] };
  }

  /** Something that holds a frame, or two. */
  link(from: Target | undefined, at: Vector3): Ghost {
    const reach = 0.25 * this.stage.viewer!.mechanism.scene.scale;
    const normal = this.stage.plane.normal.multiplyScalar(reach);
    const axis = [at.clone().sub(normal), at.clone().add(normal)];
    return { lines: from ? [[from.at, at], axis] : [axis], dots: from ? [from.at, at] : [at] };
  }
}
