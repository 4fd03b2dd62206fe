// Two texts, compared line by line.
import { describe, expect, it } from "vitest";
import { differingBlocks } from "../../studio/panes/differing";

const differing = (a: string, b: string) =>
  differingBlocks(a, b)
    .filter((block) => !block.isSame)
    .map(({ first, second }) => [first.join("|"), second.join("|")]);

describe("texts side by side", () => {
  it("mark each block that differs, not what lies between", () => {
    const a = "one\ntwo\nthree\nfour\nfive\nsix";
    const b = "one\n2\nthree\nfour\nsix\nseven";
    expect(differing(a, b)).toEqual([
      ["two", "2"],
      ["five", ""],
      ["", "seven"],
    ]);
  });

  it("mark nothing where nothing differs, and all where all does", () => {
    expect(differing("a\nb", "a\nb")).toEqual([]);
    expect(differing("", "a")).toEqual([["", "a"]]);
    expect(differing("a\nb", "c\nd")).toEqual([["a|b", "c|d"]]);
  });

  it("give both texts again, whatever they are", () => {
    let seed = 1;
    const letter = () => "abc"[(seed = (seed * 48271) % 2147483647) % 3];
    for (let k = 0; k < 200; k++) {
      const [a, b] = [0, 1].map(() => Array.from({ length: seed % 12 }, letter).join("\n"));
      const blocks = differingBlocks(a, b);
      expect(blocks.flatMap((block) => block.first).join("\n")).toBe(a);
      expect(blocks.flatMap((block) => block.second).join("\n")).toBe(b);
    }
  });
});
