// Where the handle of a coordinate is, and which value a place of the pointer means.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { CoordinateData } from "../../../src/data/types";
import { bodyOf, type Mechanism } from "../../../src/motion/mechanism";
import type { Pixel, Space } from "../../../src/view/space";

const FLAT = 0.2;

export interface Axis {
  centre: Vector3;
  direction: Vector3;
  /** Where an angle is zero; perpendicular to the direction. */
  zero: Vector3;
}

/** A direction that is perpendicular to another: x where that is possible. */
export function across(direction: Vector3): Vector3 {
  const along = Math.abs(direction.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  return along.addScaledVector(direction, -along.dot(direction)).normalize();
}

/** The axis of a coordinate that has a value, as bodies stand now. */
export function axisOf(
  mechanism: Mechanism,
  coordinate: CoordinateData,
  parent: string,
  value: number,
): Axis {
  const frame = mechanism.frame(coordinate.frame, new Matrix4());
  const own = new Vector3(...coordinate.direction);
  const zero = across(own).transformDirection(frame);
  const direction = own.clone().transformDirection(frame);
  const moves = bodyOf(coordinate.frame) !== bodyOf(parent);
  if (moves && coordinate.unit === "rad") zero.applyAxisAngle(direction, -value);
  return { centre: new Vector3().setFromMatrixPosition(frame), direction, zero };
}

/** A point at an angle on a circle about the axis. */
export function onCircle(
  { centre, direction, zero }: Axis,
  radius: number,
  angle: number,
): Vector3 {
  const turn = new Quaternion().setFromAxisAngle(direction, angle);
  return zero.clone().applyQuaternion(turn).multiplyScalar(radius).add(centre);
}

/** Angle that the pointer means, within half a turn of the one before. */
export function angleAt(
  space: Space,
  axis: Axis,
  pixel: Pixel,
  before: number,
  radius: number,
): number {
  const isFlat = Math.abs(space.sight.dot(axis.direction)) < FLAT;
  const point = isFlat ? null : space.onPlane(pixel, axis.centre, axis.direction);
  if (!point) return nearestAngle(space, axis, pixel, before, radius);
  point.sub(axis.centre);
  const side = new Vector3().crossVectors(axis.direction, axis.zero);
  const angle = Math.atan2(point.dot(side), point.dot(axis.zero));
  return angle + 2 * Math.PI * Math.round((before - angle) / (2 * Math.PI));
}

/** Seen from the side: the angle whose point on the circle is nearest on the screen. */
function nearestAngle(
  space: Space,
  axis: Axis,
  [x, y]: Pixel,
  before: number,
  radius: number,
): number {
  let [best, nearest] = [before, Infinity];
  for (let k = -60; k <= 60; k++) {
    const angle = before + (k * Math.PI) / 120;
    const p = space.project(onCircle(axis, radius, angle));
    const distance = p ? Math.hypot(p[0] - x, p[1] - y) + 0.05 * Math.abs(k) : Infinity;
    if (distance < nearest) [best, nearest] = [angle, distance];
  }
  return best;
}
