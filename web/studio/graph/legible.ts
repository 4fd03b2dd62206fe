// Whether the elements of a graph can be read when all of it is shown; otherwise its boxes begin
// folded. Decided once for a document and a size of pane, so that nothing folds by itself later.
import { Viewport, type Bounds } from "./canvas/viewport";
import type { GraphData, Point } from "./data";

/** Pixels of an element's text in the drawing, and what can still be read on the screen. */
const TEXT = 12;
const READ = 7;

/** The least scale at which elements are legible. */
export const LEGIBLE = READ / TEXT;

/** The scale at which all of a drawing is seen in a window. */
export function fittedScale(bounds: Bounds, [width, height]: Point): number {
  const view = new Viewport();
  view.fit(bounds, width, height);
  return view.scale;
}

/** Panes of one class differ by less than a half in width and height. */
export function sizeClass([width, height]: Point): string {
  const step = (length: number) => Math.round(2 * Math.log2(Math.max(1, length)));
  return `${step(width)}x${step(height)}`;
}

/** Graphs whose boxes begin folded, by document and class of size. */
const decided = new Map<string, boolean>();

export class Legibility {
  constructor(
    private readonly path: () => string,
    private readonly size: () => Point,
  ) {}

  private get key(): string {
    return `${sizeClass(this.size())} ${this.path()}`;
  }

  get isDecided(): boolean {
    return decided.has(this.key);
  }

  get isFolded(): boolean {
    return decided.get(this.key) ?? false;
  }

  /** With a drawing whose boxes are open. */
  decide({ bounds, boxes }: GraphData): void {
    const canFold = boxes.some(({ open, canOpen }) => open && canOpen);
    const size = this.size();
    if (size[0] && size[1]) decided.set(this.key, canFold && fittedScale(bounds, size) < LEGIBLE);
  }
}
