// Data of the element that was clicked, with its numbers at the time shown.
import { componentsOf, type Table } from "../data/table";
import type { BodyData, PageData } from "../data/types";
import type { Clock } from "../motion/clock";
import type { Shape } from "../motion/shape";
import { pretty } from "../plots/plot";
import { brief, readable } from "../plots/ticks";
import { h, icon, toggle } from "./dom";
import { SectionDiagrams } from "./sections";
import { table as facts } from "./summary";

const MOST_ROWS = 24;

export interface Actions {
  plot: (name: string) => void;
  trail: (reference: string) => void;
  trails: () => Set<string>;
  /** How a flexible body deforms. */
  shape: (body: string) => Shape | null;
  close: () => void;
}

export class Inspector {
  readonly element = h("section", { class: "inspector", hidden: true, "aria-live": "off" });
  private live: { name: string; cell: HTMLElement }[] = [];
  private sections: SectionDiagrams | null = null;

  constructor(
    private readonly data: PageData,
    private readonly table: Table,
    private readonly clock: Clock,
    private readonly actions: Actions,
  ) {
    clock.follow(() => this.show());
  }

  open(name: string, kind: string): void {
    const close = h(
      "button",
      { type: "button", class: "quiet", "aria-label": "Close", click: () => this.actions.close() },
      icon("close"),
    );
    const body = this.data.scene.bodies.find((b) => b.name === name);
    const shape = kind === "body" ? this.actions.shape(name) : null;
    this.sections = shape?.loads.length ? new SectionDiagrams(shape) : null;
    const details = kind === "body" && body ? this.bodyFacts(body) : this.jointFacts(name);
    this.element.replaceChildren(
      h("header", {}, h("h2", {}, name, " ", h("span", { class: "muted" }, kind)), close),
      ...details,
      ...(this.sections ? [this.sections.element] : []),
      this.values(name),
    );
    this.element.hidden = false;
    this.show();
  }

  close(): void {
    this.element.hidden = true;
    this.live = [];
    this.sections = null;
  }

  private bodyFacts(body: BodyData): HTMLElement[] {
    const isPrincipal = body.inertia.slice(3).every((v) => v === 0);
    const moments = isPrincipal ? body.inertia.slice(0, 3) : body.inertia;
    const rows: [string, string][] = [["Mass", body.mass ? `${brief(body.mass)} kg` : "massless"]];
    if (body.mass) rows.push(["Centre of mass", `(${body.com.map(brief).join(", ")}) m`]);
    if (body.inertia.some((v) => v !== 0))
      rows.push([
        `Inertia about ${body.about === "com" ? "centre of mass" : "origin"}`,
        `${moments.map(brief).join(", ")} kg·m²`,
      ]);
    const elastic = body.elastic?.coordinates.length;
    if (elastic) rows.push(["Elastic coordinates", `${elastic}`]);
    const chosen = this.actions.trails();
    const frames = [body.name, ...body.frames.map((f) => `${body.name}.${f.name}`)];
    const trails = frames.map((ref) =>
      toggle(
        ref === body.name ? "origin" : ref.slice(body.name.length + 1),
        chosen.has(ref),
        () => this.actions.trail(ref),
        { "aria-label": `Trail of ${ref}` },
      ),
    );
    return [
      facts(rows),
      h("div", { class: "chips" }, h("span", { class: "muted" }, "Trail of"), ...trails),
    ];
  }

  private jointFacts(name: string): HTMLElement[] {
    const joint = this.data.scene.joints.find((j) => j.name === name);
    const spring = this.data.scene.symbols.find((s) => s.name === name);
    if (joint)
      return [
        facts([
          ["Kind", joint.kind],
          ["Between", `${joint.parent} and ${joint.child}`],
        ]),
      ];
    return spring ? [facts([["Between", `${spring.a} and ${spring.b}`]])] : [];
  }

  /** Live values of the observables of the element itself, each with a way to plot it. */
  private values(name: string): HTMLElement {
    const own = this.table.series.filter(
      (s) => s.name.startsWith(`${name}.`) && !s.name.slice(name.length + 1).includes("."),
    );
    this.live = own.slice(0, MOST_ROWS).map((s) => ({ name: s.name, cell: h("td") }));
    const rows = this.live.map(({ name: full, cell }) => {
      const s = this.table.get(full)!;
      const plot = h(
        "button",
        {
          type: "button",
          class: "link",
          "aria-label": `Plot ${full}`,
          click: () => componentsOf(s).forEach(this.actions.plot),
        },
        "plot",
      );
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, full.slice(name.length + 1).replace(/_/g, " ")),
        cell,
        h("td", { class: "muted" }, s.unit === "1" ? "" : pretty(s.unit)),
        h("td", {}, plot),
      );
    });
    return h("table", { class: "live" }, h("tbody", {}, ...rows));
  }

  private show(): void {
    for (const { name, cell } of this.live) {
      cell.textContent = this.table.at(name, this.clock.time).map(readable).join("  ");
    }
    this.sections?.show(this.clock.time);
  }
}
