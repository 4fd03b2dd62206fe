// The equations on the sheet: rows of mathematics whose symbols light up, are hovered and selected.
import { h } from "../../src/ui/dom";
import { copy } from "./copying";
import type { EquationsData, RowData, SymbolData } from "./data";
import { pieces } from "./lines";
import { mathOf } from "./mathml";

const SYMBOLS = "[data-name]:not([data-name] [data-name])";

export type Light = "lit" | "hot";

export interface SheetActions {
  /** A symbol is under the pointer or has the focus; null: none. */
  over(symbol: SymbolData | null, element: Element | null): void;
  /** A symbol or a row was clicked. */
  select(owner: string, event: MouseEvent | KeyboardEvent): void;
  said(text: string): void;
}

interface Part {
  owner: string;
  element: Element;
}

export class Sheet {
  readonly element = h("div", {
    class: "equations-sheet",
    tabindex: 0,
    role: "group",
    "aria-label": "Equations",
  });
  private symbols: EquationsData["symbols"] = {};
  private parts: Part[] = [];
  private readonly on: Record<Light, Set<Element>> = { lit: new Set(), hot: new Set() };
  private current: Element | null = null;

  constructor(private readonly does: SheetActions) {
    const { element } = this;
    element.addEventListener("pointerover", ({ target }) => this.over(symbolAt(target)));
    element.addEventListener("pointerleave", () => does.over(null, null));
    element.addEventListener("click", (event) => this.clicked(event));
    element.addEventListener("keydown", (event) => {
      if (event.target === element && this.press(event)) event.preventDefault();
    });
    element.addEventListener("blur", () => this.focus(null));
  }

  show(data: EquationsData): void {
    this.symbols = data.symbols;
    this.current = null;
    const heading = data.heading.map((line, k) => h(k ? "p" : "h3", {}, line));
    const sections = data.sections.map(({ title, rows }) =>
      h("section", {}, h("h4", {}, title), ...rows.map((row) => this.row(row))),
    );
    this.element.replaceChildren(h("header", {}, ...heading), ...sections);
    this.parts = [
      ...all(this.element, ".equation").map((element) => ({
        owner: (element as HTMLElement).dataset.owner ?? "",
        element,
      })),
      ...all(this.element, SYMBOLS).map((element) => ({
        owner: this.symbolOf(element)?.owner ?? "",
        element,
      })),
    ];
    this.on.lit.clear();
    this.on.hot.clear();
  }

  /** Light what belongs to elements. */
  light(light: Light, names: Iterable<string>): void {
    const wanted = [...names];
    const belongs = (owner: string) =>
      owner !== "" && wanted.some((name) => owner === name || owner.startsWith(`${name}.`));
    const found = new Set<Element>();
    for (const { owner, element } of this.parts) if (belongs(owner)) found.add(element);
    for (const element of this.on[light]) if (!found.has(element)) element.classList.remove(light);
    for (const element of found) element.classList.add(light);
    this.on[light] = found;
  }

  /** Scroll to what is lit. */
  reveal(): void {
    const [first] = [...this.on.lit].filter((element) => element.classList.contains("equation"));
    const [any] = this.on.lit;
    (first ?? any?.closest(".equation"))?.scrollIntoView({ block: "center" });
  }

  private row({ label, owner, mathml, latex }: RowData): HTMLElement {
    const math = mathOf(mathml);
    const click = async (event: MouseEvent) => {
      event.stopPropagation();
      this.does.said((await copy(latex)) ? `LaTeX of ${label} copied` : "could not copy");
    };
    const name = `Copy LaTeX of ${label}`;
    return h(
      "div",
      { class: "equation", "data-owner": owner },
      h("span", { class: "label", title: label }, label),
      h("div", { class: "math" }, ...(math ? pieces(math) : [h("code", {}, latex)])),
      h(
        "button",
        { type: "button", class: "quiet", title: name, "aria-label": name, click },
        "TeX",
      ),
    );
  }

  private symbolOf(element: Element): SymbolData | undefined {
    return this.symbols[element.getAttribute("data-name") ?? ""];
  }

  private over(element: Element | null): void {
    const symbol = element && this.symbolOf(element);
    this.does.over(symbol ?? null, symbol ? element : null);
  }

  private clicked(event: MouseEvent): void {
    const element = symbolAt(event.target);
    const row = (event.target as Element).closest<HTMLElement>(".equation .label")?.parentElement;
    const owner = (element && this.symbolOf(element)?.owner) || row?.dataset.owner;
    if (owner) this.does.select(owner, event);
  }

  private focus(element: Element | null): void {
    this.current?.classList.remove("focus");
    this.current = element;
    element?.classList.add("focus");
    element?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.over(element);
    const symbol = element && this.symbolOf(element);
    if (symbol) this.does.said(`${symbol.text}: ${symbol.sentence}`);
  }

  /** Left and right from symbol to symbol, up and down from row to row, Enter selects. */
  private press(event: KeyboardEvent): boolean {
    const symbols = all(this.element, SYMBOLS);
    const at = this.current ? symbols.indexOf(this.current) : -1;
    const row = (element: Element | undefined) => element?.closest(".equation");
    const here = row(symbols[at]);
    switch (event.key) {
      case "ArrowRight":
        this.focus(symbols[Math.min(at + 1, symbols.length - 1)] ?? null);
        return true;
      case "ArrowLeft":
        this.focus(symbols[Math.max(at - 1, 0)] ?? null);
        return true;
      case "ArrowDown":
        this.focus(symbols.find((s, k) => k > at && row(s) !== here) ?? this.current);
        return true;
      case "ArrowUp": {
        const before = symbols.filter((s, k) => k < at && row(s) !== here);
        const above = row(before[before.length - 1]);
        this.focus(before.find((s) => row(s) === above) ?? this.current);
        return true;
      }
      case "Enter": {
        const owner = this.current && this.symbolOf(this.current)?.owner;
        if (owner) this.does.select(owner, event);
        return true;
      }
    }
    return false;
  }
}

function all(root: Element, selector: string): Element[] {
  return [...root.querySelectorAll(selector)];
}

/** The whole symbol, with its index or dots. */
function symbolAt(target: EventTarget | null): Element | null {
  if (!(target instanceof Element)) return null;
  let found = target.closest("[data-name]");
  for (let outer = found; outer; outer = outer.parentElement?.closest("[data-name]") ?? null)
    found = outer;
  return found;
}
