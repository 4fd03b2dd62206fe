// Power on a bond: how wide its band is.
const WIDEST = 14;
/** Flows that are thinner are left out. */
const THINNEST = 0.6;

/** Pixels for a power; the root keeps small ones in sight. */
export function widthOf(power: number, largest: number): number {
  const width = largest > 0 ? WIDEST * Math.sqrt(Math.abs(power) / largest) : 0;
  return width < THINNEST ? 0 : width;
}
