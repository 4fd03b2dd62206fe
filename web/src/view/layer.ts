// Part of the picture: something drawn that follows the mechanism.
import type { Object3D } from "three";
import type { Theme } from "./theme";

export interface Layer {
  readonly object: Object3D;
  /** Follow the mechanism, which already shows the time. */
  update(time: number): void;
  paint(theme: Theme): void;
}
