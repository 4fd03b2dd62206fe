// Drawn over the picture: rings at frames with their names, ghosts of what will be made, and the card
// that says in words what that is.
import type { Vector3 } from "three";
import type { Pixel } from "../../../src/view/space";
import type { Viewer } from "../../../src/view/viewer";
import { h, svg } from "../../../src/ui/dom";
import type { Tried } from "../../protocol";
import type { ShownFrame } from "./snapping";

const ROOM = 12;
/** Names closer to each other than that are written once, one behind the other. */
const TOGETHER = 10;

export class Overlay {
  readonly svg = svg("svg", { class: "stage-overlay", "aria-hidden": "false" });
  readonly handles = svg("g", { class: "handles" });
  readonly card = h("div", { class: "stage-card", hidden: true, role: "status" });
  private readonly rings = svg("g", { class: "rings" });
  private readonly ghost = svg("g", { class: "ghost" });

  constructor() {
    this.svg.append(this.rings, this.ghost, this.handles);
  }

  /** Rings at frames; one of them caught by the pointer. */
  showRings(frames: readonly ShownFrame[], caught: string | null): void {
    const shown: SVGElement[] = [];
    const taken: { pixel: Pixel; names: string[]; label: SVGElement }[] = [];
    for (const { name, pixel } of frames) {
      const [x, y] = pixel;
      const isCaught = name === caught;
      const kind = isCaught ? "ring caught" : "ring";
      shown.push(svg("circle", { class: kind, "data-frame": name, cx: x, cy: y, r: 7 }));
      const near = taken.find(
        (t) => Math.hypot(t.pixel[0] - x, t.pixel[1] - y) < TOGETHER && !isCaught,
      );
      if (near) {
        near.names.push(name);
        near.label.textContent = near.names.join(", ");
        continue;
      }
      const label = svg("text", { class: isCaught ? "caught" : "", x: x + 10, y: y - 8 }, name);
      taken.push({ pixel, names: [name], label });
      shown.push(label);
    }
    this.rings.replaceChildren(...shown);
  }

  /** Lines and dots of something that is not there yet. */
  showGhost(viewer: Viewer, lines: readonly Vector3[][], dots: readonly Vector3[]): void {
    const project = (p: Vector3) => viewer.space.project(p);
    const paths = lines.map((points) => {
      const pixels = points.map(project).filter((p) => p !== null);
      return svg("polyline", { points: pixels.map((p) => p.join(",")).join(" ") });
    });
    const marks = dots
      .map(project)
      .filter((p) => p !== null)
      .map(([x, y]) => svg("circle", { cx: x, cy: y, r: 4 }));
    this.ghost.replaceChildren(...paths, ...marks);
  }

  /** Words of what would be done, beside a pixel or in the corner. */
  showCard(tried: Tried | { refused: string }, at: Pixel | null): void {
    const { card } = this;
    if ("refused" in tried) card.replaceChildren(h("p", { class: "failed" }, `⚠ ${tried.refused}`));
    else
      card.replaceChildren(
        h("b", {}, tried.label),
        h("pre", {}, tried.lines.join("\n")),
        ...tried.faults.slice(0, 2).map((f) => h("p", { class: "failed" }, `⚠ ${f.what}`)),
      );
    card.hidden = false;
    if (at) this.placeCard(at);
  }

  placeCard([x, y]: Pixel): void {
    const { card } = this;
    const room = card.offsetParent;
    if (!room || card.hidden) return;
    const left = Math.min(x + 18, room.clientWidth - card.offsetWidth - ROOM);
    const above = y - card.offsetHeight - 22;
    card.style.left = `${Math.max(ROOM, left)}px`;
    card.style.top = `${above > ROOM ? above : y + 22}px`;
  }

  hideCard(): void {
    this.card.hidden = true;
  }

  clear(): void {
    this.rings.replaceChildren();
    this.ghost.replaceChildren();
    this.hideCard();
  }
}
