// Where to look from: up against gravity, planar mechanisms seen face on, everything in view.
import { type Box3, PerspectiveCamera, Vector3 } from "three";
import type { Triple } from "../data/types";

const MARGIN = 1.08;
const THIN = 0.3;

export type Side = "free" | "x" | "y" | "z";

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
  if (side !== "free") return new Vector3(...axis(side));
  const [right, into] = horizontal(up);
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

function axis(side: "x" | "y" | "z"): Triple {
  return side === "x" ? [1, 0, 0] : side === "y" ? [0, -1, 0] : [0, 0, 1];
}

function corners(box: Box3): Vector3[] {
  const [x, y, z] = (["x", "y", "z"] as const).map((k) => [box.min[k], box.max[k]]);
  return x.flatMap((a) => y.flatMap((b) => z.map((c) => new Vector3(a, b, c))));
}

/** Whether the camera sees all corners of the box. */
export function isInView(camera: PerspectiveCamera, box: Box3): boolean {
  camera.updateMatrixWorld();
  return corners(box).every((corner) => {
    const { x, y, z } = corner.project(camera);
    return Math.abs(x) <= 1 && Math.abs(y) <= 1 && Math.abs(z) <= 1;
  });
}

/** Move the camera along its direction until all corners of the box are in view. */
export function fit(camera: PerspectiveCamera, box: Box3, eye: Vector3): Vector3 {
  const target = box.getCenter(new Vector3());
  camera.position.copy(target).add(eye);
  camera.lookAt(target);
  camera.updateMatrixWorld();
  const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
  camera.matrixWorld.extractBasis(x, y, z);
  const tall = Math.tan((camera.fov * Math.PI) / 360) / MARGIN;
  const wide = tall * camera.aspect;
  let distance = 0;
  for (const corner of corners(box)) {
    corner.sub(target);
    const near = corner.dot(z);
    distance = Math.max(
      distance,
      near + Math.abs(corner.dot(x)) / wide,
      near + Math.abs(corner.dot(y)) / tall,
    );
  }
  const radius = box.getSize(x).length() / 2 || 1;
  camera.near = Math.max(distance - 6 * radius, distance / 200);
  camera.far = distance + 30 * radius;
  camera.position.copy(target).addScaledVector(eye, distance);
  camera.updateProjectionMatrix();
  return target;
}
