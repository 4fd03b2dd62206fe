// The graph of the mechanism: it follows the model, so that what is done to it means an element of
// the model. Boxes are moved, folded and removed; symbols become forces, springs and drivers.
import type { Drag } from "../canvas/gestures";
import type { Item } from "../canvas/items";
import type { Point } from "../data";
import { Box } from "../drawing/boxes";
import type { Editing, GraphPane } from "../pane/pane";
import type { Studio } from "../../studio";
import { unitsOf } from "./grid";
import { BandDrag, MoveDrag } from "./moving";

export class MechanismEditor implements Editing {
  readonly actions: Record<string, () => void>;

  constructor(
    private readonly studio: Studio,
    private readonly pane: GraphPane,
  ) {
    pane.editing = this;
    this.actions = {
      "graph.tidy": () => void studio.do("view.tidy", {}),
    };
  }

  get canEdit(): boolean {
    return this.studio.connected.peek() && this.studio.document.peek()?.readOnly === false;
  }

  /** Folded by hand: kept in the file. */
  fold(owner: string, folded: boolean): void {
    if (this.canEdit) void this.studio.do("view.fold", { names: [owner], folded });
  }

  grasp(item: Item | null, at: Point, event: PointerEvent): Drag | null | undefined {
    const { surface, overlay } = this.pane;
    if (!item && event.shiftKey)
      return new BandDrag(surface, overlay, at, (items) => this.banded(items));
    if (!this.canEdit || !(item instanceof Box) || event.pointerType === "touch") return undefined;
    if (surface.isFilledBy(item.bounds)) return null;
    return new MoveDrag(surface, [item], at, true, () => void this.place(item));
  }

  private async place(box: Box): Promise<void> {
    surfaceSettled(this.pane, box);
    const at = unitsOf([box.bounds[0], box.bounds[1]]);
    await this.studio.do("view.place", { places: {}, boxes: { [box.name]: at } });
  }

  private banded(items: readonly Item[]): void {
    const boxes = items.filter((item) => item instanceof Box).map(({ owner }) => owner);
    this.studio.select([...this.studio.selection.peek(), ...boxes]);
  }

  press(event: KeyboardEvent): boolean {
    if (!this.canEdit || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Delete") return this.remove();
    return false;
  }

  private remove(): boolean {
    const { current } = this.pane.keys;
    const chosen = [...this.studio.selection.peek()];
    const names = chosen.length ? chosen : current && this.pane.hasFocus ? [current.owner] : [];
    if (!names.length) return false;
    void this.studio.do("element.remove", { names }).then((done) => {
      if (done) this.studio.announce(`removed ${names.join(", ")}`);
    });
    return true;
  }
}

function surfaceSettled(pane: GraphPane, box: Box): void {
  pane.surface.drawing?.settled([box]);
}
