// The multibond graph of the model: whole, one box of it alone, or one network to be drawn in.
import { effect, untracked } from "@preact/signals";
import { h } from "../../src/ui/dom";
import type { Studio, View } from "../studio";
import type { GraphData } from "./data";
import { BondDrawing } from "./drawing/bond";
import { alone } from "./alone";
import { MechanismEditor } from "./editing/mechanism_editor";
import { NewNetwork } from "./editing/new_network";
import { networkView } from "./network";
import { Legibility } from "./legible";
import { Approach } from "./pane/approach";
import { Asking } from "./pane/asking";
import { signButton } from "./pane/icons";
import { GraphPane } from "./pane/pane";
import { PowerShown } from "./pane/power_shown";
import { TREES, choiceOf } from "./pane/tools";
import { graphsOf, Where, WHOLE } from "./pane/where";

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
  private readonly power: PowerShown;
  private readonly editor: MechanismEditor;
  private readonly where: Where;
  private readonly fresh: NewNetwork;
  private tree = "";
  /** Boxes that are open by the user's hand; null: nobody has said. */
  private open: ReadonlySet<string> | "all" | null = null;
  private readonly legibility: Legibility;
  private readonly approach: Approach;
  private data: GraphData | null = null;
  /** The box that is shown alone. */
  private box: string | null = null;
  private drawn: View | null = null;
  private readonly stops: (() => void)[];

  constructor(private readonly studio: Studio) {
    this.pane = new GraphPane(studio, "Bond graph", "Process", {
      fold: (box) => this.fold(box),
      open: (box) => this.show(box),
      back: () => this.back(),
    });
    this.editor = new MechanismEditor(studio, this.pane);
    this.power = new PowerShown(studio, this.pane);
    this.where = new Where(
      studio,
      (name) => this.choose(name),
      () => void this.fresh.open(),
    );
    this.fresh = new NewNetwork(studio, (name) => this.choose(name));
    this.element.append(this.pane.element, this.fresh.element);
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
    this.asking = new Asking<GraphData>(studio, this.pane.element, {
      what: "bond",
      choice: () => this.choice(),
      show: (data) => this.receive(data),
      fail: (error) => this.fail(error),
      busy: (is) => this.pane.busy(is),
    });
    this.fillTools();
    this.stops = [forget, effect(() => this.begin()), () => this.where.dispose()];
  }

  /** What it does of the commands: those of the network, if one is shown. */
  get actions(): Readonly<Record<string, () => void>> {
    const network = { "network.add": () => void this.fresh.open() };
    return { ...(this.drawn?.actions ?? this.editor.actions), ...network };
  }

  /** The network or sub-graph that is drawn in now. */
  get network(): string | undefined {
    return this.drawn?.network;
  }

  reveal(names: ReadonlySet<string>): void {
    if (this.drawn) this.drawn.reveal?.(names);
    else this.pane.reveal(names);
  }

  fit(): void {
    if (this.drawn) this.drawn.fit?.();
    else this.pane.fit();
  }

  dispose(): void {
    for (const stop of this.stops) stop();
    this.power.dispose();
    clearTimeout(this.resting);
    this.drawn?.dispose?.();
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
    this.tools.append(this.where.element, ...this.ownTools);
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

  /** A model that is nothing but networks is drawn in at once; a network that goes is left. */
  private begin(): void {
    const { outline } = this.studio;
    const graphs = graphsOf(this.studio);
    const isKnown = graphs.some(({ value }) => value === this.box);
    if (this.drawn && this.wasKnown && !isKnown) untracked(() => this.back());
    this.wasKnown = isKnown;
    if (this.hasBegun || !outline.value) return;
    this.hasBegun = true;
    const hasBodies = outline.value.sections.some(({ section }) => section === "bodies");
    if (!hasBodies && graphs.length) untracked(() => this.choose(graphs[0].value));
  }
  private hasBegun = false;
  /** Whether the network that is shown was in the model when it was looked last. */
  private wasKnown = false;

  /** Show the whole, a network, a sub-graph, or a box. */
  private choose(name: string): void {
    if (name === WHOLE) this.back();
    else if (this.data?.boxes.some((box) => box.name === name && box.kind !== "network"))
      this.show(name);
    else this.showNetwork(name);
  }

  /** Another document: nothing of it was folded or opened by hand. */
  private forget(): void {
    this.open = this.data = null;
    this.hasBegun = false;
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
    if (this.drawn) return;
    if (this.box !== null && !data.boxes.some(({ name }) => name === this.box)) this.box = null;
    const shown = this.box === null ? data : alone(data, this.box);
    const drawing = new BondDrawing(shown);
    this.pane.show(shown, drawing);
    this.power.show(drawing, data.legend);
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
    this.editor.fold(box.owner ?? name, box.open);
  }

  /** Names of the boxes that are open now. */
  private opened(): string[] {
    return (this.data?.boxes ?? []).filter(({ open }) => open).map(({ name }) => name);
  }

  /** One box alone: networks as they are in the file, others as a part of this graph. */
  private show(name: string): void {
    const box = this.data?.boxes.find((known) => known.name === name);
    if (!box || this.box === name) return;
    if (box.kind === "network") return this.showNetwork(name);
    this.back();
    this.box = name;
    this.where.show(name, box.label);
    this.pane.surface.clear();
    if (box.open) this.receive(this.data!);
    else this.unfold(new Set([...this.opened(), name]));
  }

  private showNetwork(name: string): void {
    this.drawn?.dispose?.();
    this.box = name;
    this.drawn = networkView(this.studio, name, {
      back: () => this.back(),
      open: (other) => this.showNetwork(other),
    });
    this.element.replaceChildren(this.drawn.element, this.fresh.element);
    this.tools.replaceChildren(this.where.element, this.drawn.tools!);
    this.where.show(name);
    this.drawn.element.querySelector<SVGElement>("svg")?.focus({ preventScroll: true });
  }

  /** Without a graph of the whole, a network is shown. */
  private fail(error: unknown): void {
    this.pane.fail(error);
    const [first] = graphsOf(this.studio);
    if (this.data || this.drawn || !first) return;
    this.showNetwork(first.value);
  }

  private back(): boolean {
    if (this.box === null) return false;
    this.box = null;
    this.where.show(WHOLE);
    this.drawn?.dispose?.();
    this.drawn = null;
    this.element.replaceChildren(this.pane.element, this.fresh.element);
    this.tools.replaceChildren(this.where.element, ...this.ownTools);
    this.pane.surface.clear();
    if (this.data) this.receive(this.data);
    this.pane.surface.element.focus({ preventScroll: true });
    return true;
  }
}
