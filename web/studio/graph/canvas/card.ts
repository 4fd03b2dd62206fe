// The card beside the pointer: what something is, its law, its causality in words.
import { h } from "../../../src/ui/dom";
import type { Point } from "../data";

const AWAY = 14;

export interface CardContent {
  title: string;
  sentence: string;
  details: readonly (readonly [label: string, text: string])[];
}

export class Card {
  readonly element = h("div", { class: "graph-card", role: "tooltip", hidden: true });

  /** Beside a point of the element that holds the card. */
  show({ title, sentence, details }: CardContent, [x, y]: Point): void {
    const rows = details.flatMap(([label, text]) => [h("dt", {}, label), h("dd", {}, text)]);
    this.element.replaceChildren(h("strong", {}, title));
    if (sentence) this.element.append(h("p", {}, sentence));
    if (rows.length) this.element.append(h("dl", {}, ...rows));
    this.element.hidden = false;
    const room = this.element.offsetParent;
    if (!room) return;
    const { offsetWidth: w, offsetHeight: tall } = this.element;
    const left = x + AWAY + w > room.clientWidth ? x - AWAY - w : x + AWAY;
    const top = y + AWAY + tall > room.clientHeight ? y - AWAY - tall : y + AWAY;
    this.element.style.left = `${Math.max(4, left)}px`;
    this.element.style.top = `${Math.max(4, top)}px`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}
