// A bond that is drawn with the pointer: from an element or a port into the free, onto another
// element, or out of the canvas onto a joint or frame of another view.
import type { Drag } from "../canvas/gestures";
import type { Surface } from "../canvas/surface";
import type { Bounds } from "../canvas/viewport";
import type { Point } from "../data";
import type { Overlay, Verdict } from "./overlay";

/** Where a bond may end. */
export interface Target {
  /** What operations call it: "mesh", "motor.shaft", "joint:O". */
  name: string;
  label: string;
  bounds: Bounds | null;
}

export interface Bonding {
  /** What is drawn from. */
  readonly from: { name: string; label: string; at: Point; inward: boolean };
  /** What lies at a place: of the drawing, and of the window. */
  targetAt(at: Point, event: PointerEvent): Target | null;
  /** Why a bond may not end there; "" if it may, null if nobody knows yet. */
  objection(target: Target): string | null;
  /** What the bond would be, where that is not plain. */
  note(target: Target): string;
  connect(target: Target): void;
  /** Let go in the free, at a place of the drawing. */
  free(at: Point, screen: Point): void;
}

export class BondDrag implements Drag {
  readonly look = "linking";

  constructor(
    private readonly surface: Surface,
    private readonly overlay: Overlay,
    private readonly does: Bonding,
  ) {}

  move(at: Point, event: PointerEvent): void {
    const { from } = this.does;
    const to = this.surface.view.toDrawing(at);
    const target = this.does.targetAt(to, event);
    const why = target && this.does.objection(target);
    const verdict: Verdict = !target ? "free" : why ? "bad" : "good";
    this.overlay.bond(from.at, to, verdict, from.inward);
    this.overlay.target(target?.bounds ?? null, verdict);
    if (!isInside(at, this.surface.size))
      this.overlay.lead(this.surface.view.toScreen(from.at), at, verdict);
    this.overlay.say(this.words(target, why), at, verdict);
  }

  drop(at: Point, event: PointerEvent): void {
    const to = this.surface.view.toDrawing(at);
    const target = this.does.targetAt(to, event);
    const why = target && this.does.objection(target);
    if (target && why) this.overlay.say(this.words(target, why), at, "bad");
    this.overlay.clear();
    if (!target) this.does.free(to, at);
    else this.does.connect(target);
  }

  cancel(): void {
    this.overlay.clear();
  }

  private words(target: Target | null, why: string | null): string {
    const { label } = this.does.from;
    if (!target) return `${label} → … (let go: what may follow)`;
    const note = this.does.note(target);
    return why || `${label} → ${target.label}${note ? `: ${note}` : ""}`;
  }
}

function isInside([x, y]: Point, [width, height]: Point): boolean {
  return x >= 0 && y >= 0 && x <= width && y <= height;
}
