// Frames of the selected body can be moved: a square at each, dragged in the working plane.
import { Matrix4, Vector3 } from "three";
import type { Triple } from "../../../src/data/types";
import { bodyOf } from "../../../src/motion/mechanism";
import { svg } from "../../../src/ui/dom";
import type { StageContext } from "./context";
import type { Overlay } from "./overlay";
import { snapped } from "./plane";
import { Trying } from "./trying";

const HALF = 5;

export class FrameKnob {
  readonly element = svg("rect", {
    ...{ class: "frame-knob", width: 2 * HALF, height: 2 * HALF, tabindex: 0, role: "button" },
  });
  private at: Triple | null = null;
  private readonly trying: Trying;

  constructor(
    private readonly stage: StageContext,
    private readonly overlay: Overlay,
    readonly frame: string,
  ) {
    const { element } = this;
    this.trying = new Trying(stage.studio, overlay);
    element.dataset.frame = frame;
    element.setAttribute("aria-label", `Frame ${frame}: arrows move it`);
    element.append(svg("title", {}, frame));
    element.addEventListener("pointerdown", (e) => this.begin(e));
    element.addEventListener("pointermove", (e) => this.move(e));
    element.addEventListener("pointerup", () => void this.end());
    element.addEventListener("pointercancel", () => this.leave());
    element.addEventListener("keydown", (e) => this.press(e));
  }

  get isBusy(): boolean {
    return this.at !== null;
  }

  private get local(): Vector3 {
    const { mechanism } = this.stage.viewer!;
    return new Vector3().setFromMatrixPosition(mechanism.local(this.frame));
  }

  private get grid(): number {
    return (this.stage.viewer?.floor.step ?? 1) / 10;
  }

  update(): void {
    const { viewer } = this.stage;
    const place = viewer?.mechanism.origin(this.frame, new Vector3());
    const pixel = place && viewer!.space.project(place);
    this.element.toggleAttribute("hidden", !pixel);
    if (!pixel) return;
    this.element.setAttribute("x", `${pixel[0] - HALF}`);
    this.element.setAttribute("y", `${pixel[1] - HALF}`);
  }

  private begin(event: PointerEvent): void {
    if (event.button !== 0 || !this.stage.canPose) return;
    event.preventDefault();
    event.stopPropagation();
    this.element.focus({ preventScroll: true });
    this.element.setPointerCapture(event.pointerId);
    this.at = this.local.toArray() as Triple;
  }

  private move(event: PointerEvent): void {
    const { viewer, plane } = this.stage;
    if (!this.at || !viewer || !this.element.hasPointerCapture(event.pointerId)) return;
    const through = viewer.mechanism.origin(this.frame, new Vector3()).clone();
    const pixel = viewer.space.pixel(event.clientX, event.clientY);
    const point = viewer.space.onPlane(pixel, through, plane.normal);
    if (!point) return;
    const world = viewer.mechanism.body(bodyOf(this.frame));
    const local = point.applyMatrix4(new Matrix4().copy(world).invert());
    const step = event.shiftKey ? this.grid / 10 : this.grid;
    this.go(local.toArray().map((v) => snapped(v, step)) as Triple);
  }

  private go(at: Triple): void {
    const { viewer } = this.stage;
    this.at = at;
    const world = viewer!.mechanism.body(bodyOf(this.frame));
    const [base, end] = [new Vector3(), new Vector3(...at)].map((p) => p.applyMatrix4(world));
    this.overlay.showGhost(viewer!, [[base, end]], [end]);
    this.trying.show("frame.move", { name: this.frame, at }, viewer!.space.project(end));
  }

  private async end(): Promise<void> {
    const { at } = this;
    const [x, y, z] = this.local.toArray();
    this.leave();
    if (!at || Math.hypot(at[0] - x, at[1] - y, at[2] - z) < 1e-9) return;
    await this.stage.studio.do("frame.move", { name: this.frame, at });
  }

  private leave(): void {
    this.at = null;
    this.trying.hide();
    this.overlay.clear();
  }

  private press(event: KeyboardEvent): void {
    const sides: Record<string, [number, number]> = {
      ...{ ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 1], ArrowDown: [1, -1] },
    };
    const side = sides[event.key];
    if (side && this.stage.canPose) {
      const at = this.at ?? (this.local.toArray() as Triple);
      const axis = [
        "xyz".indexOf(this.stage.plane.name[0]),
        "xyz".indexOf(this.stage.plane.name[1]),
      ];
      const next = [...at] as Triple;
      const step = event.shiftKey ? this.grid / 10 : this.grid;
      next[axis[side[0]]] = snapped(next[axis[side[0]]] + side[1] * step, step);
      this.go(next);
    } else if (event.key === "Enter" && this.at) void this.end();
    else if (event.key === "Escape" && this.at) this.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
