// The file's text: an editor whose faults, completions and cards come from the server, and whose
// history is the document's.
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import {
  Annotation,
  type ChangeSet,
  Compartment,
  EditorState,
  type Extension,
  type Text,
} from "@codemirror/state";
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { effect } from "@preact/signals";
import { h } from "../../src/ui/dom";
import type { FaultData } from "../protocol";
import type { Studio, View } from "../studio";
import { caretSelects, completion, hoverCard } from "./asking";
import { lit, litLines, spansOf } from "./elements";
import { place } from "./place";
import type { Editor, SharedText } from "./shared";
import { theme } from "./theme";

/** Marks a change that came from elsewhere. */
const foreign = Annotation.define<boolean>();

/** Keys of the editor that mean something else in the studio. */
const TAKEN = new Set(["Mod-Enter", "Mod-i", "Mod-z", "Mod-y", "Mod-k", "Mod-e"]);

/** Lines that a fault underlines at most. */
const MOST_UNDERLINED = 3;

const HINT = "Escape, then Tab leaves the editor.";

export function textView(studio: Studio, text: SharedText): View {
  return new TextView(studio, text);
}

class TextView implements View, Editor {
  readonly element = h("div", { class: "text-view" });
  private readonly view: EditorView;
  private readonly access = new Compartment();
  private readonly language = new Compartment();
  private readonly leave: (() => void)[] = [];

  constructor(
    private readonly studio: Studio,
    private readonly text: SharedText,
  ) {
    const root = this.element.attachShadow({ mode: "open" });
    this.view = new EditorView({ state: this.fresh(text.local), root, parent: root });
    this.leave.push(text.attach(this));
    this.leave.push(effect(() => this.followDocument()));
    this.leave.push(effect(() => this.followFaults()));
    this.leave.push(effect(() => this.followElements()));
    this.leave.push(effect(() => this.followPlace()));
  }

  private fresh(doc: Text): EditorState {
    return EditorState.create({ doc, extensions: this.extensions() });
  }

  private extensions(): Extension[] {
    const { studio, text } = this;
    return [
      EditorState.lineSeparator.of("\n"),
      EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n?/g, "\n")),
      lineNumbers(),
      lintGutter(),
      codeFolding(),
      foldGutter({ openText: "▾", closedText: "▸" }),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      drawSelection(),
      dropCursor(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightSelectionMatches(),
      search({ top: true }),
      completion(studio, text),
      hoverCard(studio, text),
      caretSelects(studio, text),
      litLines,
      this.access.of(this.accessNow()),
      this.language.of(this.languageNow()),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...foldKeymap]),
      keymap.of([...defaultKeymap, indentWithTab].filter(({ key }) => !TAKEN.has(key ?? ""))),
      EditorView.contentAttributes.of({
        "aria-label": "Text of the model",
        "aria-description": HINT,
      }),
      EditorView.domEventHandlers({ beforeinput: (event) => this.historyAsked(event) }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged || update.transactions.some((t) => t.annotation(foreign))) return;
        text.typed(update.changes, this);
      }),
      theme,
    ];
  }

  /** Undo from a menu of the browser. */
  private historyAsked(event: InputEvent): boolean {
    if (event.inputType !== "historyUndo" && event.inputType !== "historyRedo") return false;
    event.preventDefault();
    if (event.inputType === "historyUndo") this.studio.undo();
    else this.studio.redo();
    return true;
  }

  private accessNow(): Extension {
    return EditorState.readOnly.of(this.studio.document.peek()?.readOnly ?? true);
  }

  private languageNow(): Extension {
    return this.studio.document.peek()?.format === "json" ? json() : yaml();
  }

  apply(changes: ChangeSet, follow: boolean): void {
    const selection = follow && this.view.hasFocus ? { anchor: endOf(changes) } : undefined;
    this.view.dispatch({
      changes,
      ...(selection && { selection }),
      scrollIntoView: selection !== undefined,
      annotations: foreign.of(true),
    });
  }

  replace(text: Text): void {
    this.view.setState(this.fresh(text));
    this.followFaults();
    this.followElements();
  }

  private lastAccess = "";

  private followDocument(): void {
    const document = this.studio.document.value;
    const key = `${document?.readOnly} ${document?.format}`;
    if (key === this.lastAccess) return;
    this.lastAccess = key;
    this.view.dispatch({
      effects: [
        this.access.reconfigure(this.accessNow()),
        this.language.reconfigure(this.languageNow()),
      ],
    });
  }

  private followFaults(): void {
    const { faults, revision } = this.studio.faults.value;
    const { doc } = this.view.state;
    const diagnostics = faults.map((fault): Diagnostic => {
      const [from, end] = fault.span.map((at) =>
        Math.min(this.text.carried(at, revision), doc.length),
      );
      const to = underlined(doc, from, Math.max(from, end));
      return {
        from,
        to,
        severity: "error",
        message: fault.what,
        renderMessage: () => words(fault),
        actions: fault.fixes.map(({ label, operation, arguments: args }) => ({
          name: label,
          apply: () => void this.studio.do(operation, args),
        })),
      };
    });
    diagnostics.sort((a, b) => a.from - b.from);
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  private followElements(): void {
    const { items, selection, hovered } = this.studio;
    const revision = this.studio.outline.value?.revision ?? 0;
    const under = hovered.value === null ? [] : [hovered.value];
    this.view.dispatch({
      effects: lit({
        selected: spansOf(selection.value, items.value, this.text, revision),
        hovered: spansOf(under, items.value, this.text, revision),
      }),
    });
  }

  private handled: object | null = place.peek();

  private followPlace(): void {
    const now = place.value;
    if (!now || now === this.handled) return;
    this.handled = now;
    this.show(now.span[0], now.focus, now.span[1]);
  }

  private show(from: number, focus: boolean, to = from): void {
    const { length } = this.view.state.doc;
    const [head, end] = [Math.min(from, length), Math.min(to, length)];
    const isShort = end - head < 200;
    this.view.dispatch({
      ...(focus && { selection: { anchor: isShort ? end : head, head } }),
      effects: EditorView.scrollIntoView(head, { y: "center" }),
    });
    if (focus) this.view.focus();
  }

  reveal(names: ReadonlySet<string>): void {
    const revision = this.studio.outline.peek()?.revision ?? 0;
    const [first] = spansOf(names, this.studio.items.peek(), this.text, revision);
    if (first) this.show(first[0], false);
  }

  dispose(): void {
    for (const leave of this.leave) leave();
    this.view.destroy();
  }
}

/** Where the line under a fault ends: of one that has many lines, with the first. */
function underlined(doc: Text, from: number, to: number): number {
  const first = doc.lineAt(from);
  return doc.lineAt(to).number - first.number < MOST_UNDERLINED ? to : Math.max(from, first.to);
}

function words({ what, cure }: FaultData): HTMLElement {
  return h("span", {}, what, ...(cure ? [h("span", { class: "cure" }, cure)] : []));
}

/** The end of the last thing that changes put into the text. */
function endOf(changes: ChangeSet): number {
  let end = 0;
  changes.iterChangedRanges((_a, _b, _from, to) => (end = to));
  return end;
}
