// Questions that need an answer before anything else: a name, a look at two texts.
import { h } from "../../src/ui/dom";
import type { Answer } from "../connection";
import { differingBlocks } from "./differing";

function shown(dialog: HTMLDialogElement): void {
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}

interface Wanted {
  /** The question. */
  title: string;
  /** What is typed, for assistive technology. */
  label: string;
  proposal: string;
  /** Words of the button. */
  button: string;
  hint?: string;
}

/** A text of one line; null if the user thinks better of it. */
export function askForText({
  title,
  label,
  proposal,
  button,
  hint,
}: Wanted): Promise<string | null> {
  const input = h("input", { type: "text", value: proposal, "aria-label": label });
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", {}, title),
    ...(hint ? [h("p", { class: "muted" }, hint)] : []),
    input,
    h(
      "div",
      { class: "choices" },
      h("button", { value: "" }, "Cancel"),
      h("button", { value: "take", class: "first" }, button),
    ),
  );
  const dialog = h("dialog", { class: "question", "aria-label": title }, form);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const text = input.value.trim();
      resolve(dialog.returnValue === "take" && text ? text : null);
    });
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      dialog.close("take");
    });
    shown(dialog);
    const end = proposal.lastIndexOf(".");
    input.setSelectionRange(0, end > 0 ? end : proposal.length);
  });
}

/** A name of a file below the folder of the studio; null if the user thinks better of it. */
export const askForName = (title: string, proposal: string): Promise<string | null> =>
  askForText({ title, label: "Name of the file", proposal, button: "Save" });

/** Until when a run goes; null if the user thinks better of it. */
export const askForEnd = (proposal: string, button: string): Promise<string | null> =>
  askForText({
    title: "Until when shall it run?",
    label: "End of the run",
    proposal,
    button,
    hint: "It is written into the file: simulate, t_end.",
  });

/** Whether a file that is there already may be written over. */
export function askToReplace(name: string): Promise<boolean> {
  const dialog = h(
    "dialog",
    { class: "question", role: "alertdialog", "aria-label": "Save as" },
    h(
      "form",
      { method: "dialog" },
      h("h2", {}, "Save as"),
      h("p", {}, `${name} is there already. What is in it would be lost.`),
      h(
        "div",
        { class: "choices" },
        h("button", { value: "", autofocus: true }, "Cancel"),
        h("button", { value: "replace", class: "first" }, "Replace"),
      ),
    ),
  );
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "replace"));
    shown(dialog);
  });
}

/** A question of an operation: one button for each answer; null if the user thinks better of it. */
export function askWhich(what: string, answers: readonly Answer[]): Promise<Answer | null> {
  const [title, ...rest] = what.split("\n");
  const buttons = answers.map(({ label }, k) =>
    h("button", { value: `${k}`, class: k === 0 ? "first" : "" }, label),
  );
  const dialog = h(
    "dialog",
    {
      class: "question",
      role: "alertdialog",
      "aria-labelledby": "asked",
      "aria-describedby": "asked-more",
    },
    h(
      "form",
      { method: "dialog" },
      h("h2", { id: "asked" }, title),
      h("div", { id: "asked-more", class: "more" }, ...rest.map((line) => h("p", {}, line))),
      h("div", { class: "choices" }, h("button", { value: "" }, "Cancel"), ...buttons),
    ),
  );
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const chosen = dialog.returnValue === "" ? undefined : answers[Number(dialog.returnValue)];
      resolve(chosen ?? null);
    });
    shown(dialog);
    buttons[0]?.focus();
  });
}

/** Two texts side by side; every block that differs is marked. */
export function compareTexts(titleA: string, a: string, titleB: string, b: string): void {
  const blocks = differingBlocks(a, b);
  const count = blocks.filter((block) => !block.isSame).length;
  const column = (title: string, side: "first" | "second") =>
    h(
      "section",
      {},
      h("h3", {}, title),
      h(
        "pre",
        { tabindex: 0, "aria-label": title },
        ...blocks.map((block) =>
          block.isSame
            ? `${block[side].join("\n")}\n`
            : h("mark", {}, block[side].length > 0 ? `${block[side].join("\n")}\n` : " \n"),
        ),
      ),
    );
  const places = count === 1 ? "1 place differs" : `${count} places differ`;
  const dialog = h(
    "dialog",
    { class: "question wide", "aria-label": `${titleA} and ${titleB}` },
    h(
      "form",
      { method: "dialog" },
      h("p", { class: "muted" }, count === 0 ? "Both texts are the same." : `${places}.`),
      h("div", { class: "side-by-side" }, column(titleA, "first"), column(titleB, "second")),
      h("div", { class: "choices" }, h("button", { value: "", class: "first" }, "Close")),
    ),
  );
  shown(dialog);
  for (const pre of dialog.querySelectorAll("pre"))
    pre.querySelector("mark")?.scrollIntoView({ block: "center" });
}
