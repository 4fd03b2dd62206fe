// The linear graph of the model with its spanning tree: coordinates, constraints and cost.
import { effect } from "@preact/signals";
import { h } from "../../src/ui/dom";
import type { Studio, View } from "../studio";
import type { GraphData } from "./data";
import { LinearDrawing } from "./drawing/linear";
import { LinearEditor } from "./editing/linear_editor";
import { Asking } from "./pane/asking";
import { GraphPane } from "./pane/pane";
import { TREES, choiceOf } from "./pane/tools";

export function linearView(studio: Studio): View {
  let tree = "";
  const pane = new GraphPane(studio, "Linear graph", "Tree", { choose: (name) => take(name) });
  new LinearEditor(studio, pane);
  const asking = new Asking<GraphData>(studio, pane.element, {
    what: "linear",
    choice: () => (tree ? { tree } : {}),
    show: (data) => {
      pane.show(data, new LinearDrawing(data));
      pane.announce(`linear graph: ${data.vertices.length} frames, ${data.edges.length} edges`);
    },
    fail: (error) => pane.fail(error),
    busy: (is) => pane.busy(is),
  });
  const take = (chosen: string) => {
    tree = choice.value = chosen;
    asking.again();
  };
  const choice = choiceOf("Tree", TREES, take);
  let others = studio.others.peek();
  const stop = effect(() => {
    if (studio.others.value !== others) {
      tree = choice.value = "";
      pane.surface.clear();
    }
    others = studio.others.value;
  });
  const buttons = [pane.fitButton, pane.panelButton, pane.legendButton];
  return {
    element: pane.element,
    tools: h("div", { class: "graph-tools" }, choice, ...buttons),
    reveal: (names) => pane.reveal(names),
    fit: () => pane.fit(),
    dispose: () => {
      stop();
      asking.dispose();
      pane.dispose();
    },
  };
}
