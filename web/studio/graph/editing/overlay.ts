// What is shown while something is dragged, before it is done: a bond, a symbol, a band, words.
import { h, svg } from "../../../src/ui/dom";
import type { Surface } from "../canvas/surface";
import type { Bounds } from "../canvas/viewport";
import type { Point } from "../data";
import { direction, halfArrow, pathOf, plus, times } from "../geometry";

/** Whether what is under the pointer takes it: yes, no, or there is nothing. */
export type Verdict = "good" | "bad" | "free";

const AWAY = 16;

export class Overlay {
  /** Words beside the pointer. */
  readonly tag = h("div", { class: "graph-tag", role: "status", hidden: true });
  private readonly layer = svg("g", { class: "overlay", "aria-hidden": "true" });
  private readonly line = svg("path", { class: "new-line" });
  private readonly barb = svg("path", { class: "new-barb" });
  private readonly ring = svg("rect", { class: "new-target", rx: 7 });
  private readonly band = svg("rect", { class: "band" });
  private readonly ghost = svg("g", { class: "ghost" });

  /** A line across the window, for what is led out of the canvas. */
  private readonly thread = svg("svg", { class: "graph-thread", "aria-hidden": "true" });
  private readonly string = svg("line");

  constructor(private readonly surface: Surface) {
    this.layer.append(this.band, this.line, this.barb, this.ring, this.ghost);
    surface.over.append(this.layer);
    this.thread.append(this.string);
    this.clear();
  }

  /** From a place of the canvas to a place outside of it. */
  lead(from: Point, to: Point, verdict: Verdict): void {
    const { left, top } = this.surface.window.getBoundingClientRect();
    const ends = { x1: from[0] + left, y1: from[1] + top, x2: to[0] + left, y2: to[1] + top };
    for (const [key, value] of Object.entries(ends)) this.string.setAttribute(key, `${value}`);
    this.thread.dataset.verdict = verdict;
    if (!this.thread.isConnected) document.body.append(this.thread);
  }

  dispose(): void {
    this.tag.remove();
    this.thread.remove();
  }

  /** A bond on its way; `inward`: its half arrow is at the first end. */
  bond(from: Point, to: Point, verdict: Verdict, inward = false): void {
    const along = direction(from, to);
    const way = [plus(from, times(along, 14)), to];
    const drawn = inward ? [...way].reverse() : way;
    this.layer.dataset.verdict = verdict;
    this.line.setAttribute("d", pathOf(drawn));
    this.barb.setAttribute("d", pathOf(halfArrow(drawn, false)));
  }

  /** The thing that would be taken. */
  target(bounds: Bounds | null, verdict: Verdict): void {
    this.layer.dataset.verdict = verdict;
    this.ring.toggleAttribute("hidden", !bounds);
    this.ring.style.display = bounds ? "" : "none";
    if (!bounds) return;
    const [x0, y0, x1, y1] = bounds;
    const box = { x: x0 - 6, y: y0 - 6, width: x1 - x0 + 12, height: y1 - y0 + 12 };
    for (const [key, value] of Object.entries(box)) this.ring.setAttribute(key, `${value}`);
  }

  /** A symbol that is not there yet. */
  symbol(text: string, [x, y]: Point): void {
    if (this.ghost.dataset.text !== text) {
      const w = 8 * text.length + 12;
      this.ghost.replaceChildren(
        svg("rect", { x: -w / 2, y: -11, width: w, height: 22, rx: 5 }),
        svg("text", { dy: "0.35em" }, text),
      );
      this.ghost.dataset.text = text;
    }
    this.ghost.style.display = "";
    this.ghost.setAttribute("transform", `translate(${x} ${y})`);
  }

  /** A band around what will be selected. */
  box([x0, y0, x1, y1]: Bounds): void {
    this.band.style.display = "";
    const box = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
    for (const [key, value] of Object.entries(box)) this.band.setAttribute(key, `${value}`);
  }

  /** Words beside a place of the canvas. */
  say(words: string, [x, y]: Point, verdict: Verdict, lines: readonly string[] = []): void {
    this.tag.hidden = !words;
    this.tag.dataset.verdict = verdict;
    const sign = verdict === "good" ? "✓ " : verdict === "bad" ? "✕ " : "";
    const text = sign + words;
    if (this.tag.dataset.words !== text + lines.join("\n")) {
      this.tag.dataset.words = text + lines.join("\n");
      this.tag.replaceChildren(h("strong", {}, text), ...lines.map((line) => h("code", {}, line)));
    }
    if (!this.tag.isConnected) document.body.append(this.tag);
    const { left, top } = this.surface.window.getBoundingClientRect();
    const [w, tall] = [this.tag.offsetWidth, this.tag.offsetHeight];
    this.tag.style.left = `${Math.max(4, Math.min(left + x + AWAY, innerWidth - w - 4))}px`;
    this.tag.style.top = `${Math.max(4, Math.min(top + y + AWAY, innerHeight - tall - 4))}px`;
  }

  clear(): void {
    this.line.setAttribute("d", "");
    this.barb.setAttribute("d", "");
    for (const part of [this.ring, this.band, this.ghost]) part.style.display = "none";
    this.tag.hidden = true;
    this.tag.dataset.words = "";
    this.thread.remove();
  }
}
