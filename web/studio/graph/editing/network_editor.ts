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
import { GRID } from "./grid";
import { BandDrag, MoveDrag } from "./moving";
import { NetworkActions } from "./network_actions";
import { NetworkBonds } from "./network_bonds";
import { Palette } from "./palette";
import { Places } from "./places";
import { Questions } from "./questions";
import { QuickList } from "./quick_list";
import { isOwn, localOf } from "./targets";
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
const READ_ONLY = "the studio only looks at the model; start it without --read-only to draw";
/** Whether a key would change the network. */
const isEdit = (key: string): boolean =>
  key === "Delete" || key === "F2" || (/^[a-z0-9]$/i.test(key) && !OTHERS.test(key));
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
  readonly places: Places;
  private readonly bonds: NetworkBonds;
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
    this.places = new Places(this);
    this.does = new NetworkActions(this, open);
    this.adding = new Adding(this, this.questions);
    this.bonds = new NetworkBonds(this, this.questions, this.adding);
    this.palette = new Palette({
      add: (item) => void this.adding.press(item),
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

  /** What is said of an item: "R: ra", or the name of a port. */
  labelOf(item: Item): string {
    return item instanceof Symbol ? item.data.text : this.local(item);
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

  /** What the palette offers; `anew`: files may have been added. */
  async refresh(anew = false): Promise<void> {
    if (anew) this.questions.forget();
    try {
      this.palette.show(await this.questions.palette(this.network));
    } catch (error) {
      this.studio.complain(error);
    }
  }

  shown({ nodes }: GraphData): void {
    this.chosen = null;
    this.bonds.hide();
    this.hint.hidden = nodes.length > 0 || !this.canEdit;
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
    if (!this.canEdit) return item?.rank === "area" ? null : undefined;
    const top = this.topOf(item);
    if (!top && event.shiftKey)
      return new BandDrag(surface, overlay, at, (items) => this.banded(items));
    const bond = this.bonds.grasp(item, at);
    if (bond || !top) return bond;
    const chosen = this.studio.selection.peek().has(top.name) ? this.selected : [top];
    const first = [top, ...chosen.filter((other) => other !== top)];
    return new MoveDrag(surface, first, at, true, (items) => void this.does.place(items));
  }

  hover(item: Item | null, at: Point): void {
    this.pointer = item || at[0] || at[1] ? at : null;
    if (!this.canEdit || !this.pointer || this.list.isOpen) return this.bonds.hide();
    this.bonds.hover(item, at);
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
    if (key === "Escape") return this.selectNothing();
    if (!this.canEdit) return isEdit(key) && this.object();
    const top = this.topOf(item);
    if (key === "F2") return this.values.rename(this.selected[0] ?? null);
    if (key === "Delete") return this.does.remove();
    if (key === "Enter" && !event.shiftKey && top && this.studio.selection.peek().has(top.name))
      return this.does.edit();
    if (key.length !== 1 || key === " ") return false;
    const named = KEYS[event.shiftKey ? `Shift+${key.toLowerCase()}` : key.toLowerCase()];
    if (named) return this.does.command(named);
    if (OTHERS.test(key) || !/[a-z0-9]/i.test(key)) return false;
    this.adding.open(key, this.pointer ?? this.places.onScreen());
    return true;
  }

  /** Say why nothing is changed. */
  private object(): boolean {
    const isReadOnly = this.studio.document.peek()?.readOnly;
    if (isReadOnly) this.studio.notice.value = { text: READ_ONLY, kind: "remark" };
    return isReadOnly ?? false;
  }

  /** Whether there was something selected; a key more leaves the network. */
  private selectNothing(): boolean {
    const was = this.chosen !== null || this.studio.selection.peek().size > 0;
    this.choose(null);
    if (was) this.studio.select([]);
    return was;
  }

  /** Add by typing, or bond by typing from what is selected. */
  add(): void {
    this.adding.open("", this.places.onScreen());
  }

  bond(): void {
    const { current } = this.pane.keys;
    const from = current instanceof Port ? current : this.selected[0];
    if (!from) return this.pane.announce("select an element to bond from");
    void this.adding.bond(from, this.labelOf(from));
  }
}
