import { Box3, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { direction, eyes, fit, isInView, otherEye, SIDES, type Side } from "../src/view/camera";

const box = (...[x, y, z]: number[]) => new Box3(new Vector3(-x, -y, -z), new Vector3(x, y, z));
const ASPECT = 1.5;

for (const kind of ["perspective", "orthographic"] as const) {
  describe(`a ${kind} camera that was fitted to a box`, () => {
    const camera = eyes[kind]();
    for (const eye of [new Vector3(0, 0, 1), new Vector3(0.3, 0.28, 1).normalize()]) {
      it("sees all of it, and not what is larger", () => {
        fit(camera, box(2, 1, 0.1), eye, ASPECT);
        expect(isInView(camera, box(2, 1, 0.1))).toBe(true);
        expect(isInView(camera, box(2.6, 1, 0.1))).toBe(false);
      });
      it("does not see what is far behind it", () => {
        const place = fit(camera, box(1, 1, 1), eye, ASPECT)
          .clone()
          .addScaledVector(eye, 100);
        expect(isInView(camera, new Box3(place, place))).toBe(false);
      });
    }
  });
}

describe("parallel rays", () => {
  it("show what is near as large as what is far, at the same place as seen by the eye before", () => {
    const [eye, flat] = [eyes.perspective(), eyes.orthographic()];
    const target = fit(eye, box(1, 1, 1), new Vector3(0, 0, 1), ASPECT);
    otherEye(eye, flat, target, ASPECT);
    for (const camera of [eye, flat]) {
      camera.lookAt(target);
      camera.updateMatrixWorld();
    }
    const across = (camera: typeof eye | typeof flat, z: number) =>
      new Vector3(0.5, 0.3, z).project(camera);
    expect(across(flat, 1).x).toBeCloseTo(across(flat, -1).x, 12);
    expect(across(flat, 0).x).toBeCloseTo(across(eye, 0).x, 12);
    expect(across(flat, 0).y).toBeCloseTo(across(eye, 0).y, 12);
    const again = eyes.perspective();
    otherEye(flat, again, target, ASPECT);
    expect(again.position.distanceTo(eye.position)).toBeLessThan(1e-12);
  });
});

it("six directions are opposed in pairs, and one knows which way is up", () => {
  const up = new Vector3(0, 0, 1);
  for (const side of Object.keys(SIDES) as (keyof typeof SIDES)[]) {
    const opposed = (side.startsWith("-") ? side.slice(1) : `-${side}`) as Side;
    const [a, b] = [side, opposed].map((s) => direction(box(1, 1, 1), up, s));
    expect(a.dot(b)).toBeLessThan(-1 + 1e-6);
    expect(Math.abs(a.dot(up))).toBeLessThan(1);
  }
});
