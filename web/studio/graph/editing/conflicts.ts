// What cannot be, at the elements that it is about: red, with a sign and words; and all of it in
// words below the drawing.
import { h, svg } from "../../../src/ui/dom";
import type { Finding } from "../data";
import type { BondDrawing } from "../drawing/bond";
import type { GraphPane } from "../pane/pane";

const BELOW = 13;

export class Conflicts {
  private readonly strip = h("ul", { class: "graph-conflicts", "aria-label": "Conflicts" });
  private before = "";

  constructor(private readonly pane: GraphPane) {
    pane.element.append(this.strip);
  }

  show(findings: readonly Finding[], drawing: BondDrawing): void {
    const found = findings.filter(({ kind }) => kind === "conflict");
    const names = new Set(found.flatMap(({ elements }) => elements));
    const items = drawing.items.filter((item) => item.rank !== "line" && names.has(item.name));
    this.pane.lights.items("conflict", new Set(items));
    for (const { element, bounds } of items) {
      const y = (bounds[3] - bounds[1]) / 2 + BELOW;
      element.append(svg("text", { class: "conflict-words", y, dy: "0.35em" }, "✕ conflict"));
    }
    this.strip.replaceChildren(...found.map(({ text }) => h("li", {}, `✕ ${text}`)));
    this.strip.hidden = !found.length;
    const words = found.map(({ text }) => text).join("; ");
    if (words && words !== this.before) this.pane.announce(`conflict: ${words}`);
    this.before = words;
  }
}
