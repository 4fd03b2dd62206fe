// Everything the command line writes, with the command that writes the same.
import { h } from "../../src/ui/dom";
import { runsOf } from "../results/store";
import { choiceOf } from "../results/choice";
import type { Studio } from "../studio";
import { menu } from "./menu";
import { planOf } from "./plan";

interface Kind {
  kind: string;
  label: string;
  /** It needs a run that is finished. */
  run?: boolean;
  options?: Record<string, unknown>;
}

const GROUPS: [title: string, kinds: Kind[]][] = [
  [
    "Model",
    [
      { kind: "yaml", label: "YAML" },
      { kind: "json", label: "JSON" },
    ],
  ],
  [
    "Run shown",
    [
      { kind: "html", label: "report page", run: true },
      { kind: "csv", label: "CSV", run: true },
      { kind: "nc", label: "NetCDF", run: true },
      { kind: "svg", label: "plot SVG", run: true },
      { kind: "png", label: "plot PNG", run: true },
      { kind: "pdf", label: "plot PDF", run: true },
    ],
  ],
  [
    "Bond graph",
    [
      { kind: "bond.svg", label: "SVG" },
      { kind: "bond.png", label: "PNG" },
      { kind: "bond.dot", label: "Graphviz" },
    ],
  ],
  [
    "Linear graph",
    [
      { kind: "linear.svg", label: "SVG" },
      { kind: "linear.png", label: "PNG" },
      { kind: "linear.dot", label: "Graphviz" },
    ],
  ],
  [
    "Equations",
    [
      { kind: "latex", label: "LaTeX" },
      { kind: "text", label: "text" },
      { kind: "c", label: "C" },
      { kind: "fortran", label: "Fortran" },
      { kind: "python", label: "Python" },
    ],
  ],
];

interface Ready {
  url: string;
  name: string;
  command: string;
}

export function exportMenu(studio: Studio): HTMLElement {
  return menu("Export", "Export", (panel) => fill(panel, studio)).element;
}

function fill(panel: HTMLElement, studio: Studio): void {
  const result = h("div", { class: "ready", role: "status" });
  const shown = runsOf(studio).shown.peek();
  const isThere = shown !== null && studio.runs.peek().some((r) => r.id === shown.id);
  const groups = GROUPS.map(([title, kinds]) =>
    h(
      "div",
      { class: "export-group", role: "group", "aria-label": title },
      h("span", { class: "muted" }, title),
      ...kinds.map((k) =>
        h(
          "button",
          {
            ...{ type: "button", "data-export": k.kind, disabled: Boolean(k.run && !isThere) },
            title:
              k.run && !isThere ? "There is no finished run to export" : `${title}: ${k.label}`,
            click: () => void save(studio, k, result),
          },
          k.label,
        ),
      ),
    ),
  );
  panel.classList.add("export");
  panel.replaceChildren(...groups, result);
}

async function save(studio: Studio, { kind, run }: Kind, result: HTMLElement): Promise<void> {
  result.replaceChildren(h("span", { class: "muted" }, "writing…"));
  const formulation = planOf(studio).options.peek().formulation;
  const options = {
    ...(run ? { run: runsOf(studio).shown.peek()?.id, plots: choiceOf(studio).names } : {}),
    ...(formulation ? { formulation } : {}),
  };
  try {
    const ready = await studio.connection.ask<Ready>("export", { kind, options });
    const link = h("a", { href: ready.url, download: ready.name }, `Download ${ready.name}`);
    result.replaceChildren(link, command(ready.command));
    link.click();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    result.replaceChildren(h("span", { class: "failed" }, `⚠ ${text}`));
  }
}

/** A command line that can be copied. */
export function command(text: string): HTMLElement {
  const copy = h(
    "button",
    {
      ...{ type: "button", class: "link" },
      click: () => {
        void navigator.clipboard?.writeText(text);
        copy.textContent = "copied";
      },
    },
    "copy",
  );
  return h("div", { class: "command" }, h("code", {}, text), copy);
}
