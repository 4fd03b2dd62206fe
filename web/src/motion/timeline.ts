// The times of the samples, and where a time lies among them.

/** Times in ascending order. */
export type Times = readonly number[] | Float64Array | Float32Array;

export interface Place {
  /** The sample at or before the time. */
  index: number;
  /** How far it is on the way to the next sample, 0..1. */
  fraction: number;
}

export class Timeline {
  private last: Place = { index: 0, fraction: 0 };

  constructor(readonly times: Times) {}

  get start(): number {
    return this.times[0];
  }

  get end(): number {
    return this.times[this.times.length - 1];
  }

  get duration(): number {
    return this.end - this.start;
  }

  /** The place of a time; times outside the run are taken to its ends. */
  place(time: number): Place {
    const { times } = this;
    const most = times.length - 1;
    if (!(time > times[0])) return (this.last = { index: 0, fraction: 0 });
    if (time >= times[most]) return (this.last = { index: most, fraction: 0 });
    let low = 0;
    let high = most;
    const guess = this.last.index;
    if (times[guess] <= time && time < (times[guess + 1] ?? Infinity)) low = high = guess;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle;
    }
    const span = times[low + 1] - times[low];
    return (this.last = { index: low, fraction: span > 0 ? (time - times[low]) / span : 0 });
  }

  /** The sample nearest to a time. */
  nearest(time: number): number {
    const { index, fraction } = this.place(time);
    return fraction > 0.5 ? index + 1 : index;
  }
}
