// Which graph the pane shows: that of the whole model, one network, one sub-graph, one box; and a
// new network.
import { effect } from "@preact/signals";
import { h } from "../../../src/ui/dom";
import type { Studio } from "../../studio";

export const WHOLE = "";
const NEW = "+";

/** Networks and sub-graphs of a model, by the names that views give them. */
export function graphsOf(studio: Studio): { value: string; label: string; isPart: boolean }[] {
  const sections = studio.outline.value?.sections ?? [];
  const items = (name: string) => sections.find(({ section }) => section === name)?.items ?? [];
  return [
    ...items("networks").map(({ name, label }) => ({ value: name, label, isPart: false })),
    ...items("subgraphs").map(({ label }) => ({
      value: `subgraphs.${label}`,
      label,
      isPart: true,
    })),
  ];
}

export class Where {
  readonly element = h("select", {
    class: "where",
    "aria-label": "Which graph",
    title: "Which graph",
  });
  private readonly stop: () => void;
  private value = WHOLE;
  /** Of a box of the whole graph that is shown alone, which the list has only then. */
  private label = "";

  constructor(
    private readonly studio: Studio,
    choose: (value: string) => void,
    add: () => void,
  ) {
    this.element.addEventListener("change", () => {
      const { value } = this.element;
      this.element.value = this.value;
      if (value === NEW) add();
      else choose(value);
    });
    this.stop = effect(() => this.fill());
  }

  /** What is shown now. */
  show(value: string, label = ""): void {
    this.value = value;
    this.label = label;
    this.fill();
  }

  dispose(): void {
    this.stop();
  }

  private fill(): void {
    const graphs = graphsOf(this.studio);
    const { value, label } = this;
    const isKnown = value === WHOLE || graphs.some((own) => own.value === value);
    const option = ({ value, label }: { value: string; label: string }) =>
      h("option", { value }, label);
    const group = (label: string, isPart: boolean) => {
      const own = graphs.filter((graph) => graph.isPart === isPart).map(option);
      return own.length ? [h("optgroup", { label }, ...own)] : [];
    };
    this.element.replaceChildren(
      option({ value: WHOLE, label: "whole model" }),
      ...(isKnown ? [] : [option({ value, label: label || value })]),
      ...group("Networks", false),
      ...group("Sub-graphs", true),
      option({ value: NEW, label: "New network …" }),
    );
    this.element.value = this.value;
  }
}
