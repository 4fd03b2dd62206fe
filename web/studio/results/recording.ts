// The numbers of one run as far as they are here: they come in frames while it goes on, and more
// observables are asked for later.
import { type Column, Table } from "../../src/data/table";
import type { SceneData, SeriesData } from "../../src/data/types";
import { Timeline, type Times } from "../../src/motion/timeline";
import type { Frame } from "../protocol";

export interface Line {
  times: Times;
  values: Column;
  unit: string;
  unique: boolean;
}

/** Columns that grow; the room doubles when it is used up. */
class Growing {
  private room: Float64Array[] = [];
  count = 0;

  put(columns: readonly Float64Array[], offset: number): void {
    const count = columns[0]?.length ?? 0;
    const needed = offset + count;
    while (this.room.length < columns.length) this.room.push(new Float64Array(needed));
    this.room = this.room.map((c) => {
      if (c.length >= needed) return c;
      const larger = new Float64Array(2 * needed);
      larger.set(c);
      return larger;
    });
    columns.forEach((c, k) => this.room[k].set(c, offset));
    this.count = needed;
  }

  get columns(): Float64Array[] {
    return this.room.map((c) => c.subarray(0, this.count));
  }
}

export class Recording {
  scene: SceneData | null = null;
  params: Readonly<Record<string, string>> = {};
  /** Counts what has come. */
  version = 0;
  /** Both views have drawn it (drafts). */
  readonly drawn = { curves: false, stage: false };
  private growing = new Growing();
  private series: SeriesData[] = [];
  private main: Table | null = null;
  private readonly more: Table[] = [];

  constructor(
    /** Number of the run; of a draft the number of its job. */
    readonly id: number,
    readonly draft: boolean,
  ) {}

  /** Samples as the run goes on. */
  append({ header, time, columns }: Frame): void {
    if (header.series.length) this.series = header.series;
    if (header.scene) this.scene = header.scene;
    if (header.params) this.params = header.params;
    this.growing.put([time, ...columns], header.offset);
    this.main = null;
    this.version++;
  }

  /** All samples of more observables. */
  add({ header, time, columns }: Frame): void {
    const table = Table.of(new Timeline(time), header.series, columns);
    if (header.scene) {
      if (this.count) this.more.push(this.table);
      this.scene = header.scene;
      this.series = header.series;
      this.growing = new Growing();
      this.growing.put([time, ...columns], 0);
      this.main = table;
    } else this.more.push(table);
    this.version++;
  }

  get count(): number {
    return this.growing.count;
  }

  /** The samples with the poses. */
  get table(): Table {
    this.main ??= this.made();
    return this.main;
  }

  private made(): Table {
    const [time, ...columns] = this.growing.columns;
    const isEmpty = !time?.length;
    return Table.of(new Timeline(isEmpty ? [0] : time), isEmpty ? [] : this.series, columns);
  }

  get timeline(): Timeline {
    return this.count ? this.table.timeline : (this.more[0]?.timeline ?? this.table.timeline);
  }

  has(name: string): boolean {
    return this.find(name) !== null;
  }

  line(name: string): Line | null {
    const table = this.find(name);
    const curve = table?.curve(name);
    return table && curve
      ? {
          times: table.timeline.times,
          values: curve.values,
          unit: curve.unit,
          unique: curve.unique,
        }
      : null;
  }

  /** Value of a scalar at a time. */
  value(name: string, time: number): { value: number; unit: string } | null {
    const table = this.find(name);
    const curve = table?.curve(name);
    return table && curve ? { value: table.value(curve, time), unit: curve.unit } : null;
  }

  private find(name: string): Table | null {
    if (this.count && this.table.curve(name)) return this.table;
    return this.more.find((t) => t.curve(name)) ?? null;
  }
}
