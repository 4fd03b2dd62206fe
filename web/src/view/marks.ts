// What is drawn between bodies, of few shapes: steel that lights up, and rubber.
import {
  type BufferGeometry,
  Color,
  type Matrix4,
  MeshStandardMaterial,
  type Object3D,
} from "three";
import { Instances, type Slot } from "./instances";
import type { Named } from "./picking";
import type { Theme } from "./theme";

/** Colours of the theme that marks have. */
export type Ink = "steel" | "ground" | "force";

/** One mark; it is put somewhere again and again. */
export class Mark {
  slot: Slot | null = null;

  constructor(
    readonly named: Named,
    readonly ink: Ink,
  ) {}

  put(matrix: Matrix4): void {
    this.slot!.put(matrix);
  }

  hide(): void {
    this.slot!.hide();
  }
}

export class Marks {
  private readonly shared = new Instances();
  private readonly made: Mark[] = [];
  private readonly steel = new MeshStandardMaterial({ roughness: 0.38, metalness: 0.45 });
  private readonly rubber = new MeshStandardMaterial({ transparent: true, opacity: 0.55 });
  private readonly shade = new Color();
  private theme: Theme | null = null;
  private lit: ReadonlySet<string> = new Set();
  private hovered: string | null = null;

  get object(): Object3D {
    return this.shared.object;
  }

  get solids(): Object3D[] {
    return this.shared.meshes;
  }

  add(
    key: string,
    shape: () => BufferGeometry,
    named: Named,
    ink: Ink = "steel",
    isRubber = false,
  ): Mark {
    const mark = new Mark(named, ink);
    const material = isRubber ? this.rubber : this.steel;
    this.shared.want(key, shape, material, named, (slot) => (mark.slot = slot));
    this.made.push(mark);
    return mark;
  }

  build(): void {
    this.shared.build();
  }

  moved(): void {
    this.shared.moved();
  }

  /** Light up the marks of some elements. */
  highlight(names: ReadonlySet<string>, hovered: string | null): void {
    this.lit = names;
    this.hovered = hovered;
    const { theme, shade } = this;
    if (!theme) return;
    for (const { named, ink, slot } of this.made) {
      const isLit = names.has(named.element) || named.element === hovered;
      slot!.paint(isLit ? shade.copy(theme.highlight) : theme[ink]);
    }
    this.shared.painted();
  }

  paint(theme: Theme): void {
    this.theme = theme;
    this.highlight(this.lit, this.hovered);
  }
}
