// A field on the canvas, upon the text that it changes: Enter writes it, Escape leaves it as it was.
import { h } from "../../../src/ui/dom";
import type { Surface } from "../canvas/surface";
import type { Point } from "../data";

export interface Written {
  /** What is changed, for who cannot see it. */
  label: string;
  text: string;
  /** The middle of the text in the drawing. */
  at: Point;
  /** Whether nothing is there yet: the text as it is given is taken too. */
  isNew?: boolean;
  /** Whether it was taken; otherwise the field stays. */
  write(text: string): Promise<boolean>;
}

const LETTER = 8;

export class InPlace {
  readonly element = h("input", {
    type: "text",
    class: "in-place",
    hidden: true,
    autocomplete: "off",
    spellcheck: "false",
  });
  private now: Written | null = null;
  private isWriting = false;

  constructor(private readonly surface: Surface) {
    this.element.addEventListener("keydown", (event) => this.press(event));
    this.element.addEventListener("input", () => this.widen());
    this.element.addEventListener("blur", () => void this.done(false));
    this.element.addEventListener("pointerdown", (event) => event.stopPropagation());
    surface.onView.push(() => {
      if (this.now) this.move(this.at);
    });
  }

  get isOpen(): boolean {
    return this.now !== null;
  }

  open(written: Written): void {
    this.now = written;
    const { element } = this;
    element.value = written.text;
    element.setAttribute("aria-label", written.label);
    element.title = written.label;
    element.hidden = false;
    this.move(written.at);
    this.widen();
    element.focus({ preventScroll: true });
    element.select();
  }

  /** Stand at a place of the drawing, however that is seen. */
  move(at: Point): void {
    this.at = at;
    const [x, y] = this.surface.view.toScreen(at);
    this.element.style.left = `${this.surface.window.offsetLeft + x}px`;
    this.element.style.top = `${y}px`;
  }
  private at: Point = [0, 0];

  private back(): void {
    this.surface.element.focus({ preventScroll: true });
  }

  close(): void {
    this.now = null;
    this.element.hidden = true;
  }

  private widen(): void {
    const letters = Math.max(6, this.element.value.length + 2);
    this.element.style.width = `${LETTER * letters}px`;
  }

  private press(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "Escape") {
      this.close();
      this.back();
    } else if (event.key === "Enter") void this.done(true);
    else return;
    event.preventDefault();
  }

  /** Write what changed; `stays` at the canvas then. */
  private async done(stays: boolean): Promise<void> {
    const { now, element } = this;
    if (!now || this.isWriting) return;
    const text = element.value.trim();
    this.isWriting = true;
    const isSame = !text || (text === now.text && !now.isNew) || (now.isNew && !stays);
    const isTaken = isSame || (await now.write(text));
    this.isWriting = false;
    if (this.now !== now) return;
    if (isTaken || !stays) this.close();
    else element.focus();
    if (isTaken && stays) this.back();
  }
}
