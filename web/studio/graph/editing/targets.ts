// What a bond of a network may lead to: elements and ports of its drawing; joints and frames of the
// tree, the 3-D view and the graph of the mechanism.
import type { Item } from "../canvas/items";
import { hit } from "../canvas/items";
import type { Surface } from "../canvas/surface";
import type { Point } from "../data";
import { Box } from "../drawing/boxes";
import { Port } from "../drawing/ports";
import { Symbol } from "../drawing/symbols";
import type { Studio } from "../../studio";
import type { Target } from "./bonding";

/** A name without that of its network. */
export const localOf = (network: string, name: string): string =>
  name.startsWith(`${network}.`) ? name.slice(network.length + 1) : name;

/** Symbols, ports and parts of a network itself: nothing that is inside of a part. */
export function isOwn(item: Item): boolean {
  if (item instanceof Port) return true;
  if (item instanceof Symbol) return item.owner === item.name;
  return item instanceof Box && item.data.kind === "part" && item.owner === item.name;
}

/** The item at a point of the drawing that belongs to the network itself. */
export function ownAt(items: readonly Item[], p: Point, tolerance: number): Item | null {
  const own = items.filter(isOwn);
  const found = hit(own, p, tolerance);
  return found;
}

/** How operations name a joint or a frame of the model; null: networks cannot hold on to it. */
export function moverOf(studio: Studio, name: string): string | null {
  const item = studio.items.peek().get(name);
  const section = item?.path[0];
  if (section === "joints") return `joint:${name}`;
  if (section === "bodies" || section === "frames") return `frame:${name}`;
  return name === "ground" ? "frame:ground" : null;
}

/** The joint or frame that another view shows at a place of the window. */
export function elsewhere(studio: Studio, x: number, y: number): Target | null {
  const shown = document
    .elementsFromPoint(x, y)
    .map((element) => element.closest<HTMLElement>("[data-name]")?.dataset.name);
  const names = [...shown, studio.droppedOn(x, y)];
  for (const name of names) {
    const mover = name ? moverOf(studio, name) : null;
    if (mover) return { name: mover, label: mover.replace(":", " "), bounds: null };
  }
  return null;
}

/** Whether a place of the window is on the canvas. */
export function isOver(surface: Surface, { clientX: x, clientY: y }: PointerEvent): boolean {
  const { left, right, top, bottom } = surface.window.getBoundingClientRect();
  return x >= left && x <= right && y >= top && y <= bottom;
}
