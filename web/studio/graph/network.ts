// One network or sub-graph alone, as the file has it, to be drawn in; also a faulty one.
import { effect } from "@preact/signals";
import { h } from "../../src/ui/dom";
import type { Studio, View } from "../studio";
import type { GraphData } from "./data";
import { BondDrawing } from "./drawing/bond";
import { Conflicts } from "./editing/conflicts";
import { NetworkEditor } from "./editing/network_editor";
import { Asking } from "./pane/asking";
import { signButton } from "./pane/icons";
import { GraphPane } from "./pane/pane";
import { PowerShown } from "./pane/power_shown";

/** Milliseconds after a change; strokes are there with every bond. */
const AT_ONCE = 0;

export interface Around {
  /** Leave it for the whole graph. */
  back?(): boolean;
  /** Show another network or sub-graph instead. */
  open?(name: string): void;
}

export function networkView(studio: Studio, name: string, around: Around = {}): View {
  return new NetworkView(studio, name, around);
}

class NetworkView implements View {
  readonly element: HTMLElement;
  readonly tools = h("div", { class: "graph-tools" });
  /** Buttons that change the network: not where the studio only looks. */
  private readonly editTools = h("div", { class: "graph-tools" });
  readonly actions: Readonly<Record<string, () => void>>;
  private readonly pane: GraphPane;
  private readonly asking: Asking<GraphData>;
  private readonly editor: NetworkEditor;
  private readonly conflicts: Conflicts;
  private readonly power: PowerShown;
  private readonly stop: () => void;
  private isFirst = true;

  constructor(
    private readonly studio: Studio,
    readonly network: string,
    around: Around,
  ) {
    const name = network;
    const label = name.startsWith("subgraphs.") ? `Sub-graph ${name.slice(10)}` : `Network ${name}`;
    this.pane = new GraphPane(studio, label, "Process", {
      back: around.back,
      fold: (box) => this.editor.fold(box),
      open: (part) => this.openPart(part, around),
    });
    this.element = this.pane.element;
    this.editor = new NetworkEditor(studio, this.pane, name, (part) => this.openPart(part, around));
    this.conflicts = new Conflicts(this.pane);
    this.power = new PowerShown(studio, this.pane);
    this.actions = this.editor.does.actions;
    this.asking = new Asking<GraphData>(studio, this.element, {
      what: "network",
      pause: AT_ONCE,
      choice: () => ({ name }),
      show: (data) => this.show(data),
      fail: (error) => this.pane.fail(error),
      busy: (is) => this.pane.busy(is),
    });
    this.stop = effect(() => {
      if (studio.outline.value) void this.editor.refresh();
      this.editTools.hidden = studio.document.value?.readOnly ?? true;
    });
    this.fillTools();
  }

  private fillTools(): void {
    const { actions } = this.editor.does;
    const { fitButton, panelButton, legendButton } = this.pane;
    this.editTools.append(
      signButton("tidy", "Tidy: arrange it anew (Y)", actions["graph.tidy"]),
      signButton("group", "Group what is selected into a part (G)", actions["graph.group"]),
      signButton(
        "component",
        "Save as component: the sub-graph of the part that is selected, as a file",
        actions["graph.component"],
      ),
      signButton("flip", "Flip: turn the bond round (X)", actions["graph.flip"]),
      signButton(
        "stroke",
        "Stroke: force the causal stroke to the other end, then free it (K)",
        actions["graph.stroke"],
      ),
    );
    this.tools.append(this.editTools, fitButton, panelButton, legendButton);
  }

  private show(data: GraphData): void {
    const own = { ...data, boxes: data.boxes.filter(({ kind }) => kind !== "network") };
    const drawing = new BondDrawing(own);
    this.pane.show(own, drawing, !this.isFirst && data.nodes.length > 0);
    this.conflicts.show(data.findings, drawing);
    this.power.show(drawing, data.legend);
    if (this.isFirst) this.pane.announce(`network ${this.network}: ${data.nodes.length} elements`);
    this.isFirst = false;
  }

  /** A part of this model is shown alone; those of other files are not this model's to change. */
  private openPart(part: string, around: Around): void {
    const source = this.editor.sourceOf(part);
    if (source.startsWith("subgraphs.")) return around.open?.(source);
    const [where, of] = source.split(":");
    const words =
      where === "file" ? `it is in the file ${of}: open that` : `${of} is shipped with Pliant`;
    this.studio.notice.value = { text: `${part} cannot be opened here: ${words}`, kind: "remark" };
  }

  reveal(names: ReadonlySet<string>): void {
    this.pane.reveal(names);
  }

  fit(): void {
    this.pane.fit();
  }

  dispose(): void {
    this.stop();
    this.power.dispose();
    this.asking.dispose();
    this.pane.dispose();
  }
}
