// A new network: its name and its domain are asked for beside the bar of the pane.
import { h } from "../../../src/ui/dom";
import type { Studio } from "../../studio";
import { Questions } from "./questions";

export class NewNetwork {
  readonly element: HTMLFormElement;
  private readonly name = h("input", {
    type: "text",
    name: "name",
    placeholder: "drive",
    autocomplete: "off",
    spellcheck: "false",
  });
  private readonly domain = h("select", { name: "domain" });

  constructor(
    private readonly studio: Studio,
    private readonly made: (network: string) => void,
  ) {
    this.element = h(
      "form",
      { class: "new-network", hidden: true, "aria-label": "New network" },
      h("label", {}, "Name", this.name),
      h("label", {}, "Domain", this.domain),
      h("button", { type: "submit", class: "primary" }, "New network"),
      h("button", { type: "button", click: () => this.close() }, "Cancel"),
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.make();
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      event.stopPropagation();
    });
  }

  async open(): Promise<void> {
    try {
      const domains = await new Questions(this.studio).domains();
      this.domain.replaceChildren(
        ...domains.map((domain) => h("option", { value: domain }, domain || "any")),
      );
    } catch (error) {
      return this.studio.complain(error);
    }
    this.name.value = "";
    this.element.hidden = false;
    this.name.focus();
  }

  close(): void {
    this.element.hidden = true;
  }

  private async make(): Promise<void> {
    const args = { name: this.name.value.trim(), domain: this.domain.value };
    const done = await this.studio.do("network.add", args);
    if (!done) return this.name.focus();
    this.close();
    const [name] = done.selection ?? [];
    this.studio.announce(`network ${name} added`);
    if (name) this.made(name);
  }
}
