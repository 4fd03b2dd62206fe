// Bonds of a network drawn with the pointer: from the rim of a symbol or from a port.
import type { Drag } from "../canvas/gestures";
import type { Item } from "../canvas/items";
import type { Point } from "../data";
import { Port } from "../drawing/ports";
import { Symbol } from "../drawing/symbols";
import type { Adding } from "./adding";
import { BondDrag, type Target } from "./bonding";
import { Handles } from "./handles";
import type { NetworkEditor } from "./network_editor";
import type { Bondable, Questions } from "./questions";
import { elsewhere, isOver, isOwn, ownAt } from "./targets";

/** Pixels around an element within which a bond ends at it. */
const NEAR = 8;

export class NetworkBonds {
  private readonly handles: Handles;

  constructor(
    private readonly editor: NetworkEditor,
    private readonly questions: Questions,
    private readonly adding: Adding,
  ) {
    this.handles = new Handles(editor.pane.surface);
  }

  hide(): void {
    this.handles.hide();
  }

  /** Show where a bond would begin, or nothing. */
  hover(item: Item | null, at: Point): void {
    const start = this.startAt(item, at);
    const near = start ?? (item instanceof Symbol && isOwn(item) ? item : null);
    this.editor.pane.surface.window.classList.toggle("at-rim", start !== null);
    if (near && !(near instanceof Port)) this.handles.show(near, at, start !== null);
    else this.handles.hide();
  }

  /** A bond that begins here, if one does. */
  grasp(item: Item | null, at: Point): Drag | null {
    const from = this.startAt(item, at);
    return from && this.drag(from);
  }

  /** A port, or the symbol at whose rim the pointer is. */
  private startAt(item: Item | null, at: Point): Item | null {
    if (item instanceof Port) return item;
    const rims = this.editor.own.filter((own) => own instanceof Symbol);
    return this.handles.at(at, rims);
  }

  private drag(item: Item): Drag {
    const { editor } = this;
    const { surface, overlay } = editor.pane;
    const name = editor.local(item);
    const label = editor.labelOf(item);
    let targets: Bondable | null = null;
    this.questions.bondable(editor.network, name).then(
      (found) => (targets = found),
      () => (targets = new Map()),
    );
    const objection = (target: Target) => {
      const judged = targets?.get(target.name);
      return judged ? (judged.may ? "" : judged.why || "they cannot be bonded") : null;
    };
    return new BondDrag(surface, overlay, {
      from: { name, label, at: item.centre, inward: false },
      targetAt: (p, event) => this.targetAt(p, event, item),
      objection,
      note: (target) => targets?.get(target.name)?.note ?? "",
      connect: (target) => {
        const why = objection(target);
        if (why) editor.studio.announce(why);
        if (target.name !== name) void editor.does.connect(name, target.name, item);
      },
      free: (p, screen) => void this.adding.follow(name, label, p, screen),
    });
  }

  private targetAt(p: Point, event: PointerEvent, from: Item | null): Target | null {
    const { editor } = this;
    const { surface } = editor.pane;
    if (!isOver(surface, event)) return elsewhere(editor.studio, event.clientX, event.clientY);
    const found = ownAt(editor.drawing?.items ?? [], p, NEAR / surface.view.scale);
    if (!found || found === from) return null;
    return { name: editor.local(found), label: editor.labelOf(found), bounds: found.bounds };
  }
}
