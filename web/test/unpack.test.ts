import { expect, it } from "vitest";
import { unpackColumns } from "../src/data/unpack";
import { pack } from "./pack";

it("reads back what was packed, to single precision", async () => {
  const columns = [
    [0, 1.5, -2.25, 1e30],
    [NaN, -1, 1, 0.1],
  ];
  const found = await unpackColumns(pack(columns), 2);
  expect(found.map((c) => Array.from(c))).toEqual(
    columns.map((c) => Array.from(Float32Array.from(c))),
  );
});

it("reads what Python packed", async () => {
  // pliant.show.page.packing.packed([[0, 0.5, 1, 1], [3, -3, 3, 3]])
  const text = "eNpjYEAHDQwOIMqegcGhoYEBAA9ZAkA=";
  const found = await unpackColumns(text, 2);
  expect(found.map((c) => Array.from(c))).toEqual([
    [0, 0.5, 1, 1],
    [3, -3, 3, 3],
  ]);
});

it("reads nothing from nothing", async () => {
  expect(await unpackColumns("", 0)).toEqual([]);
});
