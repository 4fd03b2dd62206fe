// The middle of the window: panes in their places, and dividers between them. Panes never leave the
// document while they are open, so that nothing they show is lost when others come and go.
import { effect, untracked } from "@preact/signals";
import { h } from "../../src/ui/dom";
import type { Studio, View } from "../studio";
import type { Arrangement } from "./arrangement";
import { divider } from "./divider";
import {
  type Box,
  closed,
  type Divider,
  divided,
  type Layout,
  MOST_PANES,
  panesOf,
  placed,
  shared,
  stacked,
  withKind,
} from "./layout";
import { type MakeView, type PaneActions, PaneFrame } from "./pane";

const percent = (share: number): string => `${+(100 * share).toFixed(4)}%`;

function put(element: HTMLElement, [x, y, width, height]: Box): void {
  element.style.left = percent(x);
  element.style.top = percent(y);
  element.style.width = percent(width);
  element.style.height = percent(height);
}

export class Desk {
  readonly element = h("main", { class: "desk" });
  private readonly panes = new Map<number, PaneFrame>();
  private lines = new Map<string, { element: HTMLElement; divider: Divider }>();
  private readonly actions: PaneActions;
  /** Panes stand below each other. */
  private readonly narrow = matchMedia("(max-width: 600px)");

  constructor(
    private readonly arrangement: Arrangement,
    private readonly make: MakeView,
    studio: Studio,
    openWindow: (kind: string) => void,
  ) {
    const { layout, active } = arrangement;
    this.actions = {
      choose: (id, kind) => (layout.value = withKind(layout.value, id, kind)),
      divide: (id, along) => (layout.value = divided(layout.value, id, along)),
      open: (id) => openWindow(this.panes.get(id)!.kind),
      close: (id) => (layout.value = closed(layout.value, id)),
      activate: (id) => (active.value = id),
    };
    effect(() => {
      const now = layout.value;
      untracked(() => this.arrange(now));
    });
    this.narrow.addEventListener("change", () => this.arrange(layout.peek()));
    effect(() => {
      for (const { element, id } of this.inOrder(layout.value))
        element.classList.toggle("active", id === active.value);
    });
    effect(() => {
      const isStale = studio.faults.value.unreadable && studio.outline.value !== null;
      for (const pane of this.inOrder(layout.value))
        pane.element.classList.toggle("stale", isStale && pane.kind !== "text");
    });
    this.element.addEventListener("dblclick", (event) => {
      if (studio.selection.peek().size > 0)
        this.reveal(studio.selection.peek(), event.target as Node);
    });
  }

  private inOrder(layout = this.arrangement.layout.peek()): PaneFrame[] {
    return panesOf(layout)
      .map((p) => this.panes.get(p.id))
      .filter((p) => p !== undefined);
  }

  /** What panes do of the commands, the active one first. */
  ofViews(): Readonly<Record<string, () => void>>[] {
    const panes = this.inOrder();
    const active = panes.filter((p) => p.id === this.arrangement.active.peek());
    return [...active, ...panes].map((p) => p.view.actions ?? {});
  }

  /** The network that is drawn in the pane that has the focus; "" for none. */
  network(): string {
    const pane = this.panes.get(this.arrangement.active.peek());
    const isThere = pane?.element.contains(document.activeElement) ?? false;
    return (isThere && pane?.view.network) || "";
  }

  private arrange(layout: Layout): void {
    const wanted = panesOf(layout);
    const ids = new Set(wanted.map((p) => p.id));
    for (const [id, pane] of this.panes)
      if (!ids.has(id)) {
        pane.dispose();
        this.panes.delete(id);
      }
    const { panes, dividers } = placed(this.narrow.matches ? stacked(layout) : layout);
    for (const { id, kind } of wanted) {
      const frame = this.panes.get(id) ?? this.added(id, kind);
      frame.become(kind);
      put(frame.element, panes.get(id)!);
    }
    this.draw(dividers);
    if (!ids.has(this.arrangement.active.peek())) this.arrangement.active.value = wanted[0].id;
    this.element.classList.toggle("full", wanted.length >= MOST_PANES);
    this.element.classList.toggle("single", wanted.length === 1);
  }

  private added(id: number, kind: PaneFrame["kind"]): PaneFrame {
    const frame = new PaneFrame(id, kind, this.make, this.actions);
    this.panes.set(id, frame);
    this.element.append(frame.element);
    return frame;
  }

  private draw(dividers: Divider[]): void {
    const places = new Map(dividers.map((d) => [`${d.place}/${d.along}`, d]));
    for (const [key, line] of this.lines)
      if (!places.has(key)) {
        line.element.remove();
        this.lines.delete(key);
      }
    for (const [key, d] of places) {
      const line = this.lines.get(key) ?? this.line(key, d);
      line.divider = d;
      const [x, y, w, h] = d.box;
      const isRow = d.along === "row";
      put(line.element, isRow ? [x + w * d.share, y, 0, h] : [x, y + h * d.share, w, 0]);
      line.element.style[isRow ? "width" : "height"] = "";
      line.element.setAttribute("aria-valuenow", `${Math.round(100 * d.share)}`);
    }
  }

  private line(key: string, d: Divider) {
    const { layout } = this.arrangement;
    const size = () => {
      const whole = this.element.getBoundingClientRect();
      const [x, y, w, h] = line.divider.box;
      return new DOMRect(
        whole.left + x * whole.width,
        whole.top + y * whole.height,
        w * whole.width,
        h * whole.height,
      );
    };
    const extent = () => (d.along === "row" ? size().width : size().height);
    const share = (value: number) => (layout.value = shared(layout.value, d.place, value));
    const element = divider({
      along: d.along,
      label: "Between panes",
      frame: size,
      now: () => line.divider.share * extent(),
      move: (at) => share(at / extent()),
      reset: () => share(0.5),
    });
    const line = { element, divider: d };
    this.lines.set(key, line);
    this.element.append(element);
    return line;
  }

  get activeView(): View | undefined {
    return this.panes.get(this.arrangement.active.peek())?.view;
  }

  divide(along: "row" | "column"): void {
    this.actions.divide(this.arrangement.active.peek(), along);
  }

  close(): void {
    this.actions.close(this.arrangement.active.peek());
  }

  open(): void {
    this.actions.open(this.arrangement.active.peek());
  }

  /** Bring elements into sight in every pane but the one that asks. */
  reveal(names: ReadonlySet<string>, from: Node | null = null): void {
    for (const { view } of this.panes.values())
      if (!from || !view.element.contains(from)) view.reveal?.(names);
  }

  /** Places of the focus, in the order of the layout. */
  stops(): HTMLElement[] {
    return this.inOrder().map(({ element }) => element);
  }
}
