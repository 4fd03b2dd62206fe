// Run, with the choice of what to do; stop; how far it is; what went wrong.
import { effect, untracked } from "@preact/signals";
import { h } from "../../src/ui/dom";
import { askForEnd } from "../panes/dialogs";
import type { JobData } from "../protocol";
import type { Studio } from "../studio";
import { exportMenu } from "./export";
import { menu } from "./menu";
import { ANALYSES, type Option, type Plan, planOf } from "./plan";
import { isUnderWay, progressText } from "./remaining";

export function runControls(studio: Studio): HTMLElement {
  const plan = planOf(studio);
  const start = async () => {
    if (plan.needsEnd && studio.document.peek()?.readOnly) return choices.open(true);
    if (plan.needsEnd && !(await endIsSet(studio))) return;
    await plan.start();
  };
  const run = h("button", {
    type: "button",
    class: "run-button",
    "data-command": "run",
    click: () => void start(),
  });
  const stop = h(
    "button",
    {
      type: "button",
      "data-command": "stop",
      title: "Stop; what there is of the run is kept (Esc)",
      click: () => plan.stop(),
    },
    "■ Stop",
  );
  const choices = menu("▾", "What to run", (panel, close) => fill(panel, plan, close));
  const bar = h("progress", { "aria-label": "Progress", hidden: true });
  const state = h("span", { class: "run-state", role: "status" });
  effect(() => {
    const faults = studio.faults.value;
    const isBlocked = faults.faults.length > 0 || faults.unreadable;
    const { chosen, end } = plan;
    const what = chosen.options.some((o) => o.name === "t_end") ? end : "";
    const label = chosen.name === "transient" ? "Run" : chosen.label;
    run.textContent = `${label} ▶${what ? ` ${what}` : ""}`;
    run.disabled = isBlocked || !studio.connected.value;
    run.title = isBlocked
      ? "The model has faults; they are in the list below"
      : `${chosen.label}: ${chosen.sentence} (Ctrl+Enter)`;
    stop.disabled = plan.underWay.length === 0;
    const job = plan.current;
    bar.hidden = !job || !isUnderWay(job);
    if (job?.progress == null) bar.removeAttribute("value");
    else bar.value = job.progress;
    state.replaceChildren(...stateOf(studio, job, plan.refusal.value));
  });
  return h(
    "div",
    { class: "run-controls", role: "group", "aria-label": "Run" },
    h("span", { class: "run-split" }, run, choices.element, bar),
    stop,
    state,
    exportMenu(studio),
  );
}

/** Asks once until when; whether the file says it now. */
async function endIsSet(studio: Studio): Promise<boolean> {
  const text = await askForEnd("10 s", "Run");
  if (text === null) return false;
  const done = await studio.do("settings.set", { key: "t_end", value: text });
  if (done) await studio.checked();
  return done !== null;
}

function stateOf(studio: Studio, job: JobData | null, refusal: string): (Node | string)[] {
  if (refusal) return [h("span", { class: "failed" }, `⚠ ${refusal}`)];
  if (!job) return [];
  if (isUnderWay(job)) {
    const text = progressText(job);
    const quick = job.quick ? [h("span", { class: "quick", title: QUICK }, "quick code")] : [];
    return [h("span", { class: "phase", title: text }, text), ...quick];
  }
  if (job.failure) return [failed(studio, job)];
  return [h("span", { class: "muted" }, job.state === "stopped" ? "stopped" : "")];
}

export const QUICK =
  "The machine code in use was made quickly and runs slowly; better code is being made.";

/** What went wrong, and buttons for the elements it speaks of. */
function failed(studio: Studio, { failure, elements, state }: JobData): HTMLElement {
  const names = [...new Set(elements)].map((name) =>
    h("button", { type: "button", class: "link", click: () => studio.select([name]) }, name),
  );
  return h(
    "span",
    { class: state === "failed" ? "failed" : "failed early", title: failure },
    h("span", { class: "why" }, `⚠ ${failure}`),
    ...names,
  );
}

function fill(panel: HTMLElement, plan: Plan, close: () => void): void {
  const draw = () => {
    const kinds = h(
      "div",
      { class: "kinds", role: "radiogroup", "aria-label": "Analysis" },
      ...ANALYSES.map((a) => {
        const radio = h("input", {
          ...{ type: "radio", name: "analysis", value: a.name },
          checked: a === plan.chosen,
          change: () => {
            plan.analysis.value = a.name;
            draw();
            panel.querySelector<HTMLElement>("input:checked")?.focus();
          },
        });
        return h(
          "label",
          { "data-analysis": a.name },
          radio,
          h("span", {}, a.label),
          h("span", { class: "muted" }, a.sentence),
        );
      }),
    );
    const form = h(
      "form",
      {
        class: "settings",
        submit: (e: Event) => {
          e.preventDefault();
          close();
          void plan.start().then(() => plan.forget());
        },
      },
      ...plan.chosen.options.map((o) => field(plan, o)),
      h("button", { type: "submit", class: "primary" }, `${plan.chosen.label} ▶`),
    );
    const note = h("p", { class: "muted" }, "For this run only; empty fields are as in the file.");
    panel.replaceChildren(kinds, form, ...(plan.chosen.options.length ? [note] : []));
  };
  untracked(draw);
}

function field(plan: Plan, { name, label, hint, choices }: Option): HTMLElement {
  const keep = (text: string) => (plan.options.value = { ...plan.options.value, [name]: text });
  const value = plan.options.value[name] ?? "";
  if (choices) {
    const select = h(
      "select",
      { name, change: () => keep(select.value) },
      ...choices.map((c) => h("option", { value: c }, c || "as in the file")),
    );
    select.value = value;
    return h("label", {}, label, select);
  }
  const input = h("input", {
    ...{ type: "text", name, value, spellcheck: "false" },
    placeholder: name === "t_end" ? plan.end || hint : hint,
    input: () => keep(input.value.trim()),
  });
  return h("label", {}, label, input);
}
