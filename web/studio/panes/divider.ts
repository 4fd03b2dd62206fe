// A line between two parts that the mouse or the arrow keys move.
import { h } from "../../src/ui/dom";

export interface Moved {
  /** Pixels from the edge of what is divided. */
  (at: number): void;
}

const STEP = 24;

export interface DividerOptions {
  along: "row" | "column";
  label: string;
  /** The element whose left or top edge positions count from. */
  frame: () => DOMRect;
  now: () => number;
  move: Moved;
  reset?: () => void;
}

export function divider(options: DividerOptions): HTMLElement {
  const { along, label, frame, now, move, reset } = options;
  const isRow = along === "row";
  const element = h("div", {
    class: `divider ${along}`,
    role: "separator",
    tabindex: 0,
    "aria-label": label,
    "aria-orientation": isRow ? "vertical" : "horizontal",
  });
  const at = (event: PointerEvent): number => {
    const { left, top } = frame();
    return isRow ? event.clientX - left : event.clientY - top;
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    element.focus();
    element.setPointerCapture(event.pointerId);
    element.classList.add("held");
  });
  element.addEventListener("pointermove", (event) => {
    if (element.classList.contains("held")) move(at(event));
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
    element.addEventListener(end, () => element.classList.remove("held"));
  element.addEventListener("dblclick", (event) => {
    event.stopPropagation();
    reset?.();
  });
  element.addEventListener("keydown", (event) => {
    const steps: Record<string, number> = isRow
      ? { ArrowLeft: -STEP, ArrowRight: STEP }
      : { ArrowUp: -STEP, ArrowDown: STEP };
    if (!(event.key in steps)) return;
    event.preventDefault();
    event.stopPropagation();
    move(now() + steps[event.key]);
  });
  return element;
}
