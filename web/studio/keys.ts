// Keys of the keyboard as texts ("Ctrl+Shift+Z"), and which command a pressed key means.
import { COMMANDS, type Command, type Context } from "./commands";

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly code?: string;
}

const NAMES: Record<string, string> = { " ": "Space", Esc: "Escape" };

/** A pressed key as commands write it. */
export function keyText(event: Pressed): string {
  const isDigit = event.altKey && /^Digit\d$/.test(event.code ?? "");
  const plain = isDigit ? event.code!.slice(5) : (NAMES[event.key] ?? event.key);
  const key = plain.length === 1 ? plain.toUpperCase() : plain;
  const isLetter = key.length > 1 || /[A-Z]/.test(key);
  return [
    event.ctrlKey || event.metaKey ? "Ctrl+" : "",
    event.altKey ? "Alt+" : "",
    event.shiftKey && isLetter ? "Shift+" : "",
    key,
  ].join("");
}

/** The command that a key means where the focus is. */
export function commandOf(
  event: Pressed,
  context: Context,
  commands: readonly Command[] = COMMANDS,
): Command | undefined {
  const text = keyText(event);
  const meant = commands.filter((c) => c.keys.includes(text));
  const heard: Context[] = [
    context,
    ...(context === "tree" || context === "graph" ? (["views"] as const) : []),
    "everywhere",
  ];
  return heard.map((own) => meant.find((c) => c.context === own)).find((c) => c !== undefined);
}

const TYPING = 'input:not([type="range"]):not([type="checkbox"]), select, textarea';

/** Where the focus is, from the element that a key was pressed in; null: a field of its own. */
export function contextOf(event: Event): Context | null {
  const path = event.composedPath().filter((t): t is Element => t instanceof Element);
  if (path[0]?.matches(TYPING)) return null;
  if (path.some((e) => e.classList.contains("text-view"))) return "text";
  if (path.some((e) => e.getAttribute("role") === "tree")) return "tree";
  if (path.some((e) => e.classList.contains("graph-canvas"))) return "graph";
  return "views";
}

/** Whether Space or Enter belongs to the element with the focus: a button, a list. */
export function takesPress(event: Event): boolean {
  const target = event.composedPath()[0];
  return (
    target instanceof Element && target.matches("button, summary, a, input, select, [role=option]")
  );
}

/** Keys as a Mac shows them, or as they are. */
export function shown(keys: string, isMac: boolean): string {
  if (!isMac) return keys.replace("ArrowUp", "↑").replace("ArrowDown", "↓");
  return keys
    .replace("Ctrl+", "⌘")
    .replace("Shift+", "⇧")
    .replace("Alt+", "⌥")
    .replace("Escape", "⎋")
    .replace("Enter", "↩");
}
