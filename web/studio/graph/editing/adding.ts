// Adding elements: from the palette, by typing, behind an element; then their value is typed.
import type { Item } from "../canvas/items";
import type { Point } from "../data";
import { BondLine } from "../drawing/lines";
import { Port } from "../drawing/ports";
import { Symbol } from "../drawing/symbols";
import { ROOM_OF_PART, snapped, unitsOf } from "./grid";
import type { NetworkEditor } from "./network_editor";
import type { Verdict } from "./overlay";
import type { Follower, PaletteItem, Questions } from "./questions";
import { isOver, localOf } from "./targets";
import { typedElement, valueOf, type Choice } from "./typed";

const HOW = "kind, or kind:name value";

type Added = Choice & { arguments?: Record<string, unknown> };

/** What a drag from the palette would be let go on. */
type Under = { on?: string; split?: string; words: string; bounds: Item["bounds"] | null };

/** What a part takes of the canvas; a symbol is small. */
const roomOf = ({ source }: PaletteItem): Point | undefined =>
  source === undefined ? undefined : ROOM_OF_PART;

export class Adding {
  /** What was added last: as soon as it is drawn it is in sight, and its value is typed. */
  private fresh: { name: string; asks: boolean } | null = null;

  constructor(
    private readonly editor: NetworkEditor,
    private readonly questions: Questions,
  ) {}

  /** A list of everything there is, beside a place of the canvas. */
  open(typed: string, screen: Point): void {
    const { editor } = this;
    if (!editor.canEdit) return;
    const at = editor.places.free(editor.pane.surface.view.toDrawing(screen));
    void this.choices().then((choices) => {
      editor.pane.overlay.symbol("+", at);
      editor.list.open({
        title: "Add an element",
        choices,
        typed,
        at: screen,
        placeholder: HOW,
        take: (choice, text) => {
          editor.pane.overlay.clear();
          void this.add(choice, at, "", text);
        },
        look: (choice) => editor.pane.overlay.symbol(choice?.label ?? "+", at),
        leave: () => editor.pane.overlay.clear(),
      });
    });
  }

  /** A list of what may follow an element, bonded to it. */
  async follow(name: string, label: string, p: Point, screen: Point): Promise<void> {
    const { editor } = this;
    if (!editor.canEdit) return;
    const at = snapped(p);
    try {
      const choices = await this.questions.follow(editor.network, name);
      const from = this.centreOf(name) ?? at;
      editor.pane.overlay.bond(from, at, "free");
      editor.list.open({
        title: `What follows ${label}`,
        choices,
        at: screen,
        placeholder: HOW,
        take: (choice, text) => {
          editor.pane.overlay.clear();
          void this.add(choice, at, name, text);
        },
        look: (choice) => editor.pane.overlay.symbol(choice?.label ?? "?", at),
        leave: () => editor.pane.overlay.clear(),
      });
    } catch (error) {
      editor.pane.overlay.clear();
      editor.studio.complain(error);
    }
  }

  /** By keyboard: what may follow, and every element that a bond may lead to. */
  async bond(from: Item, label: string): Promise<void> {
    const { editor } = this;
    const name = editor.local(from);
    const [x, y] = from.centre;
    const at = editor.places.free([x + 80, y]);
    try {
      const [followers, targets] = await Promise.all([
        this.questions.follow(editor.network, name),
        this.questions.bondable(editor.network, name),
      ]);
      const known = [...targets.values()].filter((target) => target.may);
      const existing = known.map(({ name: target, note }) => ({
        kind: target,
        label: `→ ${target}`,
        sentence: note || "bond to what is there",
        target,
        arguments: {},
      }));
      const choices: (Follower & { target?: string })[] = [...existing, ...followers];
      editor.list.open({
        title: `Bond from ${label}`,
        choices,
        at: editor.pane.surface.view.toScreen(from.centre),
        placeholder: "an element, or what may follow",
        take: (choice, text) => {
          editor.pane.overlay.clear();
          if (choice.target) void editor.does.connect(name, choice.target);
          else void this.add(choice, at, name, text);
        },
        look: (choice) => {
          const target = choice?.target && this.centreOf(choice.target);
          editor.pane.overlay.bond(from.centre, target || at, "good");
        },
        leave: () => editor.pane.overlay.clear(),
      });
    } catch (error) {
      editor.studio.complain(error);
    }
  }

  private async choices(): Promise<PaletteItem[]> {
    const groups = await this.questions.palette(this.editor.network);
    return groups.flatMap(({ items }) => items);
  }

  /** Pressed in the palette: where there is room. */
  async press(item: PaletteItem): Promise<void> {
    await this.add(item, this.editor.places.free(undefined, roomOf(item)));
  }

  /** Add one; `typed`: kind, perhaps name and value. */
  async add(choice: Added, at: Point, on = "", typed = ""): Promise<void> {
    const { editor } = this;
    const said = typedElement(typed);
    const isExact = said.kind.toLowerCase() === choice.kind.toLowerCase();
    const more = {
      ...(on && { on }),
      ...(isExact && said.name && { name: said.name }),
      ...(isExact && said.value && { value: valueOf(said.value) }),
      ...choice.arguments,
    };
    const done = await editor.studio.do("network.element", {
      network: editor.network,
      kind: choice.kind,
      at: unitsOf(at),
      ...more,
    });
    if (done) this.added(done.selection?.[0] ?? null, !(isExact && said.value), on);
  }

  private added(name: string | null, asks: boolean, on: string): void {
    if (!name) return;
    this.fresh = { name, asks };
    const where = on ? `, on ${on}` : "";
    this.editor.studio.announce(`added ${localOf(this.editor.network, name)}${where}`);
    this.shown();
  }

  /** What was added is drawn: the keyboard is there, and its value is typed. */
  shown(): void {
    const { fresh, editor } = this;
    const item = fresh && editor.own.find(({ name }) => name === fresh.name);
    if (!item) return;
    this.fresh = null;
    editor.pane.keys.current = item;
    editor.pane.surface.bring(item.bounds);
    if (fresh.asks && !editor.values.isOpen && !editor.list.isOpen) editor.values.edit(item);
  }

  /** A symbol of the palette is led over the canvas. */
  lead(item: PaletteItem, event: PointerEvent): void {
    const { overlay, surface } = this.editor.pane;
    if (!isOver(surface, event)) return overlay.clear();
    const screen = surface.local(event);
    const p = surface.view.toDrawing(screen);
    const under = this.under(p);
    const verdict: Verdict = under ? "good" : "free";
    overlay.symbol(item.label, snapped(p));
    overlay.target(under?.bounds ?? null, verdict);
    overlay.say(under ? `${item.label} ${under.words}` : item.sentence, screen, verdict);
  }

  async drop(item: PaletteItem, event: PointerEvent): Promise<void> {
    const { editor } = this;
    const { overlay, surface } = editor.pane;
    overlay.clear();
    if (!editor.canEdit || !isOver(surface, event)) return;
    editor.focus();
    const p = surface.view.toDrawing(surface.local(event));
    const under = this.under(p);
    if (under?.split) {
      const done = await editor.studio.do("bond.split", {
        network: editor.network,
        bond: under.split,
        kind: item.kind,
        at: unitsOf(snapped(p)),
      });
      return this.added(done?.selection?.[0] ?? null, true, "");
    }
    const at = under ? editor.places.free([p[0] + 60, p[1]], roomOf(item)) : snapped(p);
    await this.add(item, at, under?.on ?? "");
  }

  /** The element or bond that a new symbol would go onto. */
  private under(p: Point): Under | null {
    const { editor } = this;
    const { surface } = editor.pane;
    const item = surface.at(surface.view.toScreen(p));
    if (item instanceof BondLine) {
      const bond = localOf(editor.network, item.name);
      return { split: bond, words: `into bond ${bond}`, bounds: item.bounds };
    }
    const target = item instanceof Port ? item : editor.topOf(item);
    if (!target || !(target instanceof Symbol || target instanceof Port)) return null;
    const on = editor.local(target);
    return { on, words: `on ${on}`, bounds: target.bounds };
  }

  private centreOf(local: string): Point | undefined {
    const items = this.editor.drawing?.items ?? [];
    return items.find((item) => this.editor.local(item) === local)?.centre;
  }
}
