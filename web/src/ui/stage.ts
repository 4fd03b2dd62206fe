// The 3-D view with its tools; without WebGL a message in its place.
import type { PageData } from "../data/types";
import type { Clock } from "../motion/clock";
import type { Mechanism } from "../motion/mechanism";
import { bodyOf } from "../motion/mechanism";
import type { Named, Picked } from "../view/picking";
import { Viewer } from "../view/viewer";
import { h } from "./dom";
import { GraphStage } from "./graph_stage";
import { type Toolbar, toolbar } from "./toolbar";

export class Stage {
  readonly element = h("main", { class: "stage", "aria-label": "3-D view" });
  viewer: Viewer | null = null;
  private tools: Toolbar | null = null;
  private readonly tip = h("div", { class: "tip", hidden: true });

  constructor(
    private readonly data: PageData,
    private readonly select: (picked: Picked | null) => void,
  ) {}

  /** A model without bodies shows its bond graph; one with both can be switched. */
  async open(mechanism: Mechanism, clock: Clock): Promise<void> {
    const { graph, scene } = this.data;
    const drawn = graph ? await GraphStage.read(graph, clock) : null;
    if (!drawn || scene.bodies.length) await this.openMechanism(mechanism, clock);
    if (!drawn) return;
    const solid = [...this.element.children] as HTMLElement[];
    this.element.append(drawn.element);
    drawn.begin();
    if (solid.length) this.element.append(this.choice(solid, drawn));
  }

  /** What is shown: the mechanism or the graph. */
  private choice(solid: HTMLElement[], drawn: GraphStage): HTMLElement {
    const show = (isGraph: boolean) => {
      for (const part of solid) part.classList.toggle("away", isGraph);
      drawn.element.hidden = !isGraph;
      drawn.show();
      buttons.forEach((b, k) => b.setAttribute("aria-pressed", `${isGraph === (k === 1)}`));
    };
    const buttons = ["Mechanism", "Bond graph"].map((label, k) =>
      h("button", { type: "button", click: () => show(k === 1) }, label),
    );
    show(false);
    return h("div", { class: "stage-choice", role: "group", "aria-label": "Shown" }, ...buttons);
  }

  private async openMechanism(mechanism: Mechanism, clock: Clock): Promise<void> {
    const canvas = h("canvas", {
      role: "img",
      "aria-label": `Moving picture of ${this.data.title}`,
      tabindex: 0,
    });
    const context = canvas.getContext("webgl2", {
      antialias: true,
      powerPreference: "high-performance",
    });
    if (!context)
      return this.explain(
        "This browser offers no WebGL, so the 3-D view cannot be shown. The plots and the summary work.",
      );
    this.element.append(canvas);
    canvas.addEventListener("webglcontextlost", () =>
      this.explain("The graphics of this browser were lost. Load the page again."),
    );
    const viewer = await Viewer.open(canvas, context, mechanism, clock);
    this.tools = toolbar(viewer, mechanism.references, () => this.data.title);
    this.element.append(
      viewer.names.element,
      this.tools.element,
      this.tools.note,
      viewer.compass.element,
      this.tip,
    );
    viewer.picking.onHover = (picked, x, y) => this.hover(canvas, picked, x, y);
    viewer.picking.onClick = (picked) => this.select(picked);
    this.viewer = viewer;
  }

  private explain(text: string): void {
    this.element.replaceChildren(h("p", { class: "explain", role: "status" }, text));
  }

  private hover(canvas: HTMLElement, picked: Picked | null, x: number, y: number): void {
    canvas.style.cursor = picked ? "pointer" : "";
    this.tip.hidden = !picked;
    if (!picked) return;
    this.tip.replaceChildren(picked.element, " ", h("span", {}, picked.kind));
    this.tip.style.transform = `translate(${x + 14}px, ${y + 14}px)`;
  }

  toggleTrail(reference: string): void {
    this.viewer?.toggleTrail(reference);
    this.tools?.refresh();
  }

  /** Light up what is selected: a body, or the two bodies of a joint. */
  highlight(picked: Named | null): void {
    const joint = this.data.scene.joints.find(
      (j) => picked?.kind === "joint" && j.name === picked.element,
    );
    const bodies = joint ? [joint.parent, joint.child].map(bodyOf) : picked ? [picked.element] : [];
    this.viewer?.highlight(new Set(bodies));
  }
}
