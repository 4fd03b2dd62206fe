// Commands that change the model, whichever part of the window has the focus.
import { contextOf } from "../keys";
import type { Asker } from "../panes/asker";
import { askForEnd } from "../panes/dialogs";
import type { Actions } from "../panes/doing";
import type { Studio } from "../studio";
import { Adding } from "./adding";
import { askForField } from "./fields";
import { modelKinds } from "./kinds";
import { Selected } from "./selected";

export class Editing {
  readonly selected: Selected;
  readonly adding: Adding;
  readonly actions: Actions;

  constructor(
    private readonly studio: Studio,
    asker: Asker,
    /** Move the focus to the fields of what is selected. */
    inspect: () => void,
    /** Let the name be typed where it stands; false if that cannot be. */
    private readonly renameInPlace: (name: string) => boolean,
    /** The network that is being drawn in; "" for none. */
    drawnIn: () => string,
  ) {
    const selected = (this.selected = new Selected(studio, asker, drawnIn));
    const adding = (this.adding = new Adding(studio, asker, () => selected.network(), inspect));
    this.actions = {
      add: () => void adding.add(),
      joint: () => void adding.joint(),
      bond: () => void adding.bond(),
      frame: () => void adding.frame(),
      parameter: () => void adding.parameter(),
      network: () => void adding.addNetwork(),
      rename: () => this.rename(),
      remove: () => void selected.remove(),
      duplicate: () => void selected.duplicate(),
      copy: () => void selected.copy(),
      cut: () => void selected.cut(),
      paste: () => void selected.paste(),
      kind: () => void this.kind(),
      inspect,
      field: () => void this.field([...studio.selection.peek()][0] ?? "", asker),
      settings: () => void this.field("simulate", asker),
      end: () => void this.end(),
    };
  }

  /** What is pasted where no text is typed becomes elements. */
  listen(target: Document): void {
    target.addEventListener("paste", (event) => {
      const context = contextOf(event);
      const document = this.studio.document.peek();
      if (context === null || context === "text" || !document || document.readOnly) return;
      if (target.querySelector("dialog[open]")) return;
      event.preventDefault();
      void this.selected.paste(event.clipboardData?.getData("text/plain"));
    });
  }

  private rename(): void {
    const [name] = this.studio.selection.peek();
    if (name !== undefined && !this.renameInPlace(name)) void this.selected.rename();
  }

  /** Another kind of what is selected, of those in its section. */
  private async kind(): Promise<void> {
    const [name] = this.studio.selection.peek();
    const section = this.studio.items.peek().get(name ?? "")?.path[0];
    try {
      const kinds = await modelKinds(this.studio.connection);
      await this.selected.kind(kinds.filter((k) => k.section === section));
    } catch (error) {
      this.studio.complain(error);
    }
  }

  private async field(name: string, asker: Asker): Promise<void> {
    try {
      await askForField(this.studio, asker, name);
    } catch (error) {
      this.studio.complain(error);
    }
  }

  private async end(): Promise<void> {
    const text = await askForEnd(this.studio.outline.peek()?.run.t_end ?? "10 s", "Set");
    if (text !== null) await this.studio.do("settings.set", { key: "t_end", value: text });
  }
}
