// The inverse of pliant.show.page.packing.

async function inflated(text: string): Promise<Uint8Array> {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const KEPT = 64;
const unpacked = new Map<string, Promise<Float32Array[]>>();

/** Columns of single-precision numbers, `count` of them, all of one length. Those of the last few
 * texts are kept: scenes that follow each other differ in little. */
export function unpackColumns(text: string, count: number): Promise<Float32Array[]> {
  if (!text || !count) return Promise.resolve([]);
  const key = `${count} ${text}`;
  const found = unpacked.get(key) ?? unpackedAnew(text, count);
  unpacked.delete(key);
  unpacked.set(key, found);
  if (unpacked.size > KEPT) unpacked.delete(unpacked.keys().next().value!);
  return found;
}

async function unpackedAnew(text: string, count: number): Promise<Float32Array[]> {
  const bytes = await inflated(text);
  const total = bytes.length / 4;
  const length = total / count;
  const bits = new Int32Array(total);
  for (let k = 0, last = 0; k < total; k++) {
    if (k % length === 0) last = 0;
    const step =
      bytes[k] |
      (bytes[k + total] << 8) |
      (bytes[k + 2 * total] << 16) |
      (bytes[k + 3 * total] << 24);
    last = (last + step) | 0;
    bits[k] = last;
  }
  const numbers = new Float32Array(bits.buffer);
  return Array.from({ length: count }, (_, c) => numbers.subarray(c * length, (c + 1) * length));
}

/** Whole numbers. */
export async function unpackIndices(text: string): Promise<Uint32Array> {
  return new Uint32Array((await inflated(text)).buffer);
}
