// Which part of a drawing is seen: screen = drawing * scale + (x, y).
import type { Point } from "../data";

export type Bounds = readonly [x0: number, y0: number, x1: number, y1: number];

const SMALLEST = 0.05;
const LARGEST = 6;
/** Small graphs are not blown up. */
const ENOUGH = 1.25;
const MARGIN = 20;

export class Viewport {
  x = 0;
  y = 0;
  scale = 1;

  get transform(): string {
    return `translate(${this.x} ${this.y}) scale(${this.scale})`;
  }

  toDrawing([x, y]: Point): Point {
    return [(x - this.x) / this.scale, (y - this.y) / this.scale];
  }

  toScreen([x, y]: Point): Point {
    return [x * this.scale + this.x, y * this.scale + this.y];
  }

  pan(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
  }

  /** Larger or smaller, while what is under a point of the screen stays there. */
  zoom(factor: number, [x, y]: Point): void {
    const scale = Math.min(LARGEST, Math.max(SMALLEST, this.scale * factor));
    const k = scale / this.scale;
    this.x = x - (x - this.x) * k;
    this.y = y - (y - this.y) * k;
    this.scale = scale;
  }

  /** Show all of it, in a window of a width and height. */
  fit([x0, y0, x1, y1]: Bounds, width: number, height: number): void {
    const across = (width - 2 * MARGIN) / Math.max(x1 - x0, 1);
    const down = (height - 2 * MARGIN) / Math.max(y1 - y0, 1);
    this.scale = Math.min(LARGEST, Math.max(SMALLEST, Math.min(across, down, ENOUGH)));
    this.x = (width - this.scale * (x0 + x1)) / 2;
    this.y = (height - this.scale * (y0 + y1)) / 2;
  }

  /** Show a part as large as there is room for it, but not smaller than `least`; what has no room
   * begins at the left and at the top. */
  approach(bounds: Bounds, width: number, height: number, least: number): void {
    this.fit(bounds, width, height);
    if (this.scale >= least) return;
    this.zoom(least / this.scale, [width / 2, height / 2]);
    const [x, y] = this.toScreen([bounds[0], bounds[1]]);
    this.pan(Math.max(0, MARGIN - x), Math.max(0, MARGIN - y));
  }

  /** The least pan that brings a part into a window; if it does not fit, its middle. */
  bring([x0, y0, x1, y1]: Bounds, width: number, height: number): void {
    const [left, top] = this.toScreen([x0, y0]);
    const [right, bottom] = this.toScreen([x1, y1]);
    this.pan(shift(left, right, width), shift(top, bottom, height));
  }
}

function shift(low: number, high: number, room: number): number {
  if (high - low > room - 2 * MARGIN) return (room - low - high) / 2;
  if (low < MARGIN) return MARGIN - low;
  return high > room - MARGIN ? room - MARGIN - high : 0;
}
