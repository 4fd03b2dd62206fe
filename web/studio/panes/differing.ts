// What differs between two texts, line by line: blocks that both have, and blocks that differ.

export interface Block {
  /** Both texts have these lines. */
  readonly isSame: boolean;
  readonly first: readonly string[];
  readonly second: readonly string[];
}

/** Pairs of lines above which the rest is one block: texts of that size are not compared by eye. */
const MOST_PAIRS = 4_000_000;

/** The texts as blocks, in their order: most lines that can be kept are kept. */
export function differingBlocks(a: string, b: string): Block[] {
  const [x, y] = [a.split("\n"), b.split("\n")];
  const most = Math.min(x.length, y.length);
  let start = 0;
  while (start < most && x[start] === y[start]) start++;
  let end = 0;
  while (end < most - start && x[x.length - 1 - end] === y[y.length - 1 - end]) end++;
  const [p, q] = [x.length - end, y.length - end];
  const pairs = pairsOf(x.slice(start, p), y.slice(start, q));
  const kept: [number, number][] = [
    ...Array.from({ length: start }, (_, k): [number, number] => [k, k]),
    ...pairs.map(([i, j]): [number, number] => [i + start, j + start]),
    ...Array.from({ length: end }, (_, k): [number, number] => [p + k, q + k]),
  ];
  return blocksOf(x, y, kept);
}

/** Lines that both have, as pairs of places: the longest common sequence. */
function pairsOf(x: readonly string[], y: readonly string[]): [number, number][] {
  const [n, m] = [x.length, y.length];
  if (n * m > MOST_PAIRS) return [];
  const width = m + 1;
  const lengths = new Uint32Array((n + 1) * width); // of what the rests have in common
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--)
      lengths[i * width + j] =
        x[i] === y[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < n && j < m)
    if (x[i] === y[j]) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) i++;
    else j++;
  return pairs;
}

/** Pairs of equal lines, and what lies between them. */
function blocksOf(
  x: readonly string[],
  y: readonly string[],
  kept: readonly [number, number][],
): Block[] {
  const blocks: Block[] = [];
  let [i, j] = [0, 0];
  let same: string[] = [];
  const close = () => {
    if (same.length > 0) blocks.push({ isSame: true, first: same, second: same });
    same = [];
  };
  const differ = (toI: number, toJ: number) => {
    if (toI === i && toJ === j) return;
    close();
    blocks.push({ isSame: false, first: x.slice(i, toI), second: y.slice(j, toJ) });
  };
  for (const [toI, toJ] of kept) {
    differ(toI, toJ);
    same.push(x[toI]);
    [i, j] = [toI + 1, toJ + 1];
  }
  differ(x.length, y.length);
  close();
  return blocks;
}
