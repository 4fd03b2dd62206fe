// Symbols that are put on a junction of the mechanism: what each would make is said before it is.
import type { Item } from "../canvas/items";
import type { Point } from "../data";
import { Symbol } from "../drawing/symbols";
import type { MechanismEditor } from "./mechanism_editor";
import type { PaletteItem } from "./questions";
import { isOver } from "./targets";
import type { Choice } from "./typed";

interface Gesture extends Choice {
  title: string;
  arguments: Record<string, unknown>;
}

interface Words {
  text: string;
  /** Lines of the file that would be written. */
  lines: readonly string[];
  isBad: boolean;
}

const HOW = "put it on a junction of a joint or frame";
/** Joints that are asked what can be put on them: the first may have no single coordinate. */
const ASKED = 3;

export class Putting {
  /** What would be made, by kind and junction; as long as the model is the same. */
  private readonly said = new Map<string, Words | null>();
  private revision = -1;
  private pointer: Point = [0, 0];

  constructor(private readonly editor: MechanismEditor) {}

  private get studio() {
    return this.editor.studio;
  }

  /** Symbols for the palette: what the junction of a joint takes. */
  async kinds(): Promise<PaletteItem[]> {
    const sections = this.studio.outline.peek()?.sections ?? [];
    const joints = sections.find(({ section }) => section === "joints")?.items ?? [];
    for (const { name } of joints.slice(0, ASKED)) {
      const choices = await this.gestures(`${name}.u`).catch(() => []);
      if (choices.length) return choices.map(({ kind }) => ({ kind, label: kind, sentence: HOW }));
    }
    return [];
  }

  private async gestures(name: string): Promise<Gesture[]> {
    type Answer = { choices: Gesture[] };
    const { choices } = await this.studio.connection.ask<Answer>("gestures", { name });
    return choices.map((choice) => ({ ...choice, label: choice.title }));
  }

  /** What can be put on a junction, to be chosen. */
  async list(item: Item): Promise<void> {
    const { list, pane } = this.editor;
    try {
      const choices = await this.gestures(item.name);
      list.open({
        title: `Put on ${item.name}`,
        choices,
        at: pane.surface.view.toScreen(item.centre),
        take: (choice) => void this.make(choice.kind, item.name),
      });
    } catch (error) {
      this.studio.complain(error);
    }
  }

  /** Pressed in the palette: on the junction that the keyboard is at. */
  async add(item: PaletteItem): Promise<void> {
    const { current } = this.editor.pane.keys;
    if (current instanceof Symbol) await this.make(item.kind, current.name);
    else this.studio.notice.value = { text: `${item.kind}: ${HOW}`, kind: "remark" };
  }

  /** Led over the canvas: the element it would make is said. */
  lead(item: PaletteItem, event: PointerEvent): void {
    const { surface, overlay } = this.editor.pane;
    if (!isOver(surface, event)) return overlay.clear();
    const screen = surface.local(event);
    this.pointer = screen;
    const under = surface.at(screen);
    const junction = under instanceof Symbol ? under : null;
    overlay.symbol(item.label, surface.view.toDrawing(screen));
    const words = junction && this.wordsFor(item.kind, junction.name);
    const verdict = !junction ? "free" : words?.isBad ? "bad" : "good";
    overlay.target(junction?.bounds ?? null, verdict);
    overlay.say(words?.text ?? (junction ? "…" : HOW), screen, verdict, words?.lines);
  }

  async drop(item: PaletteItem, event: PointerEvent): Promise<void> {
    const { surface, overlay } = this.editor.pane;
    overlay.clear();
    if (!isOver(surface, event)) return;
    const under = surface.at(surface.local(event));
    if (under instanceof Symbol) await this.make(item.kind, under.name);
  }

  /** What it would make; asked for once, and said when the answer is there. */
  private wordsFor(kind: string, on: string): Words | null {
    const revision = this.studio.document.peek()?.revision ?? 0;
    if (revision !== this.revision) this.said.clear();
    this.revision = revision;
    const key = `${kind} ${on}`;
    if (this.said.has(key)) return this.said.get(key) ?? null;
    this.said.set(key, null);
    void this.tried(kind, on).then((words) => {
      this.said.set(key, words);
      const { overlay } = this.editor.pane;
      if (overlay.tag.hidden) return;
      overlay.say(words.text, this.pointer, words.isBad ? "bad" : "good", words.lines);
    });
    return null;
  }

  private async tried(kind: string, on: string): Promise<Words> {
    try {
      const { label, lines } = await this.studio.try("graph.gesture", { kind, on });
      return { text: label, lines, isBad: false };
    } catch (error) {
      const refused = error as { what?: string; cure?: string; choices?: readonly unknown[] };
      const text = [refused.what, refused.cure].filter(Boolean).join("; ") || String(error);
      return { text, lines: [], isBad: !refused.choices?.length };
    }
  }

  private async make(kind: string, on: string): Promise<void> {
    const done = await this.studio.do("graph.gesture", { kind, on });
    if (done) this.studio.announce(done.label ?? `${kind} put on ${on}`);
  }
}
