// What processing a graph has found, in words: findings, which select their elements, and facts.
import { h } from "../../../src/ui/dom";
import type { Finding, GraphData, TreeData } from "../data";

/** Kinds of findings that need attention. */
const SIGNS: Record<string, string> = {
  conflict: "✕",
  dependent: "△",
  derivative: "△",
  loop: "↻",
  forced: "△",
};

export class Panel {
  readonly element: HTMLElement;
  private readonly body = h("div", { class: "panel-body" });

  constructor(
    title: string,
    private readonly select: (names: string[], add: boolean) => void,
    close: () => void,
    private readonly choose?: (tree: string) => void,
  ) {
    this.element = h(
      "aside",
      { class: "graph-panel", "aria-label": title, hidden: true },
      h(
        "header",
        {},
        h("h3", {}, title),
        h(
          "button",
          { type: "button", class: "quiet", "aria-label": `Close ${title}`, click: close },
          "×",
        ),
      ),
      this.body,
    );
  }

  show({ findings, facts, trees = [] }: GraphData): void {
    const items = findings.map((finding) => h("li", {}, this.finding(finding)));
    const told = facts.filter(({ label }) => !trees.some(({ name }) => label === `tree ${name}`));
    const rows = told.flatMap(({ label, text }) => [h("dt", {}, label), h("dd", {}, text)]);
    this.body.replaceChildren(
      ...(items.length ? [h("ul", { class: "findings" }, ...items)] : []),
      ...(rows.length ? [h("dl", { class: "facts" }, ...rows)] : []),
      ...(trees.length ? [h("h4", {}, "Trees"), ...trees.map((tree) => this.tree(tree))] : []),
    );
    if (!items.length && !rows.length)
      this.body.append(h("p", { class: "muted" }, "Nothing found."));
  }

  /** A tree with what it costs, or why it cannot be. */
  private tree({ name, text, objection }: TreeData): HTMLElement {
    const words = [h("strong", {}, name), h("span", {}, objection || text)];
    if (objection) return h("div", { class: "tree-cost" }, ...words);
    const click = () => this.choose?.(name);
    return h("button", { type: "button", class: "tree-cost", click }, ...words);
  }

  private finding({ kind, text, elements }: Finding): HTMLElement {
    const sign = h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[kind] ?? "✓");
    const words = h("span", {}, text);
    if (!elements.length) return h("div", { class: `finding ${kind}` }, sign, words);
    const click = (event: MouseEvent) => this.select(elements, event.shiftKey);
    return h("button", { type: "button", class: `finding ${kind}`, click }, sign, words);
  }
}

/** What colours and signs mean. */
export function legendOf(legend: GraphData["legend"]): HTMLElement[] {
  return legend.map(({ label, colour, dashed }) => {
    if (!colour) return h("span", { class: "entry" }, label);
    const sample = h("i", {
      class: `sample ${dashed ? "dashed" : ""} ${label === "cotree" ? "thin" : ""}`,
    });
    sample.style.setProperty("--paint", colour);
    return h("span", { class: "entry" }, sample, label);
  });
}
