// What commands need to know of the studio, and doing them.
import { type Command, COMMANDS, type Condition } from "../commands";
import { commandOf, contextOf, takesPress } from "../keys";
import type { Studio } from "../studio";

export type Actions = Record<string, () => void>;

/** Whether a command makes sense now. */
export function holds(condition: Condition, studio: Studio): boolean {
  const document = studio.document.value;
  switch (condition) {
    case "always":
      return true;
    case "connected":
      return studio.connected.value;
    case "writable":
      return studio.connected.value && document !== null && !document.readOnly;
    case "undoable":
      return studio.connected.value && (document?.canUndo ?? false) && !document?.readOnly;
    case "redoable":
      return studio.connected.value && (document?.canRedo ?? false) && !document?.readOnly;
    case "running":
      return [...studio.jobs.value.values()].some((job) => job.state === "running");
    case "faulty":
      return studio.faults.value.faults.length > 0;
    case "selected":
      return studio.selection.value.size > 0;
    case "editable":
      return holds("writable", studio) && holds("selected", studio);
  }
}

/** Commands that leave selected text of the page to the browser. */
const COPYING = ["copy", "cut"];

export class Doing {
  constructor(
    private readonly studio: Studio,
    private readonly actions: Actions,
    /** Actions of the panes, that of the active one first. */
    private readonly ofPanes: () => readonly Readonly<Actions>[] = () => [],
  ) {}

  /** Who carries out a command: the pane that has the focus, the window, or the first pane that can. */
  private actionOf(name: string): (() => void) | undefined {
    const panes = this.ofPanes();
    const isInPane = document.activeElement?.closest(".pane.active .pane-body") != null;
    const own = isInPane ? panes[0]?.[name] : undefined;
    return own ?? this.actions[name] ?? panes.find((pane) => name in pane)?.[name];
  }

  /** Commands that make sense now and are not just keys of one part. */
  available(): Command[] {
    return COMMANDS.filter((c) => this.actionOf(c.name) && holds(c.when, this.studio));
  }

  can(condition: Condition): boolean {
    return holds(condition, this.studio);
  }

  do(name: string): void {
    const command = COMMANDS.find((c) => c.name === name);
    if (command && holds(command.when, this.studio)) this.actionOf(name)?.();
  }

  /** Keys with Ctrl or Alt and keys of functions come first; plain ones after whoever has the focus. */
  listen(target: Document): void {
    target.addEventListener("keydown", (event) => this.pressed(event, true), { capture: true });
    target.addEventListener("keydown", (event) => this.pressed(event, false));
  }

  private pressed(event: KeyboardEvent, first: boolean): void {
    const isFirst = event.ctrlKey || event.metaKey || event.altKey || /^F\d+$/.test(event.key);
    if (event.defaultPrevented || event.isComposing || isFirst !== first) return;
    if (document.querySelector("dialog[open]")) return;
    const context = contextOf(event);
    const command = commandOf(event, context ?? "everywhere");
    if (!command || command.own || !this.actionOf(command.name)) return;
    if (COPYING.includes(command.name) && !getSelection()?.isCollapsed) return;
    const isHistory = command.name === "undo" || command.name === "redo";
    if (context === null && (isHistory || command.name === "stop")) return;
    if ((event.key === " " || event.key === "Enter") && !isFirst && takesPress(event)) return;
    event.preventDefault();
    event.stopPropagation();
    this.do(command.name);
  }
}
