// The observables of the result by name.
import type { PageData, SeriesData } from "./types";
import { unpackColumns } from "./unpack";
import { Timeline } from "../motion/timeline";

/** One component over the samples: packed numbers of a report, or those of a run as they come. */
export type Column = Float32Array | Float64Array;

/** One scalar over time. */
export interface Curve {
  name: string;
  unit: string;
  values: Column;
  /** Whether the constraints determine it (always true but for some reactions). */
  unique: boolean;
}

export class Table {
  private readonly byName = new Map<string, SeriesData>();
  private readonly curves = new Map<string, Curve>();

  private constructor(
    readonly timeline: Timeline,
    readonly series: SeriesData[],
    private readonly columns: readonly Column[],
  ) {
    for (const s of series) {
      this.byName.set(s.name, s);
      componentsOf(s).forEach((name, k) => {
        const unique = s.unique[k] ?? s.unique[0] ?? true;
        this.curves.set(name, { name, unit: s.unit, values: columns[s.column + k], unique });
      });
    }
  }

  static async read(data: PageData): Promise<Table> {
    const count = data.series.reduce((n, s) => n + Math.max(1, s.labels.length), 0);
    const columns = await unpackColumns(data.numbers, count);
    return new Table(new Timeline(data.time), data.series, columns);
  }

  /** Numbers that are here already: `columns` are those of `series`, by their `column`. */
  static of(timeline: Timeline, series: SeriesData[], columns: readonly Column[]): Table {
    return new Table(timeline, series, columns);
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  get(name: string): SeriesData | undefined {
    return this.byName.get(name);
  }

  curve(name: string): Curve | undefined {
    return this.curves.get(name);
  }

  /** All components of an observable. */
  columnsOf(name: string): Column[] {
    const s = this.byName.get(name);
    return s ? this.columns.slice(s.column, s.column + Math.max(1, s.labels.length)) : [];
  }

  /** Components of an observable at a time, linear between samples. */
  at(name: string, time: number): number[] {
    const place = this.timeline.place(time);
    return this.columnsOf(name).map((c) => between(c, place.index, place.fraction));
  }

  /** One scalar at a time. */
  value(curve: Curve, time: number): number {
    const { index, fraction } = this.timeline.place(time);
    return between(curve.values, index, fraction);
  }
}

/** Names of the scalars of an observable. */
export function componentsOf(s: SeriesData): string[] {
  return s.labels.length ? s.labels.map((label) => `${s.name}.${label}`) : [s.name];
}

function between(values: Column, index: number, fraction: number): number {
  return fraction ? values[index] + fraction * (values[index + 1] - values[index]) : values[index];
}
