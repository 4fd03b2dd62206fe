// The canvas: one SVG in a window. While a gesture goes on, the finished picture is moved and scaled
// as a whole; a moment later it is drawn anew at its new scale.
import { h, svg } from "../../../src/ui/dom";
import type { Point } from "../data";
import { hit, type Drawing, type Item } from "./items";
import { Viewport, type Bounds } from "./viewport";

/** Pixels of the screen within which a line is hit; of the drawing at most. */
const TOLERANCE = 7;
const WIDEST = 10;
/** Below this scale small texts are left out. */
const FAR = 0.6;
/** Milliseconds after the last movement. */
const REST = 220;

export class Surface {
  readonly element = svg("svg", { class: "graph-canvas", tabindex: 0, role: "listbox" });
  /** What is seen of it; gestures begin here. */
  readonly window = h(
    "div",
    { class: "graph-window" },
    this.element,
    h("div", { class: "graph-ring" }),
  );
  readonly view = new Viewport();
  drawing: Drawing | null = null;
  private readonly layer = svg("g", { class: "layer", role: "presentation" });
  /** What is shown above the drawing while something is made; in its pixels. */
  readonly over = svg("g", { class: "layer above", role: "presentation" });
  private frame = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;
  /** How the picture is drawn; `view` is how it is seen. */
  private readonly drawn = new Viewport();
  /** Whether all of it is shown: kept so while the pane changes its size. */
  private fitted = true;
  size: Point = [0, 0];
  /** Told when the pane has another size. */
  onSize: (() => void) | null = null;
  /** Told when it is seen from elsewhere. */
  readonly onView: (() => void)[] = [];
  private readonly observer = new ResizeObserver(() => this.resized());

  constructor(label: string) {
    this.element.setAttribute("aria-label", label);
    this.element.setAttribute("aria-multiselectable", "true");
    this.element.append(this.layer, this.over);
    this.observer.observe(this.window);
  }

  /** Put a drawing in place of the one before. `stays`: what was seen is seen where it was. */
  show(drawing: Drawing, stays = false): void {
    if (this.drawing) drawing.resume(this.drawing);
    const first = this.drawing === null;
    this.drawing = drawing;
    this.layer.replaceChildren(drawing.layer);
    if (first || (this.fitted && !stays)) this.fit();
    else this.schedule();
  }

  clear(): void {
    this.drawing = null;
    this.fitted = true;
    this.layer.replaceChildren();
  }

  /** Show all of it. */
  fit(): void {
    this.fitted = true;
    const [width, height] = this.size;
    if (!this.drawing || !width) return;
    this.view.fit(this.drawing.bounds, width, height);
    this.schedule();
  }

  /** Show one part as large as there is room for it, but not smaller than `least`. */
  zoomTo(bounds: Bounds, least: number): void {
    const [width, height] = this.size;
    if (!width) return;
    this.fitted = false;
    this.view.approach(bounds, width, height, least);
    this.schedule();
  }

  pan(dx: number, dy: number): void {
    this.fitted = false;
    this.view.pan(dx, dy);
    this.schedule();
  }

  zoom(factor: number, at: Point = [this.size[0] / 2, this.size[1] / 2]): void {
    this.fitted = false;
    this.view.zoom(factor, at);
    this.schedule();
  }

  /** Pan until a part is in sight. */
  bring(bounds: Bounds): void {
    const { x, y } = this.view;
    this.view.bring(bounds, ...(this.size as [number, number]));
    if (this.view.x === x && this.view.y === y) return;
    this.fitted = false;
    this.schedule();
  }

  get isFitted(): boolean {
    return this.fitted;
  }

  /** Whether a part of the drawing fills most of the window. */
  isFilledBy([x0, y0, x1, y1]: Bounds): boolean {
    const { scale } = this.view;
    return (x1 - x0) * scale > 0.7 * this.size[0] || (y1 - y0) * scale > 0.7 * this.size[1];
  }

  /** A place of the page, in pixels of the canvas. */
  local(event: { clientX: number; clientY: number }): Point {
    const { left, top } = this.window.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  /** What is at a point of the canvas. */
  at(screen: Point): Item | null {
    const { view, drawing } = this;
    const tolerance = Math.min(WIDEST, TOLERANCE / view.scale);
    return drawing && hit(drawing.items, view.toDrawing(screen), tolerance);
  }

  /** The box whose triangle is there, unless a symbol is upon it. */
  foldAt(screen: Point): string | null {
    const { drawing } = this;
    const at = this.view.toDrawing(screen);
    if (!drawing || hit(drawing.items, at, 0)?.rank === "symbol") return null;
    return drawing.foldAt(at);
  }

  dispose(): void {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
  }

  private resized(): void {
    const { clientWidth, clientHeight } = this.window;
    if (!clientWidth || !clientHeight) return;
    const [width, height] = this.size;
    this.size = [clientWidth, clientHeight];
    if (this.fitted || !width) this.fit();
    else this.pan((clientWidth - width) / 2, (clientHeight - height) / 2);
    this.onSize?.();
  }

  private schedule(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      const { view, drawn } = this;
      const k = view.scale / drawn.scale;
      const [x, y] = [view.x - k * drawn.x, view.y - k * drawn.y];
      this.element.classList.add("moving");
      this.element.style.transform = `translate(${x}px, ${y}px) scale(${k})`;
      for (const follow of this.onView) follow();
      this.settle();
    });
  }

  /** While it is held, as by a finger, it is not drawn anew. */
  hold(is: boolean): void {
    this.held = is;
    this.settle();
  }
  private held = false;

  private settle(): void {
    clearTimeout(this.rest);
    const moved = this.element.style.transform !== "";
    if (moved && !this.held) this.rest = setTimeout(() => this.redraw(), this.seen ? REST : 0);
  }
  private seen = false;

  /** Sharp at the scale it is seen. */
  private redraw(): void {
    const { view, drawn } = this;
    [drawn.x, drawn.y, drawn.scale] = [view.x, view.y, view.scale];
    this.seen = true;
    this.layer.setAttribute("transform", view.transform);
    this.over.setAttribute("transform", view.transform);
    this.drawing?.scaled?.(view.scale);
    this.element.style.transform = "";
    this.element.classList.remove("moving");
    this.element.classList.toggle("far", view.scale < FAR);
  }
}
