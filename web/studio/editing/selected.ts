// What is done to the elements that are selected: renamed, removed, copied, made twice.
import type { Asker } from "../panes/asker";
import { answer } from "../panes/asker";
import type { Studio } from "../studio";

/** The last part of a name: "mesh" of "drive.mesh". */
export const ownPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

const GRAPHS = ["networks", "subgraphs"];

const isWithin = (name: string, whole: string): boolean =>
  name === whole || name.startsWith(`${whole}.`);

export class Selected {
  /** What was copied last, where the browser keeps no clipboard for the page. */
  private kept = "";

  constructor(
    private readonly studio: Studio,
    private readonly asker: Asker,
    /** The network that is being drawn in; "" for none. */
    private readonly drawnIn: () => string,
  ) {}

  private get names(): string[] {
    return [...this.studio.selection.peek()];
  }

  /** Another name, asked for in the list; everything that refers to it follows. */
  async rename(): Promise<void> {
    const [name] = this.names;
    if (name === undefined) return;
    const text = await this.asker.type(`Rename ${name}`, ownPart(name), "Its new name");
    if (text !== null && text !== ownPart(name))
      await this.studio.do("element.rename", { name, new: text });
  }

  /** Gone, with what cannot be without them, which is asked for first. */
  async remove(): Promise<void> {
    await this.studio.do("element.remove", { names: this.names });
  }

  async duplicate(): Promise<void> {
    await this.studio.do("element.duplicate", { names: this.names });
  }

  /** On the clipboard, as text of the file; whether it is there. */
  copy(): Promise<boolean> {
    const copying = this.copied().finally(() => {
      if (this.copying === copying) this.copying = null;
    });
    return (this.copying = copying);
  }
  /** A copy that is under way: what is pasted meanwhile is that, not what was copied before. */
  private copying: Promise<boolean> | null = null;

  private async copied(): Promise<boolean> {
    const { studio, names } = this;
    try {
      const { text } = await studio.connection.ask<{ text: string }>("clip", { names });
      this.kept = text;
      await navigator.clipboard?.writeText(text).catch(() => undefined);
      studio.announce(`Copied ${names.join(", ")}`);
      return true;
    } catch (error) {
      studio.complain(error);
      return false;
    }
  }

  async cut(): Promise<void> {
    if (await this.copy()) await this.remove();
  }

  /** Copies of what is on the clipboard; into the network that is drawn in or selected, if any. */
  async paste(given?: string): Promise<void> {
    const text = this.copying ? await this.underWay() : given || (await this.fromClipboard());
    if (!text.trim()) {
      this.studio.complain(new Error("there is nothing to paste; copy an element first"));
      return;
    }
    await this.studio.do("element.paste", { text, network: this.network() });
  }

  private async underWay(): Promise<string> {
    return (await this.copying) ? this.kept : "";
  }

  private async fromClipboard(): Promise<string> {
    try {
      return (await navigator.clipboard.readText()) || this.kept;
    } catch {
      return this.kept; // the browser does not let the page read what others have copied
    }
  }

  /** The network or sub-graph that is drawn in, that is selected, or in which something is. */
  network(): string {
    const sections = this.studio.outline.peek()?.sections ?? [];
    const graphs = sections.filter(({ section }) => GRAPHS.includes(section));
    const [name = ""] = this.names;
    const own = graphs.flatMap(({ items }) => items).find((graph) => isWithin(name, graph.name));
    return this.drawnIn() || own?.name || "";
  }

  /** Another kind of the element, chosen from those of its section. */
  async kind(kinds: readonly { kind: string; sentence: string }[]): Promise<void> {
    const [name] = this.names;
    const choice = await this.asker.choose({
      label: `Which kind shall ${name} be?`,
      choices: kinds.map((k) => answer(k.kind, k.sentence)),
    });
    if (choice) await this.studio.do("element.kind", { name, kind: choice.name });
  }
}
