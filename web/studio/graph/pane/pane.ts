// A pane with a graph: canvas, card, panel, legend, messages; linked with all other views.
import { effect } from "@preact/signals";
import { h, toggle } from "../../../src/ui/dom";
import { Refused } from "../../connection";
import type { Studio } from "../../studio";
import { Card } from "../canvas/card";
import { Gestures, type Drag } from "../canvas/gestures";
import { around, type Drawing, type Item } from "../canvas/items";
import { Keys } from "../canvas/keys";
import { Lights } from "../canvas/lights";
import { Surface } from "../canvas/surface";
import type { GraphData, Point } from "../data";
import { MoveDrag } from "../editing/moving";
import { Overlay } from "../editing/overlay";
import { sign, signButton } from "./icons";
import { Panel, legendOf } from "./panel";

export interface PaneActions {
  /** Fold or unfold a box. */
  fold?(box: string): void;
  /** Show what is in a box alone. */
  open?(box: string): void;
  /** Take another spanning tree. */
  choose?(tree: string): void;
  /** Back to the whole; whether there was something to go back from. */
  back?(): boolean;
}

/** Who changes the model by what is done on the canvas. */
export interface Editing {
  /** A drag of its own that begins here; undefined: what it always is; null: the drawing's. */
  grasp?(item: Item | null, at: Point, event: PointerEvent): Drag | null | undefined;
  /** Whether it took a key. */
  press?(event: KeyboardEvent, item: Item | null): boolean;
  /** Whether it took a click, or a double click. */
  click?(item: Item | null, event: MouseEvent | KeyboardEvent): boolean;
  double?(item: Item | null, at: Point): boolean;
  hover?(item: Item | null, at: Point): void;
  /** Told when another drawing is shown. */
  shown?(data: GraphData): void;
}

export class GraphPane {
  readonly element: HTMLElement;
  editing: Editing = {};
  readonly overlay: Overlay;
  readonly fitButton: HTMLButtonElement;
  readonly panelButton: HTMLButtonElement;
  readonly legendButton: HTMLButtonElement;
  readonly surface: Surface;
  readonly lights = new Lights();
  private readonly card = new Card();
  private readonly panel: Panel;
  private readonly legend = h("div", { class: "graph-legend" });
  private readonly message = h("div", { class: "graph-message", role: "status", hidden: true });
  private readonly progress = h("div", { class: "graph-busy", role: "status", hidden: true });
  private readonly live = h("div", { class: "graph-live", "aria-live": "polite" });
  readonly keys: Keys;
  private readonly gestures: Gestures;
  private readonly stops: (() => void)[] = [];

  constructor(
    private readonly studio: Studio,
    label: string,
    panelTitle: string,
    private readonly actions: PaneActions = {},
  ) {
    this.surface = new Surface(label);
    this.overlay = new Overlay(this.surface);
    const select = (names: string[], add: boolean) => this.find(names, add);
    this.panelButton = toggle(panelTitle, false, (on) => (this.panel.element.hidden = !on), {
      title: "What was found, in words",
    });
    this.panel = new Panel(panelTitle, select, () => this.panelButton.click(), actions.choose);
    this.legendButton = toggle("", false, (on) => (this.legend.hidden = !on), {
      class: "sign-button",
      title: "Legend: what colours and signs mean",
      "aria-label": "Legend",
    });
    this.legendButton.append(sign("legend"));
    this.legend.hidden = true;
    this.fitButton = signButton("fit", "Fit: show all of it (F)", () => this.fit());
    this.element = h(
      "div",
      { class: "graph-pane" },
      this.surface.window,
      this.legend,
      this.panel.element,
      this.message,
      this.progress,
      this.card.element,
      this.live,
    );
    this.gestures = new Gestures(this.surface, {
      over: (item, at) => this.over(item, at),
      click: (item, event) => this.clicked(item, event),
      double: (item, at) => this.doubled(item, at),
      fold: (box) => this.actions.fold?.(box),
      grasp: (item, at, event) => this.grasp(item, at, event),
    });
    this.keys = new Keys(this.surface, {
      focus: (item, again) => this.focused(item, again),
      line: (line, at, number, count) =>
        this.announce(`${line.sentence}; ${number} of ${count} at ${at.name}`),
      select: (item, event) => this.clicked(item, event),
      open: (item) => this.actions.open?.(this.boxOf(item)),
      fold: (item) => this.actions.fold?.(this.boxOf(item)),
      back: () => this.actions.back?.() ?? false,
      press: (event, item) =>
        (event.key === "Escape" && this.gestures.abandon()) ||
        (this.editing.press?.(event, item) ?? false),
    });
    this.link();
  }

  /** Draw another state of the graph. */
  show(data: GraphData, drawing: Drawing, stays = false): void {
    this.surface.show(drawing, stays);
    this.lights.show(drawing);
    this.card.hide();
    this.relight();
    this.keys.renew();
    this.panel.show(data);
    this.showLegend(data.legend);
    this.element.classList.remove("old");
    this.message.hidden = true;
    this.editing.shown?.(data);
  }

  showLegend(legend: GraphData["legend"]): void {
    this.legend.replaceChildren(...legendOf(legend));
  }

  /** What was there stays, dimmed, with the reason. */
  fail(error: unknown): void {
    const refused = error instanceof Refused ? error : null;
    const text = refused?.what ?? (error instanceof Error ? error.message : String(error));
    this.element.classList.add("old");
    this.message.replaceChildren(h("strong", {}, text));
    if (refused?.cure) this.message.append(h("span", {}, refused.cure));
    for (const name of refused?.elements ?? []) {
      const click = () => this.studio.select([name]);
      this.message.append(h("button", { type: "button", class: "link", click }, name));
    }
    this.message.hidden = false;
  }

  busy(is: boolean, text = "drawing …"): void {
    this.progress.textContent = is ? text : "";
    this.progress.hidden = !is;
    this.element.setAttribute("aria-busy", `${is}`);
  }

  /** Say something to who cannot see it. */
  announce(text: string): void {
    this.live.textContent = text;
  }

  get hasFocus(): boolean {
    return document.activeElement === this.surface.element;
  }

  hideCard(): void {
    this.card.hide();
  }

  reveal(names: ReadonlySet<string>): void {
    const items = [...names].flatMap((name) => this.lights.of(name));
    const symbols = items.filter((item) => item.rank !== "line");
    if (items.length) this.surface.bring(around(symbols.length ? symbols : items));
  }

  fit(): void {
    this.surface.fit();
  }

  dispose(): void {
    for (const stop of this.stops) stop();
    this.overlay.dispose();
    this.surface.dispose();
  }

  private link(): void {
    const { studio, lights } = this;
    this.stops.push(
      effect(() => lights.names("lit", studio.selection.value)),
      effect(() => lights.names("hot", studio.hovered.value ? [studio.hovered.value] : [])),
      effect(() => this.markFaults()),
    );
  }

  private relight(): void {
    const { studio, lights } = this;
    lights.names("lit", studio.selection.peek());
    lights.names("hot", studio.hovered.peek() ? [studio.hovered.peek()!] : []);
    this.markFaults();
  }

  /** Rings on what the drawing or the checks of the text find fault with. */
  private markFaults(): void {
    const { faults } = this.studio.faults.value;
    const marked = new Set<Item>();
    for (const { name } of faults) {
      const exact = this.lights.of(name).filter((item) => item.name === name);
      const found = exact.length ? exact : this.lights.of(name.split(".")[0]);
      for (const item of found) if (item.rank !== "line") marked.add(item);
    }
    for (const item of this.surface.drawing?.items ?? []) {
      const own = (item as { data?: { faults?: number; inside?: boolean } }).data;
      if (own?.faults && !own.inside) marked.add(item);
    }
    this.lights.items("faulty", marked);
  }

  /** What a drag from here moves; a box that fills the window is moved by its name only. Fingers
   *  move the drawing as a whole. */
  private grasp(item: Item | null, at: Point, event: PointerEvent): Drag | null {
    if (event.pointerType === "touch") return null;
    const own = this.editing.grasp?.(item, at, event);
    if (own !== undefined) return own;
    if (!item || item.rank === "line") return null;
    if (item.rank === "area" && this.surface.isFilledBy(item.bounds)) return null;
    return new MoveDrag(this.surface, [item], at, false);
  }

  private doubled(item: Item | null, at: Point): void {
    if (this.editing.double?.(item, at)) return;
    if (item?.rank === "area") this.actions.open?.(item.name);
  }

  private over(item: Item | null, at: Point): void {
    const before = this.under;
    this.editing.hover?.(item, at);
    this.under = item;
    this.surface.window.classList.toggle("pointing", item !== null);
    if (item !== before) {
      this.lights.items("here", new Set(item ? [item] : []));
      this.studio.hovered.value = item?.owner ?? null;
    }
    if (!item) this.card.hide();
    else if (item !== before || item.rank !== "area") this.cardOf(item, at);
  }
  private under: Item | null = null;

  private cardOf(item: Item, at: Point): void {
    const [x, y] = at;
    const place: Point = [x + this.surface.window.offsetLeft, y];
    this.card.show({ title: item.name, sentence: item.sentence, details: item.details }, place);
  }

  private focused(item: Item | null, again = false): void {
    this.lights.items("focus", new Set(item ? [item] : []));
    if (!item || again) return this.card.hide();
    const [x0, , x1, y1] = item.bounds;
    const corner: Point =
      item.rank === "area"
        ? [x0 + 20, item.bounds[1] + 20]
        : item.rank === "line"
          ? item.centre
          : [(x0 + x1) / 2, y1];
    this.cardOf(item, this.surface.view.toScreen(corner));
  }

  /** A click selects the owner, with Alt the generated element itself, with shift in addition. */
  private clicked(item: Item | null, event: MouseEvent | KeyboardEvent): void {
    if (this.editing.click?.(item, event)) return;
    if (!item) {
      if (!event.shiftKey && this.studio.selection.peek().size) this.studio.select([]);
      return;
    }
    if (item.focusable || item.rank === "line") this.keys.current = item;
    this.select([event.altKey ? item.name : item.owner], event.shiftKey);
  }

  /** Select the owners of elements, and show the elements themselves. */
  private find(names: string[], add: boolean): void {
    const all = this.surface.drawing?.items ?? [];
    const items = all.filter((item) => item.rank === "symbol" && names.includes(item.name));
    const owner = (name: string) => items.find((item) => item.name === name)?.owner ?? name;
    this.select([...new Set(names.map(owner))], add);
    this.lights.items("here", new Set(items));
    if (items.length) this.surface.bring(around(items));
  }

  private select(names: string[], add: boolean): void {
    const known = this.studio.selection.peek();
    const all = names.every((name) => known.has(name));
    const chosen = !add
      ? names
      : all
        ? [...known].filter((name) => !names.includes(name))
        : [...known, ...names];
    this.studio.select(chosen);
    this.announce(chosen.length ? `selected: ${chosen.join(", ")}` : "nothing selected");
  }

  private boxOf(item: Item): string {
    if (item.rank === "area") return item.name;
    return this.surface.drawing?.boxAround(item)?.name ?? item.owner;
  }
}
