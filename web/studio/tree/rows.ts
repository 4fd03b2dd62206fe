// The tree as a list of the rows that are in sight, and where arrows lead.
import type { OutlineData, OutlineItem } from "../protocol";

export interface Row {
  /** Unique in the tree: "bodies", "bodies/crank", "bodies/crank/crank.A". */
  readonly key: string;
  readonly level: number;
  readonly label: string;
  readonly isOpen: boolean;
  readonly canOpen: boolean;
  /** Own faults, and those of what is folded away below. */
  readonly faults: number;
  readonly parent: string | null;
  /** How many brothers it has, and which of them it is. */
  readonly size: number;
  readonly position: number;
  /** Of sections: how many items. */
  readonly count: number | null;
  readonly item: OutlineItem | null;
}

/** Faults of an item and of everything below it. */
export function faultsBelow(item: OutlineItem): number {
  return item.children.reduce((sum, child) => sum + faultsBelow(child), item.faults);
}

/** Rows in sight; `flipped` are keys that differ from what they are at first: sections open, items folded. */
export function rowsOf(outline: OutlineData, flipped: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const add = (items: OutlineItem[], parent: string, level: number) => {
    items.forEach((item, k) => {
      const key = `${parent}/${item.name}`;
      const canOpen = item.children.length > 0;
      const isOpen = canOpen && flipped.has(key);
      rows.push({
        key,
        level,
        label: item.label,
        isOpen,
        canOpen,
        faults: isOpen ? item.faults : faultsBelow(item),
        parent,
        size: items.length,
        position: k + 1,
        count: null,
        item,
      });
      if (isOpen) add(item.children, key, level + 1);
    });
  };
  outline.sections.forEach(({ section, items }, k) => {
    const isOpen = !flipped.has(section);
    rows.push({
      key: section,
      level: 1,
      label: section,
      isOpen,
      canOpen: true,
      faults: isOpen ? 0 : items.reduce((sum, item) => sum + faultsBelow(item), 0),
      parent: null,
      size: outline.sections.length,
      position: k + 1,
      count: items.length,
      item: null,
    });
    if (isOpen) add(items, section, 2);
  });
  return rows;
}

/** What must be unfolded for an element to be in sight, and its row. */
export function wayTo(outline: OutlineData, name: string): string[] | null {
  const search = (items: OutlineItem[], parent: string): string[] | null => {
    for (const item of items) {
      const key = `${parent}/${item.name}`;
      if (item.name === name) return [key];
      const below = search(item.children, key);
      if (below) return [key, ...below];
    }
    return null;
  };
  for (const { section, items } of outline.sections) {
    const way = search(items, section);
    if (way) return [section, ...way];
  }
  return null;
}

export type Move = { to: string } | { flip: string } | null;

/** What an arrow key does at a row. */
export function moved(rows: readonly Row[], current: string, key: string): Move {
  const at = Math.max(
    0,
    rows.findIndex((r) => r.key === current),
  );
  const row = rows[at];
  if (!row) return null;
  const step = (to: number): Move => (rows[to] ? { to: rows[to].key } : null);
  switch (key) {
    case "ArrowDown":
      return step(at + 1);
    case "ArrowUp":
      return step(at - 1);
    case "Home":
      return step(0);
    case "End":
      return step(rows.length - 1);
    case "ArrowRight":
      if (!row.canOpen) return null;
      return row.isOpen ? step(at + 1) : { flip: row.key };
    case "ArrowLeft":
      if (row.isOpen) return { flip: row.key };
      return row.parent === null ? null : { to: row.parent };
    default:
      return null;
  }
}
