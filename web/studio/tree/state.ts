// What the tree itself remembers: what is unfolded, where the focus is, what is being typed.
import { computed, signal } from "@preact/signals";
import type { OutlineItem } from "../protocol";
import type { Studio } from "../studio";
import { type Row, rowsOf, wayTo } from "./rows";

/** A name or a value that is being typed in its place. */
export interface Typing {
  readonly key: string;
  readonly what: "name" | "value";
  readonly text: string;
}

export class TreeState {
  readonly flipped = signal<ReadonlySet<string>>(new Set());
  readonly current = signal("");
  readonly typing = signal<Typing | null>(null);
  /** The row whose menu is open, and where. */
  readonly menu = signal<{ key: string; x: number; y: number } | null>(null);
  readonly rows = computed(() =>
    this.studio.outline.value ? rowsOf(this.studio.outline.value, this.flipped.value) : [],
  );
  /** Where the row with the focus stood last: its place is kept when it goes. */
  private place = 0;

  constructor(readonly studio: Studio) {}

  /** The row with the focus; where it was, if it is gone. */
  get currentKey(): string {
    const rows = this.rows.value;
    const at = rows.findIndex((r) => r.key === this.current.value);
    if (at >= 0) this.place = at;
    return rows[at >= 0 ? at : Math.min(this.place, rows.length - 1)]?.key ?? "";
  }

  flip(key: string): void {
    const now = new Set(this.flipped.value);
    if (!now.delete(key)) now.add(key);
    this.flipped.value = now;
  }

  /** Unfold what hides an element; returns the key of its row. */
  unfold(name: string): string | null {
    const outline = this.studio.outline.peek();
    const way = outline && wayTo(outline, name);
    if (!way) return null;
    const now = new Set(this.flipped.peek());
    now.delete(way[0]);
    for (const key of way.slice(1, -1)) now.add(key);
    this.flipped.value = now;
    return way[way.length - 1];
  }

  choose(row: Row, adding: boolean): void {
    this.current.value = row.key;
    const name = row.item?.name;
    if (name === undefined) return;
    const now = new Set(adding ? this.studio.selection.value : []);
    if (!adding || !now.delete(name)) now.add(name);
    this.studio.select(now);
  }

  get canWrite(): boolean {
    const document = this.studio.document.peek();
    return this.studio.connected.peek() && document !== null && !document.readOnly;
  }

  /** Begin to type another name, or another value, in the row itself; false if that cannot be. */
  edit(key: string, what: Typing["what"]): boolean {
    const item = this.rows.peek().find((r) => r.key === key)?.item;
    if (!item || !this.canWrite) return false;
    const text = what === "name" ? item.label : valueText(item, this.studio);
    if (text === null) return false;
    this.current.value = key;
    this.typing.value = { key, what, text };
    return true;
  }

  /** What was typed is taken; nothing is done if it is what was there. */
  async typed(item: OutlineItem, { what, text: before }: Typing, typed: string): Promise<void> {
    this.typing.value = null;
    const text = typed.trim();
    if (text === before || text === "") return;
    if (what === "value") await this.studio.do("element.type", { path: item.path, text });
    else await this.studio.do("element.rename", { name: item.name, new: text });
  }
}

/** Sections whose entries are one value, and keys of elements that are. */
const VALUES = ["parameters", "outputs", "speeds"];

/** A value as it is written in the file, if it stands on one line and is all there is to the item. */
export function valueText(item: OutlineItem, studio: Studio): string | null {
  const isValue = VALUES.includes(item.path[0]) || item.path[item.path.length - 2] === "frames";
  if (!isValue) return null;
  const entry = (studio.document.peek()?.text ?? "").slice(...item.span);
  const text = entry.replace(/^("(?:[^"\\]|\\.)*"|'[^']*'|[^:]*):\s*/, "");
  return text.includes("\n") || text === entry ? null : text.trim();
}
