// What the editor asks the server: completions at the caret, a card under the pointer, the element
// that the caret stands in.
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView, hoverTooltip, type Tooltip } from "@codemirror/view";
import { h } from "../../src/ui/dom";
import { everyField, type FieldData, type FormData } from "../inspector/form";
import { type Inquiry, isFormula, isKnown, plainWords } from "../inspector/inquiry";
import type { Studio } from "../studio";
import type { SharedText } from "./shared";

interface Completions {
  from: number;
  options: Completion[];
}

interface Where {
  path: string[];
  name: string;
}

/** Ask, and take no answer for none: a question about the text must never disturb typing. */
async function asked<T>(studio: Studio, type: string, content: object): Promise<T | null> {
  try {
    return await studio.connection.ask<T>(type, content);
  } catch {
    return null;
  }
}

export function completion(studio: Studio, text: SharedText): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const isTyped = context.matchBefore(/[\w.*/+-]+|[:{[,]\s*$/) !== null;
    if ((!context.explicit && !isTyped) || inComment(context)) return null;
    await text.settled();
    if (context.aborted) return null;
    const answer = await asked<Completions>(studio, "complete", { offset: context.pos });
    if (!answer || answer.options.length === 0) return null;
    return { from: answer.from, options: answer.options.map(tidy), validFor: /^[\w.]*$/ };
  };
  return autocompletion({ override: [source], icons: false, activateOnTypingDelay: 120 });
}

function inComment({ state, pos }: CompletionContext): boolean {
  return syntaxTree(state).resolveInner(pos, -1).name === "Comment";
}

/** Fields that the server left empty are left out. */
function tidy(option: Completion): Completion {
  const { label, type, detail, info, apply, boost } = option;
  return {
    label,
    ...(type && { type }),
    ...(detail && { detail }),
    ...(info && { info }),
    ...(apply && { apply }),
    ...(boost && { boost }),
  };
}

export function hoverCard(studio: Studio, text: SharedText): Extension {
  const source = async (_view: EditorView, offset: number): Promise<Tooltip | null> => {
    if (text.unsent.value) return null;
    const where = await asked<Where>(studio, "at", { offset });
    if (!where?.name) return null;
    const [answer, form] = await Promise.all([
      asked<{ data: Inquiry | null }>(studio, "inquire", { name: where.name }),
      asked<{ data: FormData | null }>(studio, "form", { name: where.name }),
    ]);
    if (!answer?.data || !isKnown(answer.data)) return null;
    const { data } = answer;
    const fields = form?.data?.groups.flatMap((group) => [...everyField(group.fields)]) ?? [];
    return {
      pos: offset,
      above: true,
      create: () => ({
        dom: card(data, fields, where.path),
        mount: () => point(where.name),
        destroy: () => point(null),
      }),
    };
  };
  // Other views may answer by changing the editor, which is not allowed while it draws itself.
  const point = (name: string | null) => queueMicrotask(() => (studio.hovered.value = name));
  return hoverTooltip(source, { hoverTime: 450, hideOnChange: true });
}

/** What an element is, in a few lines; of a field what it means. */
function card(data: Inquiry, fields: readonly FieldData[], path: readonly string[]): HTMLElement {
  const field = fields.find((f) => f.path.length > 1 && f.path.join("/") === path.join("/"));
  const lines = [data.sentence, data.causality].filter(Boolean);
  return h(
    "div",
    { class: "card" },
    h("b", {}, data.title || data.name),
    h("span", { class: "muted" }, data.kind ? `  ${data.kind}` : ""),
    ...lines.map((line) => h("p", {}, plainWords(line))),
    ...(isFormula(data.law) ? [h("p", { class: "law" }, data.law)] : []),
    ...(field?.about ? [h("p", { class: "muted" }, `${field.name}: ${field.about}`)] : []),
  );
}

/** The element that the caret stands in becomes the selected one. */
export function caretSelects(studio: Studio, text: SharedText): Extension {
  let timer = 0;
  return EditorView.updateListener.of((update) => {
    const isByUser = update.transactions.some(
      (t) => t.isUserEvent("select") || t.isUserEvent("input"),
    );
    if (!update.selectionSet || !isByUser) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => void ask(update.view), 120);
  });

  async function ask(view: EditorView): Promise<void> {
    await text.settled();
    const offset = view.state.selection.main.head;
    const where = await asked<Where>(studio, "at", { offset });
    if (!where?.name || view.state.selection.main.head !== offset) return;
    const { value } = studio.selection;
    if (value.size !== 1 || !value.has(where.name)) studio.select([where.name]);
  }
}
