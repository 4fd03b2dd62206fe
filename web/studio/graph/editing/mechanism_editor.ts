// The graph of the mechanism: it follows the model, so that what is done to it means an element of
// the model. Boxes are moved, folded and removed; symbols put on a junction become forces, springs
// and drivers; bonds between frames become joints, those from networks attachments.
import type { Drag } from "../canvas/gestures";
import type { Item } from "../canvas/items";
import type { Point } from "../data";
import { BondDrawing } from "../drawing/bond";
import { Box } from "../drawing/boxes";
import { Symbol } from "../drawing/symbols";
import type { Editing, GraphPane } from "../pane/pane";
import type { Studio } from "../../studio";
import { BondDrag, type Target } from "./bonding";
import { unitsOf } from "./grid";
import { Handles } from "./handles";
import { BandDrag, MoveDrag } from "./moving";
import { Palette } from "./palette";
import { Putting } from "./putting";
import { QuickList } from "./quick_list";
import { elsewhere, isOver } from "./targets";

export class MechanismEditor implements Editing {
  readonly actions: Record<string, () => void>;
  readonly list: QuickList;
  private readonly putting: Putting;
  private readonly handles: Handles;
  private readonly palette: Palette;

  constructor(
    readonly studio: Studio,
    readonly pane: GraphPane,
  ) {
    pane.editing = this;
    this.list = new QuickList(pane.surface);
    this.putting = new Putting(this);
    this.handles = new Handles(pane.surface);
    this.palette = new Palette({
      add: (item) => void this.putting.add(item),
      lead: (item, event) => this.putting.lead(item, event),
      drop: (item, event) => void this.putting.drop(item, event),
      cancel: () => pane.overlay.clear(),
    });
    this.palette.element.hidden = true;
    pane.element.prepend(this.palette.element);
    pane.element.append(this.list.element);
    this.actions = {
      remove: () => void this.remove(),
      "graph.tidy": () => void studio.do("view.tidy", {}),
    };
  }

  get canEdit(): boolean {
    return this.studio.connected.peek() && this.studio.document.peek()?.readOnly === false;
  }

  private get drawing(): BondDrawing | null {
    const { drawing } = this.pane.surface;
    return drawing instanceof BondDrawing ? drawing : null;
  }

  shown(): void {
    this.handles.hide();
    this.joinable = null;
    void this.putting.kinds().then((kinds) => {
      this.palette.show([{ title: "What can act on the mechanism", items: kinds }]);
      this.palette.element.hidden = !this.canEdit || !kinds.length;
    });
  }

  /** Folded by hand: kept in the file. */
  fold(owner: string, folded: boolean): void {
    if (this.canEdit) void this.studio.do("view.fold", { names: [owner], folded });
  }

  grasp(item: Item | null, at: Point, event: PointerEvent): Drag | null | undefined {
    const { surface, overlay } = this.pane;
    if (!this.canEdit) return undefined;
    if (!item && event.shiftKey)
      return new BandDrag(surface, overlay, at, (items) => this.banded(items));
    const from = this.handles.at(at, this.junctions());
    if (from instanceof Symbol) return this.bondDrag(from);
    if (!(item instanceof Box)) return undefined;
    if (surface.isFilledBy(item.bounds)) return null;
    return new MoveDrag(surface, [item], at, true, () => void this.place(item));
  }

  /** Symbols that bonds can be drawn from: junctions, and elements of networks. */
  private junctions(): readonly Symbol[] {
    if (this.joinable) return this.joinable;
    const boxes = this.drawing?.boxes ?? [];
    const networks = new Set(boxes.filter((b) => b.data.kind === "network").map((b) => b.name));
    const symbols = [...(this.drawing?.symbols.values() ?? [])];
    this.joinable = symbols.filter(
      ({ data, name }) => /^[01]$/.test(data.kind) || networks.has(name.split(".")[0]),
    );
    return this.joinable;
  }
  private joinable: readonly Symbol[] | null = null;

  /** Onto a frame it becomes a joint, from a network an attachment: the server says what. */
  private bondDrag(item: Symbol): Drag {
    const { surface, overlay } = this.pane;
    const said = new Map<string, string>();
    const objections = new Map<string, string>();
    const judge = async (target: Target) => {
      if (said.has(target.name)) return;
      said.set(target.name, "");
      try {
        const tried = await this.studio.try("graph.bond", { a: item.name, b: target.name });
        said.set(target.name, tried.label);
      } catch (error) {
        const refused = error as { what?: string; choices?: readonly unknown[] };
        if (refused.choices?.length) said.set(target.name, refused.what ?? "");
        else objections.set(target.name, refused.what ?? String(error));
      }
    };
    return new BondDrag(surface, overlay, {
      from: { name: item.name, label: item.data.text, at: item.centre, inward: false },
      targetAt: (p, event) => this.targetAt(p, event, item),
      objection: (target) => {
        void judge(target);
        return objections.get(target.name) ?? null;
      },
      note: (target) => said.get(target.name) ?? "",
      connect: (target) => void this.studio.do("graph.bond", { a: item.name, b: target.name }),
      free: () => void this.putting.list(item),
    });
  }

  private targetAt(p: Point, event: PointerEvent, from: Item): Target | null {
    const { surface } = this.pane;
    if (!isOver(surface, event)) return elsewhere(this.studio, event.clientX, event.clientY);
    const found = surface.at(surface.view.toScreen(p));
    if (!found || found === from || found.rank === "line") return null;
    if (found instanceof Box && found.data.kind !== "joint") return null;
    return { name: found.name, label: found.name, bounds: found.bounds };
  }

  hover(item: Item | null, at: Point): void {
    const isThere = item !== null || at[0] !== 0 || at[1] !== 0;
    const start = this.canEdit && isThere ? this.handles.at(at, this.junctions()) : null;
    this.pane.surface.window.classList.toggle("at-rim", start !== null);
    if (start) this.handles.show(start, at, true);
    else this.handles.hide();
  }

  private async place(box: Box): Promise<void> {
    this.drawing?.settled([box]);
    const at = unitsOf([box.bounds[0], box.bounds[1]]);
    await this.studio.do("view.place", { places: {}, boxes: { [box.name]: at } });
  }

  private banded(items: readonly Item[]): void {
    const boxes = items.filter((item) => item instanceof Box).map(({ owner }) => owner);
    this.studio.select([...this.studio.selection.peek(), ...boxes]);
  }

  press(event: KeyboardEvent, item: Item | null): boolean {
    if (!this.canEdit || event.ctrlKey || event.metaKey || event.altKey) return false;
    const key = event.key.toLowerCase();
    if (key === "delete") return this.remove();
    if (key === "y") this.actions["graph.tidy"]();
    else if (key === "a" && item instanceof Symbol) void this.putting.list(item);
    else return false;
    return true;
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
