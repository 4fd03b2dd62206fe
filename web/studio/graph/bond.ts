// The multibond graph of the model, whole or one box of it alone.
import { effect, untracked } from "@preact/signals";
import { h } from "../../src/ui/dom";
import type { Studio, View } from "../studio";
import type { GraphData } from "./data";
import { BondDrawing } from "./drawing/bond";
import { alone } from "./alone";
import { networkView } from "./network";
import { Legibility } from "./legible";
import { Approach } from "./pane/approach";
import { Asking } from "./pane/asking";
import { signButton } from "./pane/icons";
import { GraphPane } from "./pane/pane";
import { TREES, choiceOf } from "./pane/tools";
import { Flows, bondPower } from "./power";

/** Milliseconds after the pane was given another size. */
const REST = 300;

export function bondView(studio: Studio): View {
  return new BondView(studio);
}

class BondView implements View {
  readonly element = h("div", { class: "bond-view" });
  readonly tools = h("div", { class: "graph-tools" });
  private readonly pane: GraphPane;
  private readonly asking: Asking<GraphData>;
  private readonly flows = new Flows();
  private tree = "";
  /** Boxes that are open by the user's hand; null: nobody has said. */
  private open: ReadonlySet<string> | "all" | null = null;
  private readonly legibility: Legibility;
  private readonly approach: Approach;
  private data: GraphData | null = null;
  private drawing: BondDrawing | null = null;
  /** The box that is shown alone. */
  private box: string | null = null;
  private network: View | null = null;
  private readonly trail = h("span", { class: "trail", hidden: true });
  private readonly stops: (() => void)[];

  constructor(private readonly studio: Studio) {
    this.pane = new GraphPane(studio, "Bond graph", "Process", {
      fold: (box) => this.fold(box),
      open: (box) => this.show(box),
      back: () => this.back(),
    });
    this.element.append(this.pane.element);
    this.approach = new Approach(this.pane);
    this.legibility = new Legibility(
      () => studio.document.peek()?.path ?? "",
      () => this.pane.surface.size,
    );
    this.pane.surface.onSize = () => this.resized();
    let others = studio.others.peek();
    const forget = effect(() => {
      if (studio.others.value !== others) untracked(() => this.forget());
      others = studio.others.value;
    });
    this.asking = new Asking<GraphData>(studio, this.element, {
      what: "bond",
      choice: () => this.choice(),
      show: (data) => this.receive(data),
      fail: (error) => this.fail(error),
      busy: (is) => this.pane.busy(is),
    });
    this.fillTools();
    this.stops = [
      forget,
      effect(() => this.power(bondPower.value !== null)),
      effect(() => this.tick(studio.time.value)),
    ];
  }

  reveal(names: ReadonlySet<string>): void {
    if (this.network) this.network.reveal?.(names);
    else this.pane.reveal(names);
  }

  fit(): void {
    if (this.network) this.network.fit?.();
    else this.pane.fit();
  }

  dispose(): void {
    for (const stop of this.stops) stop();
    if (this.timer) clearTimeout(this.timer);
    clearTimeout(this.resting);
    this.network?.dispose?.();
    this.asking.dispose();
    this.pane.dispose();
  }

  private fillTools(): void {
    const tree = choiceOf("Tree", TREES, (tree) => {
      this.tree = tree;
      this.asking.again();
    });
    const { fitButton, panelButton, legendButton } = this.pane;
    this.ownTools = [
      tree,
      signButton("fold", "Fold all: boxes with their ports only", () => this.unfold(new Set())),
      signButton("unfold", "Unfold all: the elements of all boxes", () => this.unfold("all")),
      fitButton,
      panelButton,
      legendButton,
    ];
    this.tools.append(this.trail, ...this.ownTools);
  }
  private ownTools: HTMLElement[] = [];

  private choice(): object {
    const { open: wanted } = this;
    const unsaid = this.legibility.isFolded ? "none" : null;
    const open = wanted instanceof Set ? (wanted.size ? [...wanted] : "none") : (wanted ?? unsaid);
    this.asksUnsaid = open === null;
    return { ...(this.tree && { tree: this.tree }), ...(open !== null && { open }) };
  }

  private asksUnsaid = false;

  /** Another document: nothing of it was folded or opened by hand. */
  private forget(): void {
    this.open = this.data = null;
    this.approach.forget();
    this.back();
    this.pane.surface.clear();
  }

  /** Larger panes show more of a graph, unless somebody has said what is open. */
  private resized(): void {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      const isFree = this.open === null && this.box === null && this.pane.surface.isFitted;
      const isFolded = this.data && this.opened().length === 0;
      if (!this.data || !isFree) return;
      if (!this.legibility.isDecided || this.legibility.isFolded !== isFolded) this.asking.again();
    }, REST);
  }
  private resting: ReturnType<typeof setTimeout> | undefined;

  /** What came with its boxes open may be too small to read: then it is asked for folded. */
  private isTooSmall(data: GraphData): boolean {
    if (this.open !== null || this.box !== null || !this.asksUnsaid) return false;
    if (!this.legibility.isDecided) this.legibility.decide(data);
    return this.legibility.isFolded;
  }

  private receive(data: GraphData): void {
    if (this.isTooSmall(data)) {
      this.asking.again();
      return;
    }
    this.data = data;
    if (this.standsIn) {
      this.standsIn = false;
      this.back();
      return;
    }
    if (this.box !== null && !data.boxes.some(({ name }) => name === this.box)) this.box = null;
    const shown = this.box === null ? data : alone(data, this.box);
    this.drawing = new BondDrawing(shown);
    this.drawing.onScale = (scale) => this.flows.scaled(scale);
    this.pane.show(shown, this.drawing);
    this.power(bondPower.peek() !== null);
    this.approach.follow(this.opened());
    const count = `${shown.nodes.length} elements, ${shown.bonds.length} bonds`;
    this.pane.announce(`${this.box ?? "bond graph"}: ${count}`);
  }

  private unfold(open: ReadonlySet<string> | "all"): void {
    this.open = open;
    this.asking.again();
  }

  private fold(name: string): void {
    const boxes = this.data?.boxes ?? [];
    const box = boxes.find((known) => known.name === name);
    if (!box?.canOpen) return;
    const open = new Set(this.opened());
    if (box.open) open.delete(name);
    else open.add(name);
    this.pane.announce(`${box.label} ${box.open ? "folded" : "unfolded"}`);
    this.approach.begin(name, !box.open);
    this.unfold(open);
  }

  /** Names of the boxes that are open now. */
  private opened(): string[] {
    return (this.data?.boxes ?? []).filter(({ open }) => open).map(({ name }) => name);
  }

  /** One box alone: networks as they are in the file, others as a part of this graph. */
  private show(name: string): void {
    const box = this.data?.boxes.find((known) => known.name === name);
    if (!box || this.box === name) return;
    if (box.kind === "network") {
      this.showNetwork(name);
      this.network!.element.querySelector<SVGElement>("svg")?.focus({ preventScroll: true });
    } else {
      this.box = name;
      this.pane.surface.clear();
      if (box.open) this.receive(this.data!);
      else this.unfold(new Set([...this.opened(), name]));
    }
    this.leave(box.label);
  }

  private showNetwork(name: string): void {
    this.box = name;
    this.network = networkView(this.studio, name, () => this.back());
    this.element.replaceChildren(this.network.element);
    this.tools.replaceChildren(this.trail, this.network.tools!);
  }

  /** Without a graph of the whole, a network is shown for as long as there is none. */
  private fail(error: unknown): void {
    this.pane.fail(error);
    const sections = this.studio.outline.peek()?.sections ?? [];
    const network = sections.find(({ section }) => section === "networks")?.items[0];
    if (this.data || this.network || !network) return;
    this.standsIn = true;
    this.showNetwork(network.name);
    this.leave(network.label);
  }
  private standsIn = false;

  /** The way back, in the bar. */
  private leave(label: string): void {
    const click = () => this.back();
    const all = h(
      "button",
      { type: "button", class: "link", title: "Back to the whole (Esc)", click },
      "all",
    );
    this.trail.replaceChildren(all, " ▸ ", h("strong", {}, label));
    this.trail.hidden = false;
  }

  private back(): boolean {
    if (this.box === null) return false;
    this.box = null;
    this.standsIn = false;
    this.trail.hidden = true;
    this.network?.dispose?.();
    this.network = null;
    this.element.replaceChildren(this.pane.element);
    this.tools.replaceChildren(this.trail, ...this.ownTools);
    this.pane.surface.clear();
    if (this.data) this.receive(this.data);
    this.pane.surface.element.focus({ preventScroll: true });
    return true;
  }

  private power(is: boolean): void {
    const words = { label: "band and arrow: power at the time shown", colour: "", dashed: false };
    if (this.data) this.pane.showLegend(is ? [...this.data.legend, words] : this.data.legend);
    this.flows.show(this.drawing?.bonds ?? [], bondPower.peek());
    this.flows.at(this.studio.time.peek());
  }

  /** At once, but at most thirty times a second while the clock runs. */
  private tick(time: number): void {
    if (bondPower.peek() === null) return;
    this.latest = time;
    if (this.timer) return;
    this.flows.at(time);
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.latest !== time) this.tick(this.latest);
    }, 33);
  }
  private latest = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;
}
