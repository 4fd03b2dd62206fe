import { Box3, PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { fit, isInView } from "../src/view/camera";

const box = (...[x, y, z]: number[]) => new Box3(new Vector3(-x, -y, -z), new Vector3(x, y, z));

describe("a camera that was fitted to a box", () => {
  const camera = new PerspectiveCamera(32, 1.5, 0.01, 100);
  for (const eye of [new Vector3(0, 0, 1), new Vector3(0.3, 0.28, 1).normalize()]) {
    it("sees all of it, and not what is larger", () => {
      fit(camera, box(2, 1, 0.1), eye);
      expect(isInView(camera, box(2, 1, 0.1))).toBe(true);
      expect(isInView(camera, box(2.6, 1, 0.1))).toBe(false);
    });
    it("does not see what is behind it", () => {
      const place = fit(camera, box(1, 1, 1), eye)
        .clone()
        .addScaledVector(eye, 100);
      expect(isInView(camera, new Box3(place, place))).toBe(false);
    });
  }
});
