// A body is dragged with the mouse, and the mechanism with it.
import { Matrix4, Vector3 } from "three";
import type { Triple } from "../../../src/data/types";
import type { StageContext } from "./context";
import { PoseDrag, type PoseData } from "./drag";

/** Pixels after which a press is a drag. */
const STILL = 5;
/** Below that the working plane is seen from its side. */
const FACING = 0.3;

interface Held {
  body: string;
  /** In axes of the body. */
  point: Triple;
  grabbed: Vector3;
  from: [number, number];
}

export class BodyDrag {
  private held: Held | null = null;
  private drag: PoseDrag | null = null;
  private readonly closing = new AbortController();

  constructor(
    private readonly stage: StageContext,
    private readonly isFree: () => boolean,
    private readonly onPose: (data: PoseData) => void,
  ) {
    const { element, canvas } = stage;
    const options = { signal: this.closing.signal, capture: true };
    element.addEventListener("pointerdown", (e) => this.begin(e), options);
    canvas.addEventListener("pointermove", (e) => this.move(e), options);
    canvas.addEventListener("pointerup", () => void this.end(), options);
    canvas.addEventListener("pointercancel", () => this.cancel(), options);
    document.addEventListener("keydown", (e) => this.press(e), options);
  }

  private begin(event: PointerEvent): void {
    const { viewer, canvas } = this.stage;
    const isPlain = event.button === 0 && !event.ctrlKey && !event.shiftKey && !event.metaKey;
    if (event.target !== canvas || !isPlain || event.pointerType === "touch") return;
    if (!viewer || !this.stage.canPose || !this.isFree()) return;
    const picked = viewer.picking.at(event.offsetX, event.offsetY);
    if (picked?.kind !== "body") return;
    viewer.hold(true);
    const inverse = new Matrix4().copy(viewer.mechanism.body(picked.element)).invert();
    const point = picked.point.clone().applyMatrix4(inverse).toArray() as Triple;
    const grabbed = picked.point.clone();
    this.held = { body: picked.element, point, grabbed, from: [event.clientX, event.clientY] };
  }

  private move(event: PointerEvent): void {
    const { held } = this;
    const { viewer, canvas, plane } = this.stage;
    if (!held || !viewer) return;
    const [x, y] = held.from;
    if (!this.drag && Math.hypot(event.clientX - x, event.clientY - y) < STILL) return;
    if (!this.drag) {
      this.drag = new PoseDrag(this.stage, this.onPose);
      viewer.picking.onHover(null, 0, 0); // its name would stay where it was grabbed
      canvas.setPointerCapture(event.pointerId);
      canvas.classList.add("dragging");
    }
    const { sight } = viewer.space;
    const normal = Math.abs(sight.dot(plane.normal)) > FACING ? plane.normal : sight;
    const pixel = viewer.space.pixel(event.clientX, event.clientY);
    const to = viewer.space.onPlane(pixel, held.grabbed, normal);
    if (to) this.drag.move({ body: held.body, point: held.point, to: to.toArray() as Triple });
  }

  private letGo(): PoseDrag | null {
    const { drag } = this;
    this.stage.viewer?.hold(false);
    this.stage.canvas.classList.remove("dragging");
    this.held = this.drag = null;
    return drag;
  }

  private async end(): Promise<void> {
    if (this.held) await this.letGo()?.release();
  }

  private cancel(): void {
    if (this.held) this.letGo()?.cancel();
  }

  private press(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !this.drag) return;
    event.preventDefault();
    event.stopPropagation();
    this.cancel();
  }

  dispose(): void {
    this.cancel();
    this.closing.abort();
  }
}
