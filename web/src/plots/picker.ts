// The list from which observables are chosen.
import { componentsOf } from "../data/table";
import type { SeriesData } from "../data/types";
import { h, toggle } from "../ui/dom";
import { type Entry, type Group, grouped, searched } from "./groups";
import { pretty } from "./plot";

export class Picker {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "groups" });
  private readonly search = h("input", {
    type: "search",
    placeholder: "Search observables",
    "aria-label": "Search observables",
    input: () => this.fill(),
  });
  private readonly groups: Group[];

  constructor(
    series: SeriesData[],
    private readonly kinds: Map<string, string>,
    private readonly isChosen: (name: string) => boolean,
    private readonly choose: (name: string) => void,
  ) {
    this.groups = grouped(series);
    this.element = h("div", { class: "picker", hidden: true }, this.search, this.list);
  }

  /** Show or hide the list. */
  open(open: boolean): void {
    this.element.hidden = !open;
    if (!open) return;
    this.fill();
    this.search.focus({ preventScroll: true });
  }

  fill(): void {
    const text = this.search.value.trim();
    const found = searched(this.groups, text);
    const nothing = h("p", { class: "muted" }, "Nothing has this name.");
    this.list.replaceChildren(
      ...(found.length ? found.map((g) => this.group(g, text !== "")) : [nothing]),
    );
  }

  private group({ element, entries }: Group, searching: boolean): HTMLElement {
    const kind = h("span", { class: "muted" }, this.kinds.get(element) ?? "");
    const chosen = entries.some((e) => componentsOf(e.series).some(this.isChosen));
    const details = h(
      "details",
      { open: searching },
      h(
        "summary",
        {},
        element,
        " ",
        kind,
        chosen ? h("span", { class: "mark", title: "plotted" }) : "",
      ),
    );
    const fill = () => {
      if (details.open && details.childElementCount === 1)
        details.append(...entries.map((e) => this.row(e)));
    };
    details.addEventListener("toggle", fill);
    fill();
    return details;
  }

  private row({ series, label }: Entry): HTMLElement {
    const unit = series.unit === "1" ? "" : pretty(series.unit);
    const buttons = componentsOf(series).map((name, k) =>
      toggle(series.labels[k] ?? "plot", this.isChosen(name), () => this.choose(name), {
        "aria-label": `Plot ${name}`,
        "data-observable": name,
      }),
    );
    return h(
      "div",
      { class: "entry" },
      h("span", { class: "name", title: series.name }, label),
      h("span", { class: "muted" }, unit),
      h("span", { class: "components" }, ...buttons),
    );
  }
}
