// The run that was chosen: what it was given, what came of it, why it failed.
import { pretty } from "../plots/plot";
import { readable } from "../plots/ticks";
import { h, icon } from "../ui/dom";
import { table } from "../ui/summary";
import type { Choice } from "./choice";
import type { Column } from "./data";

/** A value with its unit; a word. */
export function told(column: Column, run: number): string {
  const value = column.values[run];
  if (column.words) return column.words[value];
  if (!Number.isFinite(value)) return "none";
  const number = column.kind === "varied" ? `${Number(value.toPrecision(6))}` : readable(value);
  return column.unit && column.unit !== "1" ? `${number} ${pretty(column.unit)}` : number;
}

/** `more`: what else can be done with a run. */
export function details(choice: Choice, more: (run: number) => HTMLElement[]): HTMLElement {
  const { run, runs } = choice;
  const number = h("input", {
    ...{ type: "number", min: 0, max: runs.data.total - 1, "aria-label": "Number of a run" },
    change: () => {
      const found = runs.data.runs.indexOf(number.valueAsNumber);
      choice.change(() => (choice.run = found < 0 ? null : found));
    },
  });
  const head = h("header", {}, h("h2", {}, "Run"), number);
  const box = h("section", { class: "run-box", "aria-label": "The chosen run" }, head);
  if (run === null) {
    box.append(h("p", { class: "muted" }, "Click a line, a curve or a dot to see its run."));
    return box;
  }
  number.value = `${runs.data.runs[run]}`;
  const close = h(
    "button",
    {
      ...{ type: "button", class: "quiet", "aria-label": "Choose no run" },
      click: () => choice.change(() => (choice.run = null)),
    },
    icon("close"),
  );
  head.append(...more(run), close);
  const failure = runs.failure.get(run);
  if (failure) box.append(h("p", { class: "failed", role: "alert" }, `⚠ ${failure}`));
  const rows = runs.columns.map((c): [string, string] => [
    c.kind === "end" ? (failure ? "stopped at" : "ended at") : c.name,
    told(c, run),
  ]);
  box.append(table(rows));
  return box;
}

/** Why runs failed, with buttons for the first of them. */
export function failures(choice: Choice): HTMLElement {
  const { data, failure } = choice.runs;
  const box = h("section", { class: "run-failures", hidden: !failure.size });
  const most = 8;
  box.append(
    h("h2", {}, `${failure.size} ${failure.size === 1 ? "run" : "runs"} failed`),
    h(
      "ul",
      {},
      ...data.failures.map(({ text, runs }) =>
        h(
          "li",
          {},
          ...runs.slice(0, most).map((k) =>
            h(
              "button",
              {
                ...{ type: "button", class: "link" },
                click: () => choice.change(() => (choice.run = k)),
              },
              `run ${data.runs[k]}`,
            ),
          ),
          runs.length > most ? h("span", { class: "muted" }, `and ${runs.length - most} more`) : "",
          h("span", {}, text),
        ),
      ),
    ),
  );
  return box;
}
