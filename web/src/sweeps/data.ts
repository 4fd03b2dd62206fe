// What the Python side writes of a sweep (pliant.show.page.sweep.sweep_data), and its numbers.
import { unpackColumns } from "../data/unpack";

export interface ColumnData {
  name: string;
  unit: string;
  /** What was varied, what came of it, when runs ended. */
  kind: "varied" | "score" | "end";
  /** Of choices: numbers are places among these words. */
  words?: string[];
  /** Whether it is an axis at first. */
  shown: boolean;
}

export interface SweepData {
  title: string;
  version: string;
  plan: string;
  /** Runs of the sweep; `runs` are the numbers of those that are here. */
  total: number;
  runs: number[];
  columns: ColumnData[];
  table: string;
  time: number[];
  curves: { name: string; unit: string }[];
  /** Runs that have curves: places among `runs`. */
  drawn: number[];
  numbers: string;
  /** Why runs failed, with their places among `runs`. */
  failures: { text: string; runs: number[] }[];
  notes: string[];
}

/** An axis: a number for each run, not a number where there is none. */
export interface Column extends ColumnData {
  values: Float32Array;
  low: number;
  high: number;
}

/** All runs of a page, by their place. */
export class Runs {
  readonly failure = new Map<number, string>();

  private constructor(
    readonly data: SweepData,
    readonly columns: readonly Column[],
    /** Curves of the first observable, of all runs drawn; then those of the next one. */
    private readonly numbers: readonly Float32Array[],
  ) {
    for (const { text, runs } of data.failures) for (const k of runs) this.failure.set(k, text);
  }

  static async read(data: SweepData): Promise<Runs> {
    const { columns, curves, drawn } = data;
    const table = data.runs.length ? await unpackColumns(data.table, columns.length) : [];
    const numbers = await unpackColumns(data.numbers, curves.length * drawn.length);
    const found = columns.map((c, k) => withLimits(c, table[k] ?? new Float32Array()));
    return new Runs(data, found, numbers);
  }

  get count(): number {
    return this.data.runs.length;
  }

  /** The curve of the nth run drawn. */
  curve(observable: number, n: number): Float32Array {
    return this.numbers[observable * this.data.drawn.length + n];
  }
}

function withLimits(data: ColumnData, values: Float32Array): Column {
  if (data.words) return { ...data, values, low: 0, high: data.words.length - 1 };
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return { ...data, values, low, high };
}
