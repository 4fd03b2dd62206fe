// Where new things stand: on the grid, upon nothing else, beside what they belong to.
import type { Item } from "../canvas/items";
import type { Point } from "../data";
import { Box } from "../drawing/boxes";
import { Port } from "../drawing/ports";
import { freePlace, GRID } from "./grid";
import type { NetworkEditor } from "./network_editor";

const BESIDE = 4 * GRID;

export class Places {
  constructor(private readonly editor: NetworkEditor) {}

  /** A free place for something new: near a point, beside what is selected, or where one looks. */
  free(near?: Point, room?: Point): Point {
    const { drawing, pane, selected } = this.editor;
    const [width, height] = pane.surface.size;
    const from = selected[0]?.centre;
    const wanted = near ?? (from ? ([from[0] + BESIDE, from[1]] as Point) : null);
    const middle = pane.surface.view.toDrawing([width / 2, height / 2]);
    const items = drawing?.items ?? [];
    const taken = items
      .filter((item) => item.rank === "symbol" || item instanceof Box)
      .map(({ bounds }) => bounds);
    const bonds = items.filter((item) => item.rank === "line");
    const isClear = (at: Point) => bonds.every((bond) => bond.distance(at) > GRID);
    return freePlace(wanted ?? middle, taken, isClear, room);
  }

  /** The same as a place of the canvas. */
  onScreen(): Point {
    return this.editor.pane.surface.view.toScreen(this.free());
  }

  /** A free place beside an element; of a part, on the side where the junction of the port is. */
  beside(item: Item): Point {
    const { drawing } = this.editor;
    if (!(item instanceof Port)) return this.free([item.centre[0] + BESIDE, item.centre[1]]);
    const box = drawing?.boxes.find(({ data }) => data === item.box);
    const inner = drawing?.symbols.get(item.data.junction);
    if (!box || !inner) return this.free(item.centre);
    const [x0, , x1] = box.bounds;
    const isRight = inner.centre[0] >= (x0 + x1) / 2;
    return this.free([isRight ? x1 + BESIDE : x0 - BESIDE, inner.centre[1]]);
  }
}
