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
  options: Record<string, string>;
}

interface Group {
  title: string;
  /** It needs a run that is finished. */
  run?: boolean;
  kinds: Kind[];
}

const item = (label: string, kind: string, options: Record<string, string> = {}): Kind => ({
  ...{ label, kind, options },
});
const graph = (kind: string): Kind[] => [
  item("SVG", "graph", { kind, format: "svg" }),
  item("PNG", "graph", { kind, format: "png" }),
  item("Graphviz", "graph", { kind, format: "dot" }),
];
const pictures = (kind: string, what: string): Kind[] =>
  ["svg", "png", "pdf"].map((format) => item(`${what} ${format.toUpperCase()}`, kind, { format }));

const GROUPS: Group[] = [
  {
    title: "Model",
    kinds: [item("YAML", "model", { format: "yaml" }), item("JSON", "model", { format: "json" })],
  },
  {
    title: "Run shown",
    run: true,
    kinds: [item("report page", "report"), item("CSV", "csv"), item("NetCDF", "nc")],
  },
  { title: "Curves", run: true, kinds: pictures("plot", "plot") },
  { title: "Energy", run: true, kinds: pictures("energy", "bands") },
  { title: "Bond graph", kinds: graph("bond") },
  { title: "Linear graph", kinds: graph("linear") },
  {
    title: "Equations",
    kinds: [
      item("LaTeX", "equations", { format: "latex" }),
      item("text", "equations", { format: "text" }),
      item("C", "source", { format: "c" }),
      item("Fortran", "source", { format: "fortran" }),
      item("Python", "source", { format: "python" }),
    ],
  },
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
  const groups = GROUPS.map(({ title, run, kinds }) =>
    h(
      "div",
      { class: "export-group", role: "group", "aria-label": title },
      h("span", { class: "muted" }, title),
      ...kinds.map((k) =>
        h(
          "button",
          {
            ...{ type: "button", "data-export": [k.kind, ...Object.values(k.options)].join(" ") },
            disabled: Boolean(run && !isThere),
            title: run && !isThere ? "There is no finished run to export" : `${title}: ${k.label}`,
            click: () => void save(studio, k, run === true, result),
          },
          k.label,
        ),
      ),
    ),
  );
  panel.classList.add("export");
  panel.replaceChildren(...groups, result);
}

async function save(
  studio: Studio,
  { kind, options: own }: Kind,
  run: boolean,
  result: HTMLElement,
): Promise<void> {
  result.replaceChildren(h("span", { class: "muted" }, "writing…"));
  const formulation = planOf(studio).options.peek().formulation;
  const options = {
    ...own,
    ...(run ? { run: runsOf(studio).shown.peek()?.id } : {}),
    ...(kind === "plot" || kind === "report" ? { names: choiceOf(studio).names } : {}),
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
