// What processing a graph has found, in words: findings, which select their elements, and facts.
import { h } from "../../../src/ui/dom";
import type { Finding, GraphData } from "../data";

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

  show({ findings, facts }: GraphData): void {
    const items = findings.map((finding) => h("li", {}, this.finding(finding)));
    const rows = facts.flatMap(({ label, text }) => [h("dt", {}, label), h("dd", {}, text)]);
    this.body.replaceChildren(
      ...(items.length ? [h("ul", { class: "findings" }, ...items)] : []),
      ...(rows.length ? [h("dl", { class: "facts" }, ...rows)] : []),
    );
    if (!items.length && !rows.length)
      this.body.append(h("p", { class: "muted" }, "Nothing found."));
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
export function legendOf({ legend, kind }: GraphData): HTMLElement[] {
  const entries = legend.map(({ label, colour, dashed }) => {
    const sample = h("i", { class: dashed ? "sample dashed" : "sample" });
    sample.style.setProperty("--paint", colour);
    return h("span", { class: "entry" }, sample, label);
  });
  const words =
    kind === "linear"
      ? ["bold: tree", "thin: cotree"]
      : ["stroke: this end receives the effort", "red, underlined: derivative causality"];
  return [...entries, ...words.map((text) => h("span", { class: "entry" }, text))];
}
