// Drawing a network with pointer and keys: elements from the palette or by typing, bonds from rims
// and ports, places by dragging.
import { h } from "../../../src/ui/dom";
import type { Drag } from "../canvas/gestures";
import type { Item } from "../canvas/items";
import type { GraphData, Point } from "../data";
import { BondDrawing } from "../drawing/bond";
import { Box } from "../drawing/boxes";
import { BondLine } from "../drawing/lines";
import { Port } from "../drawing/ports";
import { Symbol } from "../drawing/symbols";
import type { Editing, GraphPane } from "../pane/pane";
import type { Studio } from "../../studio";
import { Adding } from "./adding";
import { BondDrag, type Target } from "./bonding";
import { freePlace, GRID } from "./grid";
import { Handles } from "./handles";
import { BandDrag, MoveDrag } from "./moving";
import { NetworkActions } from "./network_actions";
import { Palette } from "./palette";
import { Questions, type Bondable } from "./questions";
import { QuickList } from "./quick_list";
import { elsewhere, isOver, isOwn, localOf, ownAt } from "./targets";
import { Values } from "./values";

const KEYS: Record<string, string> = {
  a: "add",
  b: "bond",
  g: "graph.group",
  "Shift+g": "graph.ungroup",
  x: "graph.flip",
  k: "graph.stroke",
  y: "graph.tidy",
};
/** Letters that mean something else; those left are typed to add something. */
const OTHERS = /^[fhjno]$/i;
const STEPS: Record<string, Point> = {
  ArrowLeft: [-GRID, 0],
  ArrowRight: [GRID, 0],
  ArrowUp: [0, -GRID],
  ArrowDown: [0, GRID],
};

export class NetworkEditor implements Editing {
  readonly palette: Palette;
  readonly list: QuickList;
  readonly values: Values;
  readonly does: NetworkActions;
  private readonly adding: Adding;
  private readonly questions: Questions;
  private readonly handles: Handles;
  /** A bond that was clicked: it has no name of its own in the selection. */
  private chosen: BondLine | null = null;
  private pointer: Point | null = null;

  constructor(
    readonly studio: Studio,
    readonly pane: GraphPane,
    readonly network: string,
    open: (part: string) => void,
  ) {
    this.questions = new Questions(studio);
    this.list = new QuickList(pane.surface);
    this.values = new Values(studio, pane);
    this.handles = new Handles(pane.surface);
    this.does = new NetworkActions(this, open);
    this.adding = new Adding(this, this.questions);
    this.palette = new Palette({
      add: (item) => void this.adding.add(item, this.placeFor()),
      lead: (item, event) => this.adding.lead(item, event),
      drop: (item, event) => void this.adding.drop(item, event),
      cancel: () => pane.overlay.clear(),
    });
    pane.element.prepend(this.palette.element);
    pane.element.append(this.list.element, this.hint);
    pane.element.classList.add("editable");
    pane.editing = this;
    void this.refresh();
  }

  private readonly hint = h(
    "p",
    { class: "graph-hint", hidden: true },
    "Type ",
    h("kbd", {}, "1"),
    ", ",
    h("kbd", {}, "Se"),
    ", ",
    h("kbd", {}, "R"),
    " … or drag a symbol here",
  );

  get canEdit(): boolean {
    return this.studio.connected.peek() && this.studio.document.peek()?.readOnly === false;
  }

  get drawing(): BondDrawing | null {
    const { drawing } = this.pane.surface;
    return drawing instanceof BondDrawing ? drawing : null;
  }

  /** Symbols and parts that the network itself has. */
  get own(): Item[] {
    return (this.drawing?.items ?? []).filter((item) => isOwn(item) && !(item instanceof Port));
  }

  /** Of these, what is selected; else what the keyboard is at. */
  get selected(): Item[] {
    const names = this.studio.selection.peek();
    const found = this.own.filter(({ name }) => names.has(name));
    if (found.length) return found;
    const at = this.topOf(this.pane.keys.current);
    return at && this.pane.hasFocus ? [at] : [];
  }

  /** The bond that is meant: clicked, walked to, or the only one of what is selected. */
  get line(): BondLine | null {
    const { current } = this.pane.keys;
    if (this.chosen) return this.chosen;
    if (current instanceof BondLine) return current;
    const lines = this.selected.length === 1 ? this.drawing?.linesAt(this.selected[0]) : [];
    return lines?.length === 1 && lines[0] instanceof BondLine ? lines[0] : null;
  }

  /** Whether a bond itself is meant, not an element. */
  get isAtLine(): boolean {
    return this.chosen !== null || this.pane.keys.current instanceof BondLine;
  }

  local(item: Item): string {
    return localOf(this.network, item.name);
  }

  focus(): void {
    this.pane.surface.element.focus({ preventScroll: true });
  }

  /** What a part is a copy of. */
  sourceOf(part: string): string {
    return this.drawing?.boxes.find(({ name }) => name === part)?.data.source ?? "";
  }

  /** Fold a part, or unfold it. */
  fold(part: string): void {
    const box = this.drawing?.boxes.find(({ name }) => name === part);
    if (box && this.canEdit) this.does.fold(box);
  }

  /** Something that was made is brought into sight as soon as it is drawn. */
  bringNext(name: string): void {
    this.awaited = name;
    this.bringShown();
  }
  private awaited: string | null = null;

  private bringShown(): void {
    const item = this.awaited && this.own.find(({ name }) => name === this.awaited);
    if (!item) return;
    this.awaited = null;
    this.pane.keys.current = item;
    this.pane.surface.bring(item.bounds);
  }

  async refresh(): Promise<void> {
    try {
      this.palette.show(await this.questions.palette(this.network));
    } catch (error) {
      this.studio.complain(error);
    }
  }

  shown({ nodes }: GraphData): void {
    this.chosen = null;
    this.handles.hide();
    this.hint.hidden = nodes.length > 0;
    this.values.renew(this.drawing?.items ?? []);
    this.adding.shown();
    this.bringShown();
    this.palette.element.hidden = !this.canEdit;
  }

  /** The symbol or part that is moved and selected for something inside of it. */
  topOf(item: Item | null): Item | null {
    if (!item || item.rank === "line") return null;
    if (item instanceof Port) return null;
    if (isOwn(item)) return item;
    return this.own.find(({ name }) => name === item.owner) ?? null;
  }

  grasp(item: Item | null, at: Point, event: PointerEvent): Drag | null | undefined {
    const { surface, overlay } = this.pane;
    if (!this.canEdit || event.pointerType === "touch")
      return item?.rank === "area" ? null : undefined;
    const from = this.bondStart(item, at);
    if (from) return this.bondDrag(from);
    const top = this.topOf(item);
    if (!top)
      return event.shiftKey
        ? new BandDrag(surface, overlay, at, (items) => this.banded(items))
        : null;
    const chosen = this.studio.selection.peek().has(top.name) ? this.selected : [top];
    const first = [top, ...chosen.filter((other) => other !== top)];
    return new MoveDrag(surface, first, at, true, (items) => void this.does.place(items));
  }

  /** Where a bond begins if a drag begins here: a port, or the rim of a symbol. */
  private bondStart(item: Item | null, at: Point): Item | null {
    if (item instanceof Port) return item;
    const rims = this.own.filter((own) => own instanceof Symbol);
    return this.handles.at(at, rims);
  }

  /** A bond drawn from an element or port. */
  private bondDrag(item: Item): Drag {
    const { surface, overlay } = this.pane;
    const name = this.local(item);
    const label = item instanceof Symbol ? item.data.text : name;
    let targets: Bondable | null = null;
    this.questions.bondable(this.network, name).then(
      (found) => (targets = found),
      () => (targets = new Map()),
    );
    const objection = (target: Target) => {
      const judged = targets?.get(target.name);
      return judged ? (judged.may ? "" : judged.why || "they cannot be bonded") : null;
    };
    return new BondDrag(surface, overlay, {
      from: { name, label, at: item.centre, inward: false },
      targetAt: (p, event) => this.targetAt(p, event, item),
      objection,
      note: (target) => targets?.get(target.name)?.note ?? "",
      connect: (target) => {
        const why = objection(target);
        if (why) this.studio.announce(why);
        if (target.name !== name) void this.does.connect(name, target.name, item);
      },
      free: (p, screen) => void this.adding.follow(name, label, p, screen),
    });
  }

  targetAt(p: Point, event: PointerEvent, from: Item | null): Target | null {
    const { surface } = this.pane;
    if (!isOver(surface, event)) return elsewhere(this.studio, event.clientX, event.clientY);
    const found = ownAt(this.drawing?.items ?? [], p, 8 / surface.view.scale);
    if (!found || found === from) return null;
    const text = found instanceof Symbol ? found.data.text : this.local(found);
    return { name: this.local(found), label: text, bounds: found.bounds };
  }

  hover(item: Item | null, at: Point): void {
    this.pointer = item || at[0] || at[1] ? at : null;
    if (!this.canEdit || !this.pointer || this.list.isOpen) return this.handles.hide();
    const start = this.bondStart(item, at);
    const near = start ?? (item instanceof Symbol && isOwn(item) ? item : null);
    this.pane.surface.window.classList.toggle("at-rim", start !== null);
    if (near && !(near instanceof Port)) this.handles.show(near, at, start !== null);
    else this.handles.hide();
  }

  click(item: Item | null, event: MouseEvent | KeyboardEvent): boolean {
    const isLine = item instanceof BondLine;
    this.choose(isLine ? item : null);
    if (!isLine) return false;
    this.pane.keys.current = item;
    this.studio.select(this.own.some(({ name }) => name === item.name) ? [] : [item.owner]);
    this.pane.announce(item.sentence);
    return !event.altKey;
  }

  private choose(line: BondLine | null): void {
    this.chosen = line;
    this.pane.lights.items("chosen", new Set(line ? [line] : []));
  }

  private banded(items: readonly Item[]): void {
    const tops = new Set(items.map((item) => this.topOf(item)?.name).filter(Boolean) as string[]);
    const before = this.studio.selection.peek();
    this.studio.select([...before, ...tops]);
    this.pane.announce(`${tops.size} elements in the band`);
  }

  double(item: Item | null, at: Point): boolean {
    if (!this.canEdit) return false;
    const top = this.topOf(item);
    if (!item) this.adding.open("", at);
    else if (top instanceof Box) this.does.open(top);
    else if (!this.values.edit(top)) this.values.rename(top);
    return true;
  }

  press(event: KeyboardEvent, item: Item | null): boolean {
    const { key } = event;
    const isCtrl = event.ctrlKey || event.metaKey;
    if (isCtrl) return this.does.withCtrl(event);
    if (event.altKey) return key in STEPS && this.does.move(STEPS[key]);
    if (!this.canEdit) return false;
    const top = this.topOf(item);
    if (key === "F2") return this.values.rename(this.selected[0] ?? null);
    if (key === "Delete") return this.does.remove();
    if (key === "Enter" && !event.shiftKey && top && this.studio.selection.peek().has(top.name))
      return this.does.edit();
    if (key.length !== 1 || key === " ") return false;
    const named = KEYS[event.shiftKey ? `Shift+${key.toLowerCase()}` : key.toLowerCase()];
    if (named) return this.does.command(named);
    if (OTHERS.test(key) || !/[a-z0-9]/i.test(key)) return false;
    this.adding.open(key, this.pointer ?? this.placeOnScreen());
    return true;
  }

  /** Add by typing, or bond by typing from what is selected. */
  add(): void {
    this.adding.open("", this.placeOnScreen());
  }

  bond(): void {
    const { current } = this.pane.keys;
    const from = current instanceof Port ? current : this.selected[0];
    if (!from) return this.pane.announce("select an element to bond from");
    const label = from instanceof Symbol ? from.data.text : this.local(from);
    void this.adding.bond(from, label);
  }

  private placeOnScreen(): Point {
    return this.pane.surface.view.toScreen(this.placeFor());
  }

  /** A free place beside an element; of a part, on the side where the junction of the port is. */
  placeBeside(item: Item): Point {
    if (!(item instanceof Port)) return this.placeFor([item.centre[0] + 4 * GRID, item.centre[1]]);
    const box = this.drawing?.boxes.find(({ data }) => data === item.box);
    const inner = this.drawing?.symbols.get(item.data.junction);
    if (!box || !inner) return this.placeFor(item.centre);
    const [x0, , x1] = box.bounds;
    const isRight = inner.centre[0] >= (x0 + x1) / 2;
    return this.placeFor([isRight ? x1 + 4 * GRID : x0 - 4 * GRID, inner.centre[1]]);
  }

  /** A free place for something new: beside what is selected, else where one looks. */
  placeFor(near?: Point): Point {
    const { surface } = this.pane;
    const [width, height] = surface.size;
    const from = this.selected[0]?.centre;
    const wanted = near ?? (from ? ([from[0] + 4 * GRID, from[1]] as Point) : null);
    const middle = surface.view.toDrawing([width / 2, height / 2]);
    const taken = (this.drawing?.items ?? [])
      .filter((item) => item.rank === "symbol" || item instanceof Box)
      .map(({ bounds }) => bounds);
    return freePlace(wanted ?? middle, taken);
  }
}
