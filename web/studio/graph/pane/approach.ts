// Where the view goes when boxes are folded and unfolded: a box stays where it is on the screen; to
// one whose elements could not be read otherwise the view goes, and back when it is folded again.
import type { Item } from "../canvas/items";
import type { Point } from "../data";
import { LEGIBLE } from "../legible";
import type { GraphPane } from "./pane";

export class Approach {
  private anchor: { name: string; screen: Point } | null = null;
  /** The box that is being opened; the one that the view went to. */
  private opening: string | null = null;
  private zoomed: string | null = null;

  constructor(private readonly pane: GraphPane) {}

  /** A box will be drawn folded or unfolded. */
  begin(name: string, opens: boolean): void {
    this.opening = opens ? name : null;
    this.anchor = null;
    const item = this.area(name);
    if (!item || this.pane.surface.isFitted) return;
    const [x, y] = item.bounds;
    this.anchor = { name, screen: this.pane.surface.view.toScreen([x, y]) };
  }

  /** The graph is drawn anew, with these boxes open. */
  follow(opened: readonly string[]): void {
    const { anchor, opening, zoomed } = this;
    const { surface } = this.pane;
    this.anchor = this.opening = null;
    const item = anchor && this.area(anchor.name);
    if (anchor && item) {
      const [x, y] = surface.view.toScreen([item.bounds[0], item.bounds[1]]);
      surface.pan(anchor.screen[0] - x, anchor.screen[1] - y);
    }
    if (opening !== null) this.approach(opening);
    else if (zoomed !== null && !opened.includes(zoomed)) {
      this.zoomed = null;
      surface.fit();
    }
  }

  forget(): void {
    this.anchor = this.opening = this.zoomed = null;
  }

  private approach(name: string): void {
    const { surface } = this.pane;
    const item = this.area(name);
    if (!item) return;
    if (surface.view.scale < LEGIBLE) {
      surface.zoomTo(item.bounds, LEGIBLE);
      this.zoomed = name;
    } else if (!surface.isFitted) surface.bring(item.bounds);
  }

  private area(name: string): Item | undefined {
    return this.pane.lights.of(name).find(({ rank }) => rank === "area");
  }
}
