import { expect, it } from "vitest";
import { largest } from "../src/view/arrows";

it("a short peak does not decide how long arrows are", () => {
  const force = Float32Array.from({ length: 100 }, (_, k) => (k === 50 ? 50 : 3));
  const zero = new Float32Array(100);
  expect(largest([[force, zero, zero], [zero]], 100)).toEqual({ most: 50, usual: 3 });
});

it("a force that acts only for a moment is seen", () => {
  const force = Float32Array.from({ length: 100 }, (_, k) => (k === 50 ? 50 : 0));
  expect(largest([[force]], 100)).toEqual({ most: 50, usual: 50 });
});
