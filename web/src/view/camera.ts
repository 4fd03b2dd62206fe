// Where to look from: up against gravity, planar mechanisms seen face on, everything in view.
import { type Box3, OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import type { Triple } from "../data/types";

const MARGIN = 1.08;
const THIN = 0.3;

/** Six directions to look along, named as in pictures: along y x goes to the right and z up. */
export const SIDES = {
  x: [1, 0, 0],
  "-x": [-1, 0, 0],
  y: [0, -1, 0],
  "-y": [0, 1, 0],
  z: [0, 0, 1],
  "-z": [0, 0, -1],
} as const satisfies Record<string, Triple>;
export type Side = "free" | keyof typeof SIDES;
export type Eye = PerspectiveCamera | OrthographicCamera;
const ANGLE = 32;
/** Looking straight down, the eye is so little beside the vertical that one knows what is up. */
const BESIDE = 1e-4;

/** Against gravity; without gravity z. */
export function upOf(gravity: Triple): Vector3 {
  const g = new Vector3(...gravity);
  return g.length() > 0 ? g.normalize().negate() : new Vector3(0, 0, 1);
}

/** Horizontal directions: to the right, and into the picture. */
function horizontal(up: Vector3): [Vector3, Vector3] {
  const right = new Vector3(1, 0, 0);
  if (Math.abs(up.x) > 0.9) right.set(0, 1, 0);
  right.addScaledVector(up, -right.dot(up)).normalize();
  return [right, new Vector3().crossVectors(up, right)];
}

/** From the middle of the mechanism towards the eye. */
export function direction(box: Box3, up: Vector3, side: Side): Vector3 {
  const [right, into] = horizontal(up);
  if (side !== "free") {
    const eye = new Vector3(...SIDES[side]);
    return Math.abs(eye.dot(up)) > 0.999 ? eye.addScaledVector(into, -BESIDE).normalize() : eye;
  }
  const size = box.getSize(new Vector3()).toArray();
  const thin = size.indexOf(Math.min(...size));
  const isFlat = size[thin] < THIN * [...size].sort((a, b) => a - b)[1];
  const normal = new Vector3().setComponent(thin, 1);
  const eye = new Vector3();
  if (isFlat && Math.abs(normal.dot(up)) > 0.9) {
    eye.copy(up).addScaledVector(into, -0.7);
  } else if (isFlat && Math.abs(normal.dot(up)) < 0.1) {
    if (normal.dot(into) > 0.1) normal.negate();
    const beside = new Vector3().crossVectors(up, normal);
    eye.copy(normal).addScaledVector(up, 0.28).addScaledVector(beside, 0.3);
  } else {
    eye.copy(right).multiplyScalar(0.75).addScaledVector(into, -1.2).addScaledVector(up, 0.75);
  }
  return eye.normalize();
}

function corners(box: Box3): Vector3[] {
  const [x, y, z] = (["x", "y", "z"] as const).map((k) => [box.min[k], box.max[k]]);
  return x.flatMap((a) => y.flatMap((b) => z.map((c) => new Vector3(a, b, c))));
}

/** Whether the camera sees all corners of the box. */
export function isInView(camera: Eye, box: Box3): boolean {
  camera.updateMatrixWorld();
  return corners(box).every((corner) => {
    const { x, y, z } = corner.project(camera);
    return Math.abs(x) <= 1 && Math.abs(y) <= 1 && Math.abs(z) <= 1;
  });
}

/** Move the camera along its direction until all corners of the box are in view. */
export function fit(camera: Eye, box: Box3, eye: Vector3, aspect: number): Vector3 {
  const target = box.getCenter(new Vector3());
  camera.position.copy(target).add(eye);
  camera.lookAt(target);
  camera.updateMatrixWorld();
  const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
  camera.matrixWorld.extractBasis(x, y, z);
  const isFlat = camera instanceof OrthographicCamera;
  const tall = Math.tan((ANGLE * Math.PI) / 360) / MARGIN;
  const wide = tall * aspect;
  let distance = 0;
  for (const corner of corners(box)) {
    corner.sub(target);
    const near = isFlat ? 0 : corner.dot(z);
    distance = Math.max(
      distance,
      near + Math.abs(corner.dot(x)) / wide,
      near + Math.abs(corner.dot(y)) / tall,
    );
  }
  const radius = box.getSize(x).length() / 2 || 1;
  distance ||= radius;
  camera.near = isFlat ? -30 * radius : Math.max(distance - 6 * radius, distance / 200);
  camera.far = distance + 30 * radius;
  camera.position.copy(target).addScaledVector(eye, distance);
  shape(camera, distance, aspect);
  return target;
}

/** What a camera sees at a distance, in a window of this shape. */
export function shape(camera: Eye, distance: number, aspect: number): void {
  if (camera instanceof OrthographicCamera) {
    camera.zoom = 1;
    camera.top = distance * Math.tan((ANGLE * Math.PI) / 360);
    camera.bottom = -camera.top;
    widen(camera, aspect);
  } else widen(camera, aspect);
}

/** A window of another shape. */
export function widen(camera: Eye, aspect: number): void {
  if (camera instanceof OrthographicCamera) {
    camera.right = camera.top * aspect;
    camera.left = -camera.right;
  } else camera.aspect = aspect;
  camera.updateProjectionMatrix();
}

/** The same view by rays that meet in the eye, or by parallel ones. */
export function otherEye(from: Eye, to: Eye, target: Vector3, aspect: number): void {
  const tangent = Math.tan((ANGLE * Math.PI) / 360);
  const seen = from instanceof OrthographicCamera ? from.top / from.zoom / tangent : null;
  const away = from.position.clone().sub(target);
  const distance = seen ?? away.length();
  to.up.copy(from.up);
  to.position.copy(target).add(away.setLength(distance));
  const radius = (from.far - (seen === null ? away.length() : 0)) / 30;
  to.near = to instanceof OrthographicCamera ? -30 * radius : distance / 200;
  to.far = distance + 30 * radius;
  shape(to, distance, aspect);
}

export const eyes = {
  perspective: () => new PerspectiveCamera(ANGLE, 1, 0.01, 100),
  orthographic: () => new OrthographicCamera(-1, 1, 1, -1, -100, 100),
};
