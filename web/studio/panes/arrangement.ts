// How this window is arranged: panes, side columns, the list of faults; kept for the next time.
import { effect, signal } from "@preact/signals";
import {
  type Layout,
  panesOf,
  type PaneKind,
  PRESETS,
  type Preset,
  read,
  withKind,
} from "./layout";

const KEY = "pliant-studio-arrangement";
/** Windows narrower than this begin without side columns. */
const NARROW = 800;
const WIDTHS = { least: 150, most: 620 };

interface Kept {
  layout?: unknown;
  tree?: unknown;
  inspector?: unknown;
  treeWidth?: unknown;
  inspectorWidth?: unknown;
}

export const clampWidth = (width: number): number =>
  Math.round(Math.min(WIDTHS.most, Math.max(WIDTHS.least, width)));

const widthOf = (kept: unknown, otherwise: number): number =>
  typeof kept === "number" && Number.isFinite(kept) ? clampWidth(kept) : otherwise;

function recalled(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

export class Arrangement {
  readonly layout = signal<Layout>(PRESETS.model);
  /** The pane that commands mean. */
  readonly active = signal(1);
  readonly tree = signal(true);
  readonly inspector = signal(true);
  readonly faults = signal(false);
  readonly palette = signal(false);
  readonly treeWidth = signal(232);
  readonly inspectorWidth = signal(288);

  /** `only`: a window with this one pane, which is not kept. */
  constructor(readonly only: PaneKind | null) {
    if (only) {
      this.layout.value = { id: 1, kind: only };
      return;
    }
    const kept = recalled();
    this.layout.value = read(kept.layout) ?? PRESETS.model;
    this.tree.value = kept.tree !== false;
    this.inspector.value = kept.inspector !== false;
    this.treeWidth.value = widthOf(kept.treeWidth, 232);
    this.inspectorWidth.value = widthOf(kept.inspectorWidth, 288);
    this.active.value = panesOf(this.layout.value)[0].id;
    if (window.innerWidth >= NARROW) effect(() => this.keep());
    else this.tree.value = this.inspector.value = false;
  }

  private keep(): void {
    const kept: Kept = {
      layout: this.layout.value,
      tree: this.tree.value,
      inspector: this.inspector.value,
      treeWidth: this.treeWidth.value,
      inspectorWidth: this.inspectorWidth.value,
    };
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // A browser that keeps nothing: the arrangement lasts as long as the window.
    }
  }

  choose(preset: Preset): void {
    this.layout.value = PRESETS[preset];
    this.active.value = 1;
  }

  /** Make sure that a pane of a kind is there: in place of the active one if need be. */
  ensure(kind: PaneKind): void {
    const panes = panesOf(this.layout.value);
    if (panes.some((p) => p.kind === kind) || this.only) return;
    const id = panes.some((p) => p.id === this.active.value) ? this.active.value : panes[0].id;
    this.layout.value = withKind(this.layout.value, id, kind);
  }
}
