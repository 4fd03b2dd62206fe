// Round numbers along an axis.

/** 1, 2 or 5 times a power of ten, not below `rough`. */
export function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  return (share <= 1.0000001 ? 1 : share <= 2.0000001 ? 2 : share <= 5.0000001 ? 5 : 10) * power;
}

/** Round numbers within [low, high], about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const step = niceStep((high - low) / Math.max(1, count));
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

/** Labels with just the digits that tell the ticks apart. */
export function tickLabels(values: number[]): string[] {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) : Math.abs(values[0]) || 1;
  const most = Math.max(...values.map(Math.abs), step);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  if (most >= 1e5 || digits > 4) {
    const places = Math.max(0, Math.floor(Math.log10(most)) - Math.floor(Math.log10(step) + 1e-9));
    return values.map((v) => (Math.abs(v) < step / 2 ? "0" : minus(v.toExponential(places))));
  }
  return values.map((v) => minus((Math.abs(v) < step / 2 ? 0 : v).toFixed(digits)));
}

/** A constant, without idle zeros. */
export function brief(value: number): string {
  return minus(`${Number(value.toPrecision(4))}`);
}

/** A changing number of about four digits. */
export function readable(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return minus(value.toExponential(3));
  const places = size >= 1000 ? 1 : size >= 100 ? 2 : size >= 10 ? 3 : size >= 0.1 ? 4 : 5;
  return minus(value.toFixed(size ? places : 4));
}

function minus(text: string): string {
  return text.replace(/-/g, "−");
}
