// The model as a tree: sections, elements, parameters with their values and sliders.
import { computed, effect, signal, useComputed } from "@preact/signals";
import { render } from "preact";
import { useRef } from "preact/hooks";
import { h } from "../../src/ui/dom";
import { Sign } from "../panes/sign";
import type { Studio, View } from "../studio";
import { Pin } from "./pin";
import { pin, pinned, unpin } from "./pinned";
import { moved, type Row, rowsOf, wayTo } from "./rows";

/** What the tree itself remembers: what is unfolded, where the focus is. */
class TreeState {
  readonly flipped = signal<ReadonlySet<string>>(new Set());
  readonly current = signal("");
  readonly rows = computed(() =>
    this.studio.outline.value ? rowsOf(this.studio.outline.value, this.flipped.value) : [],
  );

  constructor(readonly studio: Studio) {}

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
}

export function treeView(studio: Studio): View {
  const state = new TreeState(studio);
  const element = h("div", { class: "tree-view" });
  render(<Tree state={state} />, element);
  const reveal = (names: Iterable<string>) => {
    for (const name of names) {
      const key = state.unfold(name);
      if (!key) continue;
      state.current.value = key;
      requestAnimationFrame(() => rowElement(element, key)?.scrollIntoView({ block: "nearest" }));
      return;
    }
  };
  const stop = effect(() => {
    const names = studio.selection.value;
    if (!element.contains(document.activeElement)) reveal(names);
  });
  return {
    element,
    reveal,
    dispose: () => {
      stop();
      render(null, element);
    },
  };
}

const rowElement = (root: HTMLElement, key: string): HTMLElement | null =>
  root.querySelector(`[data-key="${CSS.escape(key)}"]`);

function Tree({ state }: { state: TreeState }) {
  const { studio } = state;
  const list = useRef<HTMLDivElement>(null);
  const rows = state.rows.value;
  const current = rows.some((r) => r.key === state.current.value)
    ? state.current.value
    : (rows[0]?.key ?? "");

  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows.find((r) => r.key === current);
    if (!row || event.altKey || event.metaKey) return;
    if (!pressed(event, row, state)) return;
    event.preventDefault();
    event.stopPropagation();
    requestAnimationFrame(() => rowElement(list.current!, state.current.value)?.focus());
  };

  if (!studio.outline.value) return <p class="empty">The model is being read…</p>;
  return (
    <div
      ref={list}
      class="tree"
      role="tree"
      aria-label="Model"
      aria-multiselectable="true"
      onKeyDown={onKeyDown}
      onMouseLeave={() => (studio.hovered.value = null)}
    >
      {rows.map((row) => (
        <Item key={row.key} row={row} state={state} isCurrent={row.key === current} />
      ))}
    </div>
  );
}

/** Do what a key means at a row; false if it means nothing. */
function pressed(event: KeyboardEvent, row: Row, state: TreeState): boolean {
  if (event.key === "Enter" || event.key === " ") {
    if (row.item) state.choose(row, event.ctrlKey);
    else state.flip(row.key);
    return true;
  }
  if (event.ctrlKey) return false;
  if (event.key === "p" && row.item?.number) {
    const { number } = row.item;
    if (pinned.peek().has(number.key)) unpin(number.key);
    else pin(number);
    return true;
  }
  const move = moved(state.rows.value, row.key, event.key);
  if (!move) return false;
  if ("flip" in move) state.flip(move.flip);
  else state.current.value = move.to;
  return true;
}

interface ItemProps {
  row: Row;
  state: TreeState;
  isCurrent: boolean;
}

function Item({ row, state, isCurrent }: ItemProps) {
  const { studio } = state;
  const name = row.item?.name ?? "";
  const isSelected = useComputed(() => name !== "" && studio.selection.value.has(name)).value;
  const isHovered = useComputed(() => name !== "" && studio.hovered.value === name).value;
  const classes = [
    "row",
    row.item ? "item" : "section",
    isSelected && "selected",
    isHovered && "hovered",
    row.faults > 0 && "faulty",
  ];
  const fold = (event: Event) => {
    event.stopPropagation();
    state.flip(row.key);
  };
  return (
    <div
      class={classes.filter(Boolean).join(" ")}
      role="treeitem"
      data-key={row.key}
      data-name={name || undefined}
      data-level={row.level}
      aria-level={row.level}
      aria-setsize={row.size}
      aria-posinset={row.position}
      aria-expanded={row.canOpen ? row.isOpen : undefined}
      aria-selected={row.item ? isSelected : undefined}
      tabIndex={isCurrent ? 0 : -1}
      onClick={(event) => {
        if (row.item) state.choose(row, event.ctrlKey || event.metaKey);
        else state.flip(row.key);
      }}
      onFocus={() => (state.current.value = row.key)}
      onMouseEnter={() => (studio.hovered.value = name || null)}
    >
      <span class={row.canOpen ? "twist" : "twist none"} onClick={fold}>
        {row.canOpen && <Sign name="open" />}
      </span>
      <span class="name">{row.item ? row.label : row.label.replaceAll("_", " ")}</span>
      {row.count !== null && <span class="count">{row.count}</span>}
      <About row={row} />
    </div>
  );
}

/** What stands at the right of a row: kind, value, faults, pin. */
function About({ row }: { row: Row }) {
  const { item } = row;
  const plain = item && item.kind !== "parameter" ? item.kind : "";
  return (
    <>
      {item && (
        <span class="about" title={[plain, item.text].filter(Boolean).join(" · ")}>
          {plain && <span class="what">{plain}</span>}
          {item.text && <span class={item.number ? "value" : "text"}>{item.text}</span>}
        </span>
      )}
      {row.faults > 0 && (
        <span class="mark" role="img" aria-label={`${row.faults} faults`}>
          {row.faults > 1 ? row.faults : "!"}
        </span>
      )}
      {item?.number && <Pin number={item.number} make={() => pin(item.number!)} />}
    </>
  );
}
