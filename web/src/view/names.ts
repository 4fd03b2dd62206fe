// Names of bodies, joints and frames beside them, as many as there is room for.
import { Vector3 } from "three";
import type { Viewer } from "./viewer";
import { h } from "../ui/dom";

export type Kind = "bodies" | "joints" | "frames";
export const KINDS: readonly Kind[] = ["bodies", "joints", "frames"];

interface Label {
  text: string;
  x: number;
  y: number;
  width: number;
}

const FONT = "12px system-ui, sans-serif";
const LINE = 16;
const TRIES = 5;

export class Names {
  readonly element = h("div", { class: "names", "aria-hidden": "true" });
  readonly chosen = new Set<Kind>();
  private labels: Label[] = [];
  private readonly widths = new Map<string, number>();
  private readonly ruler = document.createElement("canvas").getContext("2d")!;
  private readonly p = new Vector3();

  constructor(private readonly viewer: Viewer) {
    this.ruler.font = FONT;
    viewer.followers.add(() => this.update());
  }

  choose(kind: Kind, isShown: boolean): void {
    if (isShown) this.chosen.add(kind);
    else this.chosen.delete(kind);
    this.viewer.invalidate();
  }

  /** Names with the frames they stand at; of a body its centre of mass. */
  private *wanted(): Iterable<[text: string, place: Vector3]> {
    const { mechanism, bodies } = this.viewer;
    const { joints, bodies: all, ground } = mechanism.scene;
    const at = (reference: string) => mechanism.origin(reference, this.p);
    if (this.chosen.has("joints")) for (const j of joints) yield [j.name, at(j.child)];
    const seen = all.filter((b) => bodies.look(b.name).visible);
    if (this.chosen.has("bodies"))
      for (const b of seen)
        yield [b.name, this.p.set(...b.com).applyMatrix4(mechanism.body(b.name))];
    if (!this.chosen.has("frames")) return;
    for (const owner of [{ name: "ground", frames: ground.frames }, ...seen])
      for (const f of owner.frames)
        yield [`${owner.name}.${f.name}`, at(`${owner.name}.${f.name}`)];
  }

  private width(text: string): number {
    const known = this.widths.get(text) ?? this.ruler.measureText(text).width + 8;
    this.widths.set(text, known);
    return known;
  }

  private update(): void {
    this.labels = [];
    const { clientWidth, clientHeight } = this.viewer.canvas;
    for (const [text, place] of this.wanted()) {
      const pixel = this.viewer.space.project(place);
      if (!pixel || pixel[0] < 0 || pixel[0] > clientWidth || pixel[1] > clientHeight) continue;
      const label = { text, x: pixel[0] + 8, y: pixel[1] - LINE - 2, width: this.width(text) };
      for (let k = 0; k < TRIES && !this.isFree(label); k++) label.y += LINE;
      if (this.isFree(label)) this.labels.push(label);
    }
    this.write();
  }

  private isFree({ x, y, width }: Label): boolean {
    return this.labels.every(
      (o) => x > o.x + o.width || o.x > x + width || Math.abs(y - o.y) >= LINE,
    );
  }

  private write(): void {
    const { element, labels } = this;
    while (element.childElementCount > labels.length) element.lastChild!.remove();
    while (element.childElementCount < labels.length) element.append(h("span", {}));
    labels.forEach(({ text, x, y }, k) => {
      const span = element.children[k] as HTMLElement;
      if (span.textContent !== text) span.textContent = text;
      span.style.transform = `translate(${x}px, ${y}px)`;
    });
  }

  /** The same on a picture. */
  draw(context: CanvasRenderingContext2D): void {
    const style = getComputedStyle(this.element);
    context.font = FONT;
    context.textAlign = "left";
    context.textBaseline = "middle";
    for (const { text, x, y, width } of this.labels) {
      context.fillStyle = style.getPropertyValue("--glass");
      context.fillRect(x, y, width, LINE);
      context.fillStyle = style.color;
      context.fillText(text, x + 4, y + LINE / 2);
    }
  }
}
