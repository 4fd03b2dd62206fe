// Many runs as a few paths: those left out, a path for each colour, those that failed, the chosen one.
import { svg } from "../ui/dom";
import type { Choice } from "./choice";
import { colour, step, steps } from "./colours";

/** Runs of a path: browsers take long to draw paths of very many lines. */
const AT_ONCE = 20;

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
  const leftBad: string[] = [];
  const bad: string[] = [];
  const none: string[] = [];
  const own: string[][] = Array.from({ length: steps(column) }, () => []);
  const { taken } = choice;
  const { failure } = choice.runs;
  for (const k of runs) {
    const isBad = failure.has(k);
    const where = step(column, column.values[k]);
    const to = !taken[k] ? (isBad ? leftBad : left) : isBad ? bad : where < 0 ? none : own[where];
    to.push((isBad ? failed : piece)(k));
  }
  const path = (kind: string, pieces: string[], style = "") =>
    svg("path", {
      class: `${name} ${kind}`,
      d: pieces.join(""),
      style,
      "data-runs": pieces.length,
    });
  const paths = (kind: string, pieces: string[], style = "") => {
    const drawn = pieces.filter(Boolean);
    const count = Math.ceil(drawn.length / AT_ONCE);
    return Array.from({ length: count }, (_, k) =>
      path(kind, drawn.slice(k * AT_ONCE, (k + 1) * AT_ONCE), style),
    );
  };
  const found = [...paths("left", left), ...paths("left bad", leftBad), ...paths("none", none)];
  own.forEach((pieces, k) =>
    found.push(...paths("taken", pieces, `--paint: ${colour(column, k)}`)),
  );
  found.push(...paths("failed", bad));
  const { run } = choice;
  if (run !== null) {
    const d = [(failure.has(run) ? failed : piece)(run)];
    found.push(...paths("halo", d), ...paths(failure.has(run) ? "chosen failed" : "chosen", d));
  }
  return found;
}
