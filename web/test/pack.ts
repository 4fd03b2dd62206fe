// What pliant.show.page.packing does, for tests.
import { deflateSync } from "node:zlib";

export function pack(columns: number[][]): string {
  const bits = columns.map((c) => new Int32Array(Float32Array.from(c).buffer));
  const steps = bits.flatMap((c) => Array.from(c, (v, k) => (k ? (v - c[k - 1]) | 0 : v)));
  const planes = [0, 8, 16, 24].flatMap((shift) => steps.map((v) => (v >>> shift) & 255));
  return deflateSync(Uint8Array.from(planes)).toString("base64");
}
