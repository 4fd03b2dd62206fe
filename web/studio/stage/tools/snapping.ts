// Frames near the pointer: they are what joints and forces are put on.
import { Vector3 } from "three";
import { bodyOf } from "../../../src/motion/mechanism";
import type { Pixel } from "../../../src/view/space";
import type { Viewer } from "../../../src/view/viewer";

/** Pixels within which a frame catches the pointer. */
export const CATCH = 14;

export interface ShownFrame {
  name: string;
  at: Vector3;
  pixel: Pixel;
}

/** All frames that can be seen, the ground's first. */
export function shownFrames(viewer: Viewer, but: ReadonlySet<string> = new Set()): ShownFrame[] {
  const { mechanism, space, frames } = viewer;
  const ground = frames.references.filter((name) => bodyOf(name) === "ground");
  const found: ShownFrame[] = [];
  for (const name of [...ground, ...mechanism.references]) {
    if (but.has(bodyOf(name))) continue;
    const at = mechanism.origin(name, new Vector3());
    const pixel = space.project(at);
    if (pixel) found.push({ name, at: at.clone(), pixel });
  }
  return found;
}

/** The frame that catches the pointer; of several the nearest, of those as near the first. */
export function frameAt(frames: readonly ShownFrame[], [x, y]: Pixel): ShownFrame | null {
  let best: ShownFrame | null = null;
  let nearest = CATCH;
  for (const frame of frames) {
    const distance = Math.hypot(frame.pixel[0] - x, frame.pixel[1] - y);
    if (distance < nearest - 0.5) [best, nearest] = [frame, distance];
  }
  return best;
}
