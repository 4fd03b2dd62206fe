// One network alone, as the file has it; also a faulty one.
import { h } from "../../src/ui/dom";
import type { Studio, View } from "../studio";
import type { GraphData } from "./data";
import { BondDrawing } from "./drawing/bond";
import { Asking } from "./pane/asking";
import { GraphPane } from "./pane/pane";

/** `back`: leave it for the whole graph. */
export function networkView(studio: Studio, name: string, back?: () => boolean): View {
  const pane = new GraphPane(studio, `Network ${name}`, "Process", { back });
  const asking = new Asking<GraphData>(studio, pane.element, {
    what: "network",
    choice: () => ({ name }),
    show: (data) => {
      pane.show(data, new BondDrawing(data));
      pane.announce(`network ${name}: ${data.nodes.length} elements`);
    },
    fail: (error) => pane.fail(error),
    busy: (is) => pane.busy(is),
  });
  return {
    element: pane.element,
    tools: h("div", { class: "graph-tools" }, pane.fitButton, pane.panelButton, pane.legendButton),
    reveal: (names: ReadonlySet<string>) => pane.reveal(names),
    fit: () => pane.fit(),
    dispose: () => {
      asking.dispose();
      pane.dispose();
    },
  };
}
