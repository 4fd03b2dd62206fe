// The pointer on the canvas: pan, zoom around the pointer, drag of symbols, click, double click.
import type { Point } from "../data";
import type { Item } from "./items";
import type { Surface } from "./surface";

export interface Pointing {
  /** What is under the pointer, and where on the canvas. */
  over(item: Item | null, at: Point): void;
  click(item: Item | null, event: MouseEvent): void;
  open(item: Item): void;
  fold(box: string): void;
}

const STILL = 4;
const PER_LINE = 30;

export class Gestures {
  private readonly fingers = new Map<number, Point>();
  private start: Point | null = null;
  private dragged: Item | null = null;
  private moving = false;
  /** Movement since the last frame. */
  private pending: Point = [0, 0];
  private frame = 0;

  constructor(
    private readonly surface: Surface,
    private readonly does: Pointing,
  ) {
    const { window: element } = surface;
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.up(event));
    element.addEventListener("pointercancel", (event) => this.cancel(event));
    element.addEventListener("pointerleave", () => does.over(null, [0, 0]));
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    element.addEventListener("dblclick", (event) => this.doubled(event));
  }

  private down(event: PointerEvent): void {
    if (event.button > 1) return;
    event.preventDefault();
    this.surface.element.focus({ preventScroll: true });
    this.surface.window.setPointerCapture(event.pointerId);
    const at = this.surface.local(event);
    this.fingers.set(event.pointerId, at);
    this.start = at;
    this.moving = false;
    this.dragged = event.button === 0 ? this.grasped(at) : null;
  }

  /** What a drag from here moves; a box that fills the window is moved by its name only. */
  private grasped(at: Point): Item | null {
    const item = this.surface.at(at);
    if (!item || item.rank === "line") return null;
    if (item.rank === "area" && this.surface.isFilledBy(item.bounds)) return null;
    return item;
  }

  private move(event: PointerEvent): void {
    const at = this.surface.local(event);
    const before = this.fingers.get(event.pointerId);
    if (!before || !this.start) {
      this.does.over(this.surface.at(at), at);
      return;
    }
    if (!this.moving && Math.hypot(at[0] - this.start[0], at[1] - this.start[1]) < STILL) return;
    if (!this.moving) this.begin();
    if (this.fingers.size === 2) this.pinch(event.pointerId, at);
    else this.pending = [this.pending[0] + at[0] - before[0], this.pending[1] + at[1] - before[1]];
    this.fingers.set(event.pointerId, at);
    this.frame ||= requestAnimationFrame(() => this.apply());
  }

  private begin(): void {
    this.moving = true;
    this.surface.hold(true);
    this.does.over(null, [0, 0]);
    this.surface.window.classList.add(this.dragged ? "dragging" : "panning");
    const start = [...this.fingers.values()][0];
    if (this.start && start) this.pending = [start[0] - this.start[0], start[1] - this.start[1]];
  }

  /** What the pointer did since the last frame. */
  private apply(): void {
    this.frame = 0;
    const [dx, dy] = this.pending;
    this.pending = [0, 0];
    if (!dx && !dy) return;
    const { view, drawing } = this.surface;
    if (this.dragged) drawing?.move(this.dragged, [dx / view.scale, dy / view.scale]);
    else this.surface.pan(dx, dy);
  }

  private pinch(moved: number, at: Point): void {
    const other = [...this.fingers].find(([id]) => id !== moved)![1];
    const before = this.fingers.get(moved)!;
    const apart = (p: Point) => Math.max(20, Math.hypot(p[0] - other[0], p[1] - other[1]));
    this.surface.zoom(apart(at) / apart(before), other);
  }

  private up(event: PointerEvent): void {
    const { moving } = this;
    this.cancel(event);
    if (moving || event.button !== 0) return;
    const at = this.surface.local(event);
    const fold = this.surface.foldAt(at);
    if (fold !== null) this.does.fold(fold);
    else this.does.click(this.surface.at(at), event);
  }

  private cancel(event: PointerEvent): void {
    this.apply();
    this.fingers.delete(event.pointerId);
    if (this.fingers.size) return;
    this.start = this.dragged = null;
    if (this.moving) this.surface.hold(false);
    this.moving = false;
    this.surface.window.classList.remove("dragging", "panning");
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const steps = event.deltaY * (event.deltaMode === 1 ? PER_LINE : 1);
    const speed = event.ctrlKey ? 0.01 : 0.0016;
    const clamped = Math.max(-400, Math.min(400, steps));
    this.surface.zoom(Math.exp(-clamped * speed), this.surface.local(event));
  }

  private doubled(event: MouseEvent): void {
    const at = this.surface.local(event);
    const item = this.surface.foldAt(at) === null ? this.surface.at(at) : null;
    if (item?.rank === "area") this.does.open(item);
  }
}
