// Power on bonds: their width, and an arrow the way it flows, at the time shown.
import { signal } from "@preact/signals";
import { widthOf } from "../../src/motion/power";
import { svg } from "../../src/ui/dom";
import type { BondLine } from "./drawing/lines";
import { middle } from "./geometry";

export interface BondPower {
  /** Seconds, rising. */
  times: Float64Array;
  /** Watts from tail to head, by bond. */
  power: Map<string, Float64Array>;
}

/** Filled by a power audit; null: bonds are drawn as lines only. */
export const bondPower = signal<BondPower | null>(null);

/** Below this scale bands are widened. */
const FAR = 0.7;

/** Between which samples a time is: the first one's number, and how far it is to the next. */
export function sampleAt(times: Float64Array, time: number): [index: number, part: number] {
  let [low, high] = [0, times.length - 1];
  if (high < 1 || time <= times[0]) return [0, 0];
  if (time >= times[high]) return [high, 0];
  while (high - low > 1) {
    const half = (low + high) >> 1;
    if (times[half] <= time) low = half;
    else high = half;
  }
  return [low, (time - times[low]) / (times[high] - times[low])];
}

class Flow {
  private readonly band = svg("path", { class: "flow" });
  private readonly arrow = svg("path", { class: "flow-arrow" });
  private width = -1;
  private sign = 0;

  constructor(
    private readonly bond: BondLine,
    private readonly values: Float64Array,
  ) {
    bond.underlay(this.band, () => this.turn());
    bond.element.append(this.arrow);
  }

  show(index: number, part: number, largest: number, growth: number): void {
    const { values } = this;
    const now = part ? values[index] * (1 - part) + values[index + 1] * part : values[index];
    this.bond.power = now;
    const width = Math.round(growth * widthOf(now, largest) * 2) / 2;
    const sign = width ? Math.sign(now) : 0;
    if (width !== this.width) this.band.style.strokeWidth = `${width}px`;
    if (width !== this.width || sign !== this.sign) {
      [this.width, this.sign] = [width, sign];
      this.turn();
    }
  }

  /** The arrow in the middle of the bond, as wide as the band. */
  private turn(): void {
    const { at, along } = middle(this.bond.way);
    const half = this.sign * (4 + this.width / 2);
    const aside = Math.abs(half);
    const [ux, uy] = along;
    const [x, y] = at;
    const tip = `${x + half * ux} ${y + half * uy}`;
    const left = `${x - half * ux - aside * uy} ${y - half * uy + aside * ux}`;
    const right = `${x - half * ux + aside * uy} ${y - half * uy - aside * ux}`;
    this.arrow.setAttribute("d", this.sign ? `M${tip}L${left}L${right}Z` : "");
  }

  remove(): void {
    this.band.remove();
    this.arrow.remove();
    this.bond.power = null;
  }
}

/** The flows of one drawing. */
export class Flows {
  private flows: Flow[] = [];
  private largest = 0;
  private data: BondPower | null = null;
  private growth = 1;
  private time = 0;

  /** Bonds of a drawing with their power; null: without. */
  show(bonds: readonly BondLine[], data: BondPower | null): void {
    for (const flow of this.flows) flow.remove();
    this.flows = [];
    this.data = data;
    this.largest = 0;
    for (const values of data?.power.values() ?? [])
      for (const value of values) this.largest = Math.max(this.largest, Math.abs(value) || 0);
    for (const bond of bonds) {
      const values = data?.power.get(bond.name);
      if (values?.length) this.flows.push(new Flow(bond, values));
    }
  }

  /** Wider in a picture seen from afar. */
  scaled(scale: number): void {
    this.growth = Math.min(2.5, Math.max(1, FAR / scale));
    this.at(this.time);
  }

  at(time: number): void {
    this.time = time;
    if (!this.data || !this.flows.length) return;
    const [index, part] = sampleAt(this.data.times, time);
    for (const flow of this.flows) flow.show(index, part, this.largest, this.growth);
  }
}
