// Where bonds are drawn from: the rim around a symbol, shown when the pointer is near it.
import { svg } from "../../../src/ui/dom";
import type { Item } from "../canvas/items";
import type { Surface } from "../canvas/surface";
import type { Point } from "../data";

/** Pixels of the screen around a symbol that belong to its rim. */
export const RIM = 11;

/** The point of a box's rim that is towards a point. */
export function rimPoint(p: Point, item: Pick<Item, "bounds" | "centre">, out: number): Point {
  const [x0, y0, x1, y1] = item.bounds;
  const [cx, cy] = item.centre;
  const [hw, hh] = [(x1 - x0) / 2 + out, (y1 - y0) / 2 + out];
  const [dx, dy] = [p[0] - cx, p[1] - cy];
  const reach = Math.max(Math.abs(dx) / hw, Math.abs(dy) / hh) || 1;
  return [cx + dx / reach, cy + dy / reach];
}

export class Handles {
  private readonly layer = svg("g", { class: "handles", "aria-hidden": "true" });
  private readonly rim = svg("rect", { class: "rim", rx: 9 });
  private readonly dot = svg("circle", { class: "handle", r: 4.5 });

  constructor(private readonly surface: Surface) {
    this.layer.append(this.rim, this.dot);
    surface.over.append(this.layer);
    this.hide();
  }

  /** The symbol whose rim is at a point of the canvas. */
  at(screen: Point, items: readonly Item[]): Item | null {
    const p = this.surface.view.toDrawing(screen);
    const rim = RIM / this.surface.view.scale;
    let best: Item | null = null;
    let least = Infinity;
    for (const item of items) {
      const away = item.distance(p);
      if (away === 0) return null;
      if (away <= rim && away < least) [best, least] = [item, away];
    }
    return best;
  }

  /** Show the rim of a symbol, with a dot where a bond would begin; `is`: the pointer is on it. */
  show(item: Item, screen: Point, is: boolean): void {
    const out = RIM / 2 / this.surface.view.scale;
    const [x0, y0, x1, y1] = item.bounds;
    const box = { x: x0 - out, y: y0 - out, width: x1 - x0 + 2 * out, height: y1 - y0 + 2 * out };
    for (const [key, value] of Object.entries(box)) this.rim.setAttribute(key, `${value}`);
    const [x, y] = is
      ? rimPoint(this.surface.view.toDrawing(screen), item, out)
      : [x1 + out, (y0 + y1) / 2];
    this.dot.setAttribute("cx", `${x}`);
    this.dot.setAttribute("cy", `${y}`);
    this.layer.classList.toggle("on", is);
    this.layer.style.display = "";
  }

  hide(): void {
    this.layer.style.display = "none";
  }
}
