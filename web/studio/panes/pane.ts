// One pane: a bar with its kind, the view's own tools, and how to split or close it.
import { h } from "../../src/ui/dom";
import type { View } from "../studio";
import { sign, type SignName } from "./icons";
import { PANE_KINDS, type PaneKind, TITLES } from "./layout";

export type MakeView = (kind: PaneKind) => View;

export interface PaneActions {
  choose(id: number, kind: PaneKind): void;
  divide(id: number, along: "row" | "column"): void;
  open(id: number): void;
  close(id: number): void;
  activate(id: number): void;
}

export class PaneFrame {
  readonly element: HTMLElement;
  view: View;
  private readonly select = h("select", { class: "kind", "aria-label": "What this pane shows" });
  private readonly tools = h("div", { class: "pane-tools" });
  private readonly body = h("div", { class: "pane-body" });

  constructor(
    readonly id: number,
    public kind: PaneKind,
    private readonly make: MakeView,
    actions: PaneActions,
  ) {
    for (const k of PANE_KINDS) this.select.append(h("option", { value: k }, TITLES[k]));
    this.select.addEventListener("change", () => actions.choose(id, this.select.value as PaneKind));
    const button = (name: SignName, label: string, act: () => void) =>
      h(
        "button",
        { type: "button", class: "quiet", title: label, "aria-label": label, click: act },
        sign(name),
      );
    const bar = h(
      "header",
      { class: "pane-bar" },
      this.select,
      this.tools,
      h(
        "div",
        { class: "pane-buttons" },
        button("right", "Split right", () => actions.divide(id, "row")),
        button("below", "Split below", () => actions.divide(id, "column")),
        button("window", "Open in a window of its own", () => actions.open(id)),
        button("close", "Close pane", () => actions.close(id)),
      ),
    );
    this.element = h("section", { class: "pane", tabindex: -1 }, bar, this.body);
    for (const event of ["pointerdown", "focusin"])
      this.element.addEventListener(event, () => actions.activate(id), { capture: true });
    this.view = this.show();
  }

  private show(): View {
    const view = this.make(this.kind);
    this.select.value = this.kind;
    this.element.dataset.kind = this.kind;
    this.element.setAttribute("aria-label", TITLES[this.kind]);
    this.tools.replaceChildren(...(view.tools ? [view.tools] : []));
    this.body.replaceChildren(view.element);
    return view;
  }

  /** Another kind in the same place. */
  become(kind: PaneKind): void {
    if (kind === this.kind) return;
    this.view.dispose?.();
    this.kind = kind;
    this.view = this.show();
  }

  dispose(): void {
    this.view.dispose?.();
    this.element.remove();
  }
}
