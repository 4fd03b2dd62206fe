// What tools on the stage are given: the picture, and what may be done to it.
import type { Vector3 } from "three";
import type { Table } from "../../../src/data/table";
import type { Viewer } from "../../../src/view/viewer";
import type { Studio } from "../../studio";

export interface StageContext {
  readonly studio: Studio;
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  /** Null until something is drawn. */
  readonly viewer: Viewer | null;
  /** Where new things are put. */
  readonly plane: { readonly normal: Vector3; readonly name: string };
  /** Whether the assembled start is what is drawn; read in an effect, it is followed. */
  readonly isStart: boolean;
  /** Whether that is so, and the model is sound and may be changed. */
  readonly canPose: boolean;
  /** Draw the start in place of a run. */
  showStart(): void;
  /** Draw bodies where these numbers put them. */
  take(table: Table): void;
  /** Bodies as the file puts them. */
  restore(): void;
  /** A sentence over the picture; "" takes it away. */
  tell(text: string): void;
}
