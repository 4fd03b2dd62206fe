// Two or more panels of which one is shown.
import { h } from "./dom";

export class Tabs {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[];

  constructor(private readonly panels: { name: string; panel: HTMLElement }[]) {
    this.buttons = panels.map(({ name, panel }, k) => {
      panel.id = `panel-${k}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-label", name);
      return h(
        "button",
        { type: "button", role: "tab", "aria-controls": panel.id, click: () => this.show(k) },
        name,
      );
    });
    const list = h("div", { class: "tabs", role: "tablist" }, ...this.buttons);
    this.element = h("aside", { class: "side" }, list, ...panels.map((p) => p.panel));
    this.show(0);
  }

  show(index: number): void {
    this.buttons.forEach((b, k) => b.setAttribute("aria-selected", `${k === index}`));
    this.panels.forEach((p, k) => (p.panel.hidden = k !== index));
  }
}
