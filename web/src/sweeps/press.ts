// A press on a picture: a click, or a drag from one place to another.
import type { Point } from "./nearest";

const STILL = 4;

interface Presses {
  click: (at: Point) => void;
  /** While it goes on, too. */
  drag?: (from: Point, to: Point) => void;
}

export function pressed(picture: SVGSVGElement, { click, drag }: Presses): void {
  let from: Point | null = null;
  let isDrag = false;
  const place = (e: PointerEvent): Point => {
    const box = picture.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  };
  picture.addEventListener("pointerdown", (e) => {
    if (e.button !== 0 || e.shiftKey) return;
    from = place(e);
    isDrag = false;
    if (drag) picture.setPointerCapture(e.pointerId);
  });
  picture.addEventListener("pointermove", (e) => {
    if (!from) return;
    const to = place(e);
    isDrag ||= Math.hypot(to[0] - from[0], to[1] - from[1]) > STILL;
    if (isDrag) drag?.(from, to);
  });
  picture.addEventListener("pointerup", (e) => {
    if (from && !isDrag) click(place(e));
    from = null;
  });
  picture.addEventListener("pointercancel", () => (from = null));
}
