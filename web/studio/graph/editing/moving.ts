// Drags that move symbols and boxes, and the band that selects them.
import type { Drag } from "../canvas/gestures";
import type { Item } from "../canvas/items";
import type { Surface } from "../canvas/surface";
import type { Point } from "../data";
import { boxOf, isWithin, snappedShift } from "./grid";
import type { Overlay } from "./overlay";

/** Moves items with the pointer; with `snaps` the first of them stands on the grid. */
export class MoveDrag implements Drag {
  readonly look = "dragging";
  private readonly start: Point;
  private readonly from: Point;
  private moved: Point = [0, 0];

  constructor(
    private readonly surface: Surface,
    private readonly items: readonly Item[],
    at: Point,
    private readonly snaps: boolean,
    private readonly done?: (items: readonly Item[]) => void,
  ) {
    this.start = surface.view.toDrawing(at);
    const [first] = items;
    this.from = (first as { anchor?: Point }).anchor ?? first.centre;
  }

  move(at: Point): void {
    const [x, y] = this.surface.view.toDrawing(at);
    const wanted: Point = [x - this.start[0], y - this.start[1]];
    this.to(this.snaps ? snappedShift(this.from, wanted) : wanted);
  }

  drop(): void {
    if (this.moved[0] || this.moved[1]) this.done?.(this.items);
  }

  cancel(): void {
    this.to([0, 0]);
  }

  private to(shift: Point): void {
    const step: Point = [shift[0] - this.moved[0], shift[1] - this.moved[1]];
    if (!step[0] && !step[1]) return;
    this.moved = shift;
    this.surface.drawing?.move(this.items, step);
  }
}

/** Selects what lies within a band. */
export class BandDrag implements Drag {
  readonly look = "banding";
  private readonly start: Point;

  constructor(
    private readonly surface: Surface,
    private readonly overlay: Overlay,
    at: Point,
    private readonly done: (items: readonly Item[]) => void,
  ) {
    this.start = surface.view.toDrawing(at);
  }

  move(at: Point): void {
    this.overlay.box(boxOf(this.start, this.surface.view.toDrawing(at)));
  }

  drop(at: Point): void {
    const band = boxOf(this.start, this.surface.view.toDrawing(at));
    this.overlay.clear();
    const all = this.surface.drawing?.items ?? [];
    this.done(all.filter((item) => item.rank !== "line" && isWithin(item.bounds, band)));
  }

  cancel(): void {
    this.overlay.clear();
  }
}
