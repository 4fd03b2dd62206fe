import { describe, expect, it } from "vitest";
import { peak, spectrum, transform } from "../../studio/results/spectrum";

const sine = (times: number[], amplitude: number, frequency: number, mean = 0) =>
  Float64Array.from(times, (t) => mean + amplitude * Math.sin(2 * Math.PI * frequency * t + 0.3));

describe("Fourier transform", () => {
  it("is the sum it stands for", () => {
    const values = [1, -2, 0.5, 3, 0, 1, 1, -4];
    const re = Float64Array.from(values);
    const im = new Float64Array(8);
    transform(re, im);
    for (let k = 0; k < 8; k++) {
      const angle = (n: number) => (-2 * Math.PI * k * n) / 8;
      expect(re[k]).toBeCloseTo(
        values.reduce((s, v, n) => s + v * Math.cos(angle(n)), 0),
        12,
      );
      expect(im[k]).toBeCloseTo(
        values.reduce((s, v, n) => s + v * Math.sin(angle(n)), 0),
        12,
      );
    }
  });
});

describe("amplitude spectrum", () => {
  const even = Array.from({ length: 1001 }, (_, k) => k / 500);

  it("has the amplitude of a sine at its frequency, whatever its mean", () => {
    for (const taper of ["hann", "flat-top", "none"] as const) {
      const [frequency, amplitude] = peak(
        spectrum(even, sine(even, 3, 12.37, 50), 0, 1000, taper),
      )!;
      expect(Math.abs(frequency - 12.37)).toBeLessThan(taper === "flat-top" ? 0.25 : 0.13);
      expect(amplitude).toBeGreaterThan(2.95);
      expect(amplitude).toBeLessThan(3.06);
    }
  });

  it("takes samples at unequal steps", () => {
    const uneven = Array.from({ length: 1500 }, (_, k) => 2 * (k / 1499) ** 1.4);
    const [frequency, amplitude] = peak(spectrum(uneven, sine(uneven, 0.2, 7), 0, 1499))!;
    expect(Math.abs(frequency - 7)).toBeLessThan(0.13);
    expect(amplitude).toBeCloseTo(0.2, 2);
  });

  it("tells two frequencies apart, and looks at the part shown only", () => {
    const two = sine(even, 1, 10).map((v, k) => (k <= 500 ? v : 0) + (k > 500 ? 2 : 0));
    const [frequency] = peak(spectrum(even, two, 0, 500))!;
    expect(Math.abs(frequency - 10)).toBeLessThan(0.26);
  });

  it("of too few samples, or of none, is empty", () => {
    expect(spectrum([0, 1], Float64Array.of(1, 2), 0, 1).frequencies.length).toBe(0);
    expect(peak(spectrum([0, 1], Float64Array.of(1, 2), 0, 1))).toBeNull();
  });
});
