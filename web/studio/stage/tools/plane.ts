// The plane that new things are put on, and the grid they snap to.
import { signal } from "@preact/signals";
import { Vector3 } from "three";
import type { Triple } from "../../../src/data/types";

export type PlaneName = "xy" | "xz" | "yz";
export const PLANES: readonly PlaneName[] = ["xy", "xz", "yz"];

const NORMALS: Record<PlaneName, Triple> = { xy: [0, 0, 1], xz: [0, 1, 0], yz: [1, 0, 0] };
/** The axis that a joint in this plane turns about. */
export const AXES: Record<PlaneName, string> = { xy: "z", xz: "y", yz: "x" };

/** A plane in which things fall: xy, unless gravity points along z. */
export function usualPlane(gravity: Triple): PlaneName {
  const [x, y, z] = gravity.map(Math.abs);
  return z > Math.max(x, y) ? "xz" : "xy";
}

export class WorkPlane {
  /** What the user chose; null: the usual one. */
  readonly chosen = signal<PlaneName | null>(null);
  usual: PlaneName = "xy";

  get name(): PlaneName {
    return this.chosen.value ?? this.usual;
  }

  get normal(): Vector3 {
    return new Vector3(...NORMALS[this.name]);
  }
}

/** A number at the nearest line of a grid, without digits of rounding. */
export function snapped(value: number, step: number): number {
  const digits = Math.max(0, Math.ceil(-Math.log10(step)) + 1);
  return Number((Math.round(value / step) * step).toFixed(digits)) + 0;
}

export function snappedPoint(point: Vector3, step: number): Triple {
  return point.toArray().map((v) => snapped(v, step)) as Triple;
}

/** "0.5, 0.2, 0" or "[0.5 0.2]" as a place; null if it is none. */
export function typedPlace(text: string): Triple | null {
  const parts = text
    .replace(/[[\]()]/g, " ")
    .trim()
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number);
  if (parts.length < 2 || parts.length > 3 || !parts.every(Number.isFinite)) return null;
  return [parts[0], parts[1], parts[2] ?? 0];
}

export function placeText(place: readonly number[]): string {
  return `[${place.map((v) => Number(v.toPrecision(6))).join(", ")}]`;
}
