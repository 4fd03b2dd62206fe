// A column along an axis: numbers at round places, words at even ones, and a place for no number.
import { marksOf, type Mark } from "../plots/rules";
import type { Column } from "./data";

/** Room between the axis and the place of runs that have no number. */
const APART = 14;

export class Axis {
  private readonly low: number;
  private readonly high: number;

  /** `from` and `to`: pixels of the lowest and the highest value. */
  constructor(
    readonly column: Column,
    readonly from: number,
    readonly to: number,
  ) {
    const { low, high, words } = column;
    const room = words ? 0.35 : high > low ? 0.03 * (high - low) : 0.5 * Math.abs(high) || 1;
    [this.low, this.high] = Number.isFinite(low) ? [low - room, high + room] : [0, 1];
  }

  /** Where no number is. */
  get nowhere(): number {
    return this.from + (this.from > this.to ? APART : -APART);
  }

  at(value: number): number {
    if (!Number.isFinite(value)) return this.nowhere;
    return this.from + ((value - this.low) / (this.high - this.low)) * (this.to - this.from);
  }

  /** The value at a pixel. */
  value(pixel: number): number {
    return this.low + ((pixel - this.from) / (this.to - this.from)) * (this.high - this.low);
  }

  marks(count: number): Mark[] {
    const { words, low, high } = this.column;
    if (words) return words.map((text, at) => ({ at, text }));
    if (!Number.isFinite(low)) return [];
    return low === high
      ? [{ at: low, text: `${Number(low.toPrecision(4))}` }]
      : marksOf(low, high, count);
  }
}
