// Handles at the selected joint: an arc for an angle, a slide for a displacement. They set where the
// joint starts, and move the whole mechanism with them.
import { Vector3 } from "three";
import type { CoordinateData, JointData } from "../../../src/data/types";
import type { Viewer } from "../../../src/view/viewer";
import { svg } from "../../../src/ui/dom";
import type { StageContext } from "./context";
import { PoseDrag, type PoseData } from "./drag";
import { snapped } from "./plane";
import { angleAt, type Axis, axisOf, onCircle } from "./turning";

const DEGREE = Math.PI / 180;
const STEP = { rad: 5 * DEGREE, fine: 0.1 * DEGREE };
const LEAST_RADIUS = 34;
const MOST_RADIUS = 110;
/** Milliseconds after the last key that a value is written. */
const PAUSE = 700;
const POINTS = 64;

export class JointHandle {
  readonly element = svg("g", { class: "joint-handle" });
  private readonly track = svg("path", { class: "track" });
  private readonly arc = svg("path", { class: "arc" });
  private readonly knob = svg("circle", { class: "knob", r: 8, role: "slider", tabindex: 0 });
  private readonly label = svg("text", { "aria-hidden": "true" });
  private drag: PoseDrag | null = null;
  private pause: ReturnType<typeof setTimeout> | undefined;
  private from = { s: 0, value: 0, place: new Vector3() };
  /** What is wished while it is dragged. */
  private wanted = 0;

  constructor(
    private readonly stage: StageContext,
    readonly joint: JointData,
    readonly coordinate: CoordinateData,
    public value: number,
  ) {
    const { knob } = this;
    this.element.dataset.joint = joint.name;
    knob.dataset.joint = joint.name;
    knob.dataset.coordinate = coordinate.name;
    this.element.append(this.track, this.arc, knob, this.label);
    knob.addEventListener("pointerdown", (e) => this.begin(e));
    knob.addEventListener("pointermove", (e) => this.move(e));
    knob.addEventListener("pointerup", () => void this.end());
    knob.addEventListener("pointercancel", () => this.cancel());
    knob.addEventListener("keydown", (e) => this.press(e));
    knob.addEventListener("blur", () => void this.end());
  }

  get isBusy(): boolean {
    return this.drag !== null;
  }

  private get isAngle(): boolean {
    return this.coordinate.unit === "rad";
  }

  private get viewer(): Viewer | null {
    return this.stage.viewer;
  }

  private axis(viewer: Viewer): Axis {
    return axisOf(viewer.mechanism, this.coordinate, this.joint.parent, this.value);
  }

  private radius(viewer: Viewer, axis: Axis): number {
    const pixel = viewer.space.perPixel(axis.centre);
    const usual = 0.3 * viewer.mechanism.scene.scale;
    return Math.min(MOST_RADIUS * pixel, Math.max(LEAST_RADIUS * pixel, usual));
  }

  private step(isFine: boolean): number {
    if (this.isAngle) return isFine ? STEP.fine : STEP.rad;
    const grid = (this.viewer?.floor.step ?? 1) / 10;
    return isFine ? grid / 10 : grid;
  }

  get text(): string {
    if (this.isAngle) return `${Number((this.value / DEGREE).toFixed(1))}°`;
    return `${Number(this.value.toPrecision(4))} m`;
  }

  /** The value of the pose that is drawn. */
  take(data: PoseData): void {
    this.value = data.joints[this.joint.name]?.[this.coordinate.name]?.value ?? this.value;
  }

  update(): void {
    const { viewer } = this;
    if (!viewer) return;
    const axis = this.axis(viewer);
    if (this.isAngle) this.drawArc(viewer, axis);
    else this.drawSlide(viewer, axis);
    const { knob, joint, coordinate } = this;
    const number = this.isAngle ? this.value / DEGREE : this.value;
    knob.setAttribute("aria-valuenow", `${Number(number.toFixed(4))}`);
    knob.setAttribute("aria-valuetext", this.text);
    knob.setAttribute("aria-label", `${joint.name}.${coordinate.name} at the start`);
    this.label.textContent = this.text;
  }

  private drawArc(viewer: Viewer, axis: Axis): void {
    const radius = this.radius(viewer, axis);
    const at = (angle: number) => viewer.space.project(onCircle(axis, radius, angle));
    const path = (to: number, count: number) =>
      Array.from({ length: count + 1 }, (_, k) => at((to * k) / count))
        .filter((p) => p !== null)
        .map((p, k) => `${k ? "L" : "M"}${p[0].toFixed(1)} ${p[1].toFixed(1)}`)
        .join("");
    this.track.setAttribute("d", path(2 * Math.PI, POINTS));
    const centre = viewer.space.project(axis.centre);
    const wedge = centre ? `L${centre[0].toFixed(1)} ${centre[1].toFixed(1)}Z` : "";
    const turned = Math.sign(this.value) * Math.min(Math.abs(this.value), 2 * Math.PI);
    this.arc.setAttribute("d", path(turned, POINTS) + wedge);
    this.put(at(this.value), centre);
  }

  private drawSlide(viewer: Viewer, axis: Axis): void {
    const { mechanism, space } = viewer;
    const head = mechanism.origin(this.joint.child, new Vector3()).clone();
    const reach = this.radius(viewer, axis);
    const ends = [-1, 1].map((side) =>
      space.project(head.clone().addScaledVector(axis.direction, side * reach)),
    );
    const [a, b] = ends;
    this.track.setAttribute("d", a && b ? `M${a.join(" ")}L${b.join(" ")}` : "");
    this.arc.setAttribute("d", "");
    this.put(space.project(head), null);
  }

  private put(at: [number, number] | null, centre: [number, number] | null): void {
    this.element.toggleAttribute("hidden", !at);
    if (!at) return;
    this.knob.setAttribute("cx", at[0].toFixed(1));
    this.knob.setAttribute("cy", at[1].toFixed(1));
    const out = centre ? Math.sign(at[0] - centre[0]) || 1 : 1;
    this.label.setAttribute("x", (at[0] + 14 * out).toFixed(1));
    this.label.setAttribute("y", (at[1] - 12).toFixed(1));
    this.label.setAttribute("text-anchor", out < 0 ? "end" : "start");
  }

  private started(): PoseDrag {
    this.drag ??= new PoseDrag(this.stage, (data) => this.take(data));
    return this.drag;
  }

  private begin(event: PointerEvent): void {
    const { viewer } = this;
    if (!viewer || event.button !== 0 || !this.stage.canPose) return;
    event.preventDefault();
    event.stopPropagation();
    this.knob.focus({ preventScroll: true });
    this.knob.setPointerCapture(event.pointerId);
    this.wanted = this.value;
    const axis = this.axis(viewer);
    const place = viewer.mechanism.origin(this.joint.child, new Vector3()).clone();
    const pixel = viewer.space.pixel(event.clientX, event.clientY);
    const s = viewer.space.alongLine(pixel, place, axis.direction);
    this.from = { s, value: this.value, place };
    this.element.classList.add("dragged");
    this.started();
  }

  private move(event: PointerEvent): void {
    const { viewer } = this;
    if (!viewer || !this.drag || !this.knob.hasPointerCapture(event.pointerId)) return;
    const pixel = viewer.space.pixel(event.clientX, event.clientY);
    const axis = this.axis(viewer);
    const { s, value, place } = this.from;
    const meant = this.isAngle
      ? angleAt(viewer.space, axis, pixel, this.wanted, this.radius(viewer, axis))
      : value + viewer.space.alongLine(pixel, place, axis.direction) - s;
    this.wish(meant, event.shiftKey);
  }

  private wish(meant: number, isFine: boolean): void {
    const step = this.step(isFine);
    this.wanted = this.isAngle ? Math.round(meant / step) * step : snapped(meant, step);
    const { joint, coordinate, wanted } = this;
    this.started().move({ joint: joint.name, coordinate: coordinate.name, value: wanted });
  }

  private async end(): Promise<void> {
    const { drag } = this;
    clearTimeout(this.pause);
    if (!drag) return;
    this.drag = null;
    this.element.classList.remove("dragged");
    if (await drag.release()) this.stage.studio.said.value = `${this.joint.name} ${this.text}`;
  }

  cancel(): void {
    clearTimeout(this.pause);
    this.drag?.cancel();
    if (this.drag) this.value = this.from.value;
    this.drag = null;
    this.element.classList.remove("dragged");
    this.update();
  }

  private press(event: KeyboardEvent): void {
    const sides: Record<string, number> = {
      ...{ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 },
    };
    if (event.key in sides && this.stage.canPose) {
      if (!this.drag) [this.wanted, this.from.value] = [this.value, this.value];
      this.wish(this.wanted + sides[event.key] * this.step(event.shiftKey), event.shiftKey);
      clearTimeout(this.pause);
      this.pause = setTimeout(() => void this.end(), PAUSE);
    } else if (event.key === "Enter" && this.drag) void this.end();
    else if (event.key === "Escape" && this.drag) this.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
