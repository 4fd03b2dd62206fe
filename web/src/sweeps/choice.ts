// What is looked at: axes, colours, parts of axes, and the run that was chosen. Views follow it.
import type { Column, Runs } from "./data";

export type Part = readonly [low: number, high: number];

export class Choice {
  /** Axes side by side, by their number. */
  readonly axes: Set<number>;
  readonly parts = new Map<number, Part>();
  colour: number;
  /** Axes of the map, and what is its colour. */
  x: number;
  y: number;
  z: number;
  /** Which observable is drawn over time. */
  curve = 0;
  run: number | null = null;
  private mask: Uint8Array | null = null;
  private readonly followers: (() => void)[] = [];

  constructor(readonly runs: Runs) {
    const { columns } = runs;
    const all = columns.map((_, k) => k);
    this.axes = new Set(all.filter((k) => columns[k].shown));
    const varied = all.filter((k) => columns[k].kind === "varied");
    const scores = all.filter((k) => columns[k].kind === "score");
    const end = all.at(-1)!;
    this.colour = varied[0];
    this.x = varied[0];
    this.y = varied[1] ?? scores[0] ?? end;
    this.z = varied.length > 1 ? (scores[0] ?? end) : varied[0];
  }

  follow(follower: () => void): void {
    this.followers.push(follower);
  }

  /** Something was changed. */
  change(how: () => void): void {
    how();
    this.mask = null;
    for (const follower of this.followers) follower();
  }

  column(k: number): Column {
    return this.runs.columns[k];
  }

  /** Take runs within a part of an axis only; null: of all of it. */
  limit(axis: number, part: Part | null): void {
    this.change(() => (part ? this.parts.set(axis, part) : this.parts.delete(axis)));
  }

  /** Of every run whether it is within all parts. */
  get taken(): Uint8Array {
    if (this.mask) return this.mask;
    const mask = new Uint8Array(this.runs.count).fill(1);
    for (const [axis, [low, high]] of this.parts) {
      const { values } = this.column(axis);
      for (let k = 0; k < mask.length; k++)
        if (!(values[k] >= low && values[k] <= high)) mask[k] = 0;
    }
    this.mask = mask;
    return mask;
  }

  get count(): number {
    return this.taken.reduce((sum, one) => sum + one, 0);
  }
}
