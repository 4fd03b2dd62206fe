// Many runs as a few paths: those left out, a path for each colour, those that failed, the chosen one.
import { svg } from "../ui/dom";
import type { Choice } from "./choice";
import { colour, step, steps } from "./colours";

export interface Kind {
  /** Class of its paths: "run-line", "run-dot". */
  name: string;
  /** Column by whose values it is coloured. */
  by: number;
  /** Runs that are drawn, by their place. */
  runs: Iterable<number>;
  /** A piece of a path for a run. */
  piece: (run: number) => string;
  /** The same for one that failed. */
  failed?: (run: number) => string;
}

/** Paths from back to front. */
export function strokes(choice: Choice, { name, by, runs, piece, failed = piece }: Kind) {
  const column = choice.column(by);
  const left: string[] = [];
  const bad: string[] = [];
  const none: string[] = [];
  const own: string[][] = Array.from({ length: steps(column) }, () => []);
  const { taken } = choice;
  const { failure } = choice.runs;
  for (const k of runs) {
    const isBad = failure.has(k);
    const where = step(column, column.values[k]);
    const to = !taken[k] ? left : isBad ? bad : where < 0 ? none : own[where];
    to.push((isBad ? failed : piece)(k));
  }
  const path = (kind: string, pieces: string[], style = "") =>
    svg("path", {
      class: `${name} ${kind}`,
      d: pieces.join(""),
      style,
      "data-runs": pieces.length,
    });
  const found = [path("left", left), path("none", none)];
  own.forEach((pieces, k) => {
    if (pieces.length) found.push(path("taken", pieces, `--paint: ${colour(column, k)}`));
  });
  found.push(path("failed", bad));
  const { run } = choice;
  if (run !== null) {
    const d = [(failure.has(run) ? failed : piece)(run)];
    found.push(path("halo", d), path(failure.has(run) ? "chosen failed" : "chosen", d));
  }
  return found.filter((p) => p.getAttribute("d"));
}
