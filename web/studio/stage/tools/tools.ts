// The tools of one stage: what they draw over it, where the pointer goes, what the pane's bar offers.
import { effect, untracked } from "@preact/signals";
import { h } from "../../../src/ui/dom";
import type { Picked } from "../../../src/view/picking";
import type { Pixel } from "../../../src/view/space";
import { BodyDrag } from "./body_drag";
import { Builder } from "./builder";
import type { StageContext } from "./context";
import type { PoseData } from "./drag";
import { FrameKnob } from "./frame_knobs";
import { JointHandle } from "./joint_handles";
import { ModesPlayer } from "./modes";
import { Overlay } from "./overlay";
import { PLANES, type PlaneName, type WorkPlane } from "./plane";
import { frameAt, shownFrames } from "./snapping";

export class StageTools {
  readonly overlay = new Overlay();
  readonly builder: Builder;
  readonly bar: HTMLElement;
  /** What is offered for what is shown. */
  private readonly corner = h("div", { class: "stage-corner" });
  readonly actions: Readonly<Record<string, () => void>>;
  private handles: JointHandle[] = [];
  private knobs: FrameKnob[] = [];
  private readonly body: BodyDrag;
  private readonly modes: ModesPlayer;
  private readonly ends: (() => void)[] = [];
  private asked = 0;

  constructor(
    private readonly stage: StageContext,
    private readonly plane: WorkPlane,
  ) {
    this.builder = new Builder(stage, this.overlay);
    this.body = new BodyDrag(
      stage,
      () => !this.builder.isActive,
      (data) => this.take(data),
    );
    this.modes = new ModesPlayer(stage);
    this.bar = this.makeBar();
    const { builder } = this;
    this.actions = {
      add: () => void builder.add(),
      joint: () => void builder.join(),
      frame: () => void builder.addFrame(),
      "stage.start": () => stage.showStart(),
      "stage.modes": () => this.modes.toggle(),
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !builder.isActive) return;
      event.preventDefault();
      event.stopPropagation();
      builder.cancel();
    };
    document.addEventListener("keydown", escape, { capture: true });
    const drop = (x: number, y: number) => this.elementAt(x, y);
    stage.studio.dropTargets.push(drop);
    this.ends.push(
      () => document.removeEventListener("keydown", escape, { capture: true }),
      () => stage.studio.dropTargets.splice(stage.studio.dropTargets.indexOf(drop), 1),
      effect(() => {
        stage.studio.selection.value;
        untracked(() => void this.refresh());
      }),
    );
    stage.element.append(this.overlay.svg, this.corner, this.overlay.card);
    stage.element.append(builder.prompt.element);
  }

  private makeBar(): HTMLElement {
    const button = (label: string, name: string, title: string) =>
      h(
        "button",
        { type: "button", "data-tool": name, title, click: () => this.actions[name]() },
        label,
      );
    const select = h(
      "select",
      {
        "aria-label": "Working plane",
        title: "Plane that new things are put on",
        change: () => (this.plane.chosen.value = select.value as PlaneName),
      },
      ...PLANES.map((name) => h("option", { value: name }, name)),
    );
    const start = button(
      "◂ Start",
      "stage.start",
      "Show the start, to build and pose, in place of the run",
    );
    const tools = h(
      "div",
      { class: "stage-tools", role: "toolbar", "aria-label": "Build" },
      button("+ Add", "add", "Add a body, joint, force, driver (A)"),
      button("Joint", "joint", "Connect two frames by a joint (J)"),
      button("Frame", "frame", "Add a frame to a body or the ground"),
      select,
    );
    this.corner.append(start, this.modes.element);
    this.ends.push(
      effect(() => {
        select.value = this.plane.chosen.value ?? this.plane.usual;
        const isReadOnly = this.stage.studio.document.value?.readOnly ?? true;
        for (const item of tools.querySelectorAll<HTMLButtonElement>("[data-tool]"))
          item.hidden = isReadOnly;
        select.hidden = isReadOnly;
        start.hidden = this.stage.isStart;
      }),
    );
    return tools;
  }

  /** The usual plane of what is drawn is known. */
  showPlane(usual: PlaneName): void {
    this.plane.usual = usual;
    const select = this.bar.querySelector("select");
    if (select) select.value = this.plane.name;
  }

  // -- the pointer

  /** Whether a tool takes what the pointer is over. */
  hover(picked: Picked | null, pixel: Pixel): boolean {
    if (!this.builder.isActive) return false;
    this.builder.hover(pixel, picked);
    return true;
  }

  click(picked: Picked | null, pixel: Pixel): boolean {
    if (!this.builder.isActive) return false;
    this.builder.click(pixel, picked);
    return true;
  }

  /** The joint or frame at a place of the window. */
  private elementAt(x: number, y: number): string | null {
    const { viewer, canvas } = this.stage;
    const box = canvas.getBoundingClientRect();
    const isInside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    if (!viewer || !isInside || !canvas.isConnected) return null;
    const pixel = viewer.space.pixel(x, y);
    const picked = viewer.picking.at(...pixel);
    if (picked?.kind === "joint") return picked.element;
    const frame = frameAt(shownFrames(viewer), pixel);
    return frame?.name ?? (picked?.kind === "body" ? picked.element : null);
  }

  // -- handles of what is selected

  /** Handles for the selection, when the start is drawn. */
  async refresh(): Promise<void> {
    const { stage } = this;
    if (this.isBusy) return;
    this.builder.again();
    const number = ++this.asked;
    const { viewer, studio } = stage;
    const selected = [...studio.selection.peek()];
    this.modes.follow(selected);
    const scene = viewer?.mechanism.scene;
    const isOne = selected.length === 1 && scene && stage.canPose;
    const joint = isOne ? scene.joints.find((j) => j.name === selected[0]) : undefined;
    const body = isOne ? scene.bodies.find((b) => b.name === selected[0].split(".")[0]) : undefined;
    const names = body?.frames.map((f) => `${body.name}.${f.name}`) ?? [];
    const handles = joint?.coordinates?.length ? await this.handlesOf(joint) : [];
    if (number !== this.asked || this.isBusy) return;
    const isSame = handles.length > 0 && handles.every((k) => this.handles.includes(k));
    this.knobs = names.map((name) => new FrameKnob(stage, this.overlay, name));
    this.handles = handles;
    const elements = [...this.knobs, ...handles].map((k) => k.element);
    if (!isSame) this.overlay.handles.replaceChildren(...elements); // else it would lose the focus
    this.update();
  }

  /** Something is being dragged: nothing may take its place. */
  private get isBusy(): boolean {
    return [...this.handles, ...this.knobs].some((handle) => handle.isBusy);
  }

  private async handlesOf(joint: JointHandle["joint"]): Promise<JointHandle[]> {
    try {
      const data = await this.stage.studio.look<PoseData>("pose", { drag: "start" });
      return joint.coordinates!.map((coordinate) => {
        const value = data.joints[joint.name]?.[coordinate.name]?.value ?? 0;
        const known = this.handles.find(
          (k) => k.joint.name === joint.name && k.coordinate.name === coordinate.name,
        );
        if (known && JSON.stringify(known.joint) === JSON.stringify(joint)) {
          if (!known.isBusy) known.value = value;
          return known;
        }
        return new JointHandle(this.stage, joint, coordinate, value);
      });
    } catch {
      return []; // the stage says already why it cannot be assembled
    }
  }

  private take(data: PoseData): void {
    for (const handle of this.handles) handle.take(data);
  }

  /** The picture was drawn: what is over it follows. */
  update(): void {
    this.builder.update();
    for (const handle of [...this.handles, ...this.knobs]) handle.update();
  }

  dispose(): void {
    this.builder.cancel();
    this.body.dispose();
    for (const end of this.ends) end();
  }
}
