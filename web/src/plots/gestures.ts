// Drag scrubs; shift-drag chooses a part; wheel with a modifier and pinching zoom; double click resets.
import { svg } from "../ui/dom";
import type { TimeWindow } from "./window";

export function drag(
  chart: SVGSVGElement,
  window: Pick<TimeWindow, "set" | "zoom" | "reset">,
  timeAt: (x: number) => number,
  seek: (time: number) => void,
): void {
  const fingers = new Map<number, number>();
  const band = svg("rect", { class: "band", y: 0, height: "100%" });
  let chosen: number | null = null;
  const place = (e: MouseEvent) => e.clientX - chart.getBoundingClientRect().left;

  const showBand = (x: number) => {
    band.setAttribute("x", `${Math.min(x, chosen!)}`);
    band.setAttribute("width", `${Math.abs(x - chosen!)}`);
    chart.append(band);
  };
  const pinch = (id: number, x: number) => {
    const other = [...fingers].find(([key]) => key !== id)![1];
    const before = Math.abs(fingers.get(id)! - other);
    const now = Math.abs(x - other);
    if (before > 4 && now > 4) window.zoom(before / now, timeAt((x + other) / 2));
  };

  chart.addEventListener("pointerdown", (e) => {
    if (e.button !== 0) return;
    chart.setPointerCapture(e.pointerId);
    fingers.set(e.pointerId, place(e));
    if (e.shiftKey) chosen = place(e);
    else if (fingers.size === 1) seek(timeAt(place(e)));
  });
  chart.addEventListener("pointermove", (e) => {
    if (!fingers.has(e.pointerId)) return;
    if (fingers.size === 2) pinch(e.pointerId, place(e));
    else if (chosen !== null) showBand(place(e));
    else seek(timeAt(place(e)));
    fingers.set(e.pointerId, place(e));
  });
  const release = (e: PointerEvent) => {
    if (fingers.delete(e.pointerId) && chosen !== null) {
      const [a, b] = [timeAt(chosen), timeAt(place(e))];
      band.remove();
      if (Math.abs(place(e) - chosen) > 4) window.set(Math.min(a, b), Math.max(a, b));
      chosen = null;
    }
  };
  chart.addEventListener("pointerup", release);
  chart.addEventListener("pointercancel", release);
  chart.addEventListener("dblclick", () => window.reset());
  chart.addEventListener(
    "wheel",
    (e) => {
      if (!e.ctrlKey && !e.metaKey && !e.shiftKey) return;
      e.preventDefault();
      window.zoom(Math.exp(0.0015 * (e.deltaY || e.deltaX)), timeAt(place(e)));
    },
    { passive: false },
  );
}
