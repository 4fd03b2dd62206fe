// What is done to a network, as operations of the server: one gesture, one entry of the history.
import { around, type Item } from "../canvas/items";
import type { Point } from "../data";
import { Box } from "../drawing/boxes";
import { saveComponent } from "./components";
import { unitsOf } from "./grid";
import type { NetworkEditor } from "./network_editor";
import { localOf } from "./targets";

/** The stroke that comes after the one a bond has: wanted at its tail, at its head, by itself. */
export function nextStroke(forced: boolean, stroke: { tail: boolean; head: boolean }): string {
  if (!forced) return stroke.tail ? "head" : "tail";
  return "";
}

export class NetworkActions {
  readonly actions: Record<string, () => void>;

  constructor(
    private readonly editor: NetworkEditor,
    private readonly opens: (part: string) => void,
  ) {
    this.actions = {
      add: () => editor.add(),
      bond: () => editor.bond(),
      rename: () => void editor.values.rename(editor.selected[0] ?? null),
      remove: () => void this.remove(),
      "graph.value": () => void this.edit(),
      "graph.group": () => this.group(),
      "graph.ungroup": () => void this.ungroup(),
      "graph.flip": () => void this.flip(),
      "graph.stroke": () => void this.stroke(),
      "graph.tidy": () => void this.tidy(),
      "graph.all": () => this.all(),
      "graph.component": () => void saveComponent(editor),
      "graph.open": () => this.openSelected(),
    };
  }

  command(name: string): boolean {
    this.actions[name]?.();
    return name in this.actions;
  }

  private get network(): string {
    return this.editor.network;
  }

  private do(operation: string, args: Record<string, unknown>) {
    return this.editor.studio.do(operation, args);
  }

  private names(): string[] {
    return this.editor.selected.map(({ name }) => name);
  }

  private locals(): string[] {
    return this.editor.selected.map((item) => this.editor.local(item));
  }

  private say(text: string): void {
    this.editor.studio.announce(text);
  }

  /** A bond; what is attached to a joint or frame stands beside `from`. */
  async connect(a: string, b: string, from?: Item): Promise<void> {
    const at = b.includes(":") && from ? { at: unitsOf(this.editor.places.beside(from)) } : {};
    const done = await this.do("bond.connect", { network: this.network, a, b, ...at });
    if (!done) return;
    this.say(done.label ?? `${a} bonded to ${b}`);
    const [name] = done.selection ?? [];
    if (name) this.editor.bringNext(name);
  }

  /** Where things were put is written into the file. */
  async place(items: readonly Item[]): Promise<void> {
    const { editor } = this;
    const places: Record<string, Point> = {};
    for (const item of items) places[editor.local(item)] = unitsOf(placeOf(item));
    editor.drawing?.settled(items);
    await this.do("view.place", { places: { [this.network]: places } });
  }

  /** By the keyboard, one unit of the grid. */
  move(shift: Point): boolean {
    const { editor } = this;
    const items = editor.selected;
    if (!items.length || !editor.canEdit) return false;
    editor.drawing?.move(items, shift);
    void this.place(items);
    return true;
  }

  edit(): boolean {
    const [item] = this.editor.selected;
    return item instanceof Box
      ? (this.opens(item.name), true)
      : this.editor.values.edit(item ?? null);
  }

  open(part: Box): void {
    this.opens(part.name);
  }

  private openSelected(): void {
    const part = this.editor.selected.find((item) => item instanceof Box);
    if (part) this.opens(part.name);
  }

  remove(): boolean {
    const { editor } = this;
    const { line } = editor;
    if (editor.isAtLine && line) {
      const bond = localOf(this.network, line.name);
      void this.do("bond.remove", { network: this.network, bond }).then(
        (done) => done && this.say(`bond ${bond} removed`),
      );
      return true;
    }
    const names = this.names();
    if (!names.length) return false;
    void this.do("element.remove", { names }).then(
      (done) => done && this.say(`removed ${names.join(", ")}`),
    );
    return true;
  }

  /** A part of what is selected: its name is asked for where it will stand. */
  group(): void {
    const { editor } = this;
    const names = this.locals();
    if (!names.length) return editor.pane.announce("select what to group");
    const [x0, y0, x1, y1] = around(editor.selected);
    const middle: Point = [(x0 + x1) / 2, (y0 + y1) / 2];
    editor.values.ask("name of the new part", "part", middle, async (name) => {
      const done = await this.do("graph.group", { network: this.network, names, name });
      const [part] = done?.selection ?? [];
      if (part) this.say(`grouped into ${part}`);
      if (part) editor.bringNext(part);
      return done !== null;
    });
  }

  fold(part: Box): void {
    const folded = part.data.open;
    void this.do("view.fold", { names: [part.name], folded }).then((done) => {
      if (done) this.say(`${part.data.label} ${folded ? "folded" : "unfolded"}`);
    });
  }

  async ungroup(): Promise<void> {
    const part = this.editor.selected.find((item) => item instanceof Box);
    if (!part) return this.editor.pane.announce("select a part to ungroup");
    const local = this.editor.local(part);
    const done = await this.do("graph.ungroup", { network: this.network, part: local });
    if (done) this.say(`${local} taken apart`);
  }

  async flip(): Promise<void> {
    const bond = this.bond();
    if (bond === null) return;
    const { convention } = this.editor.line!.data;
    if (convention) this.editor.pane.announce(convention);
    const done = await this.do("bond.reverse", { network: this.network, bond });
    if (done) this.say(`bond ${bond} turned round`);
  }

  /** Force the causal stroke to the other end, then let it be. */
  async stroke(): Promise<void> {
    const { line } = this.editor;
    const bond = this.bond();
    if (bond === null || !line) return;
    const end = nextStroke(line.data.forced, line.data.stroke);
    const done = await this.do("bond.stroke", { network: this.network, bond, end });
    if (done)
      this.say(end ? `stroke of ${bond} wanted at its ${end}` : `stroke of ${bond} is free`);
  }

  private bond(): string | null {
    const { line } = this.editor;
    if (!line) {
      this.editor.pane.announce("click a bond first, or walk to it with the full stop key");
      return null;
    }
    return localOf(this.network, line.name);
  }

  async tidy(): Promise<void> {
    const done = await this.do("view.tidy", { network: this.network });
    if (!done) return;
    this.editor.pane.fit();
    this.say("arranged by itself");
  }

  all(): void {
    const names = this.editor.own.map(({ name }) => name);
    this.editor.studio.select(names);
    this.editor.pane.announce(`${names.length} elements selected`);
  }

  /** Keys with Ctrl; whether one was taken. */
  withCtrl({ key, shiftKey }: KeyboardEvent): boolean {
    return key.toLowerCase() === "a" && !shiftKey && this.command("graph.all");
  }
}

/** Where the file would have an item: the middle of a symbol; of a part what it is put by. */
function placeOf(item: Item): Point {
  return item instanceof Box ? item.anchor : item.centre;
}
