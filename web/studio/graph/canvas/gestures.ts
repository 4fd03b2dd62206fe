// The pointer on the canvas: pan, zoom around the pointer, drags of whatever is grasped, click,
// double click.
import type { Point } from "../data";
import type { Item } from "./items";
import type { Surface } from "./surface";

/** Something that the pointer leads, from when it first moves until it is let go. */
export interface Drag {
  /** How the window looks meanwhile: "dragging", "linking", "banding". */
  readonly look: string;
  /** Once a frame; places are those of the canvas. */
  move(at: Point, event: PointerEvent): void;
  drop(at: Point, event: PointerEvent): void;
  /** Leave everything as it was. */
  cancel(): void;
}

export interface Pointing {
  /** What is under the pointer, and where on the canvas. */
  over(item: Item | null, at: Point): void;
  click(item: Item | null, event: MouseEvent): void;
  double(item: Item | null, at: Point): void;
  fold(box: string): void;
  /** What a drag from here would lead; null: the whole drawing. */
  grasp(item: Item | null, at: Point, event: PointerEvent): Drag | null;
}

const STILL = 4;
const PER_LINE = 30;

export class Gestures {
  private readonly fingers = new Map<number, Point>();
  private start: Point | null = null;
  private drag: Drag | null = null;
  private moving = false;
  /** Movement since the last frame, and the event that brought it. */
  private pending: Point = [0, 0];
  private latest: PointerEvent | null = null;
  private frame = 0;

  constructor(
    private readonly surface: Surface,
    private readonly does: Pointing,
  ) {
    const { window: element } = surface;
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.up(event));
    element.addEventListener("pointercancel", (event) => this.end(event, false));
    element.addEventListener("pointerleave", () => does.over(null, [0, 0]));
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    element.addEventListener("dblclick", (event) => this.doubled(event));
  }

  /** Give up what is being dragged; whether anything was. */
  abandon(): boolean {
    if (!this.drag || !this.moving) return false;
    this.surface.window.classList.remove(this.drag.look);
    this.drag.cancel();
    this.drag = null;
    this.start = null;
    this.fingers.clear();
    this.moving = false;
    this.surface.hold(false);
    return true;
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
    this.drag = null;
    if (event.button === 0 && this.fingers.size === 1)
      this.drag = this.does.grasp(this.surface.at(at), at, event);
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
    this.latest = event;
    this.frame ||= requestAnimationFrame(() => this.apply());
  }

  private begin(): void {
    this.moving = true;
    this.surface.hold(true);
    this.does.over(null, [0, 0]);
    this.surface.window.classList.add(this.drag?.look ?? "panning");
    const start = [...this.fingers.values()][0];
    if (this.start && start) this.pending = [start[0] - this.start[0], start[1] - this.start[1]];
  }

  /** What the pointer did since the last frame. */
  private apply(): void {
    this.frame = 0;
    const [dx, dy] = this.pending;
    this.pending = [0, 0];
    if (!this.latest || (!dx && !dy)) return;
    if (this.drag) this.drag.move(this.surface.local(this.latest), this.latest);
    else this.surface.pan(dx, dy);
  }

  private pinch(moved: number, at: Point): void {
    const other = [...this.fingers].find(([id]) => id !== moved)![1];
    const before = this.fingers.get(moved)!;
    const apart = (p: Point) => Math.max(20, Math.hypot(p[0] - other[0], p[1] - other[1]));
    this.surface.zoom(apart(at) / apart(before), other);
  }

  private up(event: PointerEvent): void {
    const { moving, start } = this;
    this.end(event, true);
    if (moving || !start || event.button !== 0) return;
    const at = this.surface.local(event);
    const fold = this.surface.foldAt(at);
    if (fold !== null) this.does.fold(fold);
    else this.does.click(this.surface.at(at), event);
  }

  private end(event: PointerEvent, drops: boolean): void {
    const { drag, moving } = this;
    this.apply();
    this.fingers.delete(event.pointerId);
    if (this.fingers.size) return;
    this.start = this.drag = null;
    this.moving = false;
    this.surface.window.classList.remove(drag?.look ?? "panning", "panning");
    if (!moving) return;
    this.surface.hold(false);
    if (drops) drag?.drop(this.surface.local(event), event);
    else drag?.cancel();
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
    if (this.surface.foldAt(at) === null) this.does.double(this.surface.at(at), at);
  }
}
