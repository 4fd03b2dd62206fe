// The model as a tree: sections, elements, parameters with their values and sliders.
import { effect, useComputed } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { h } from "../../src/ui/dom";
import { Sign } from "../panes/sign";
import type { Studio, View } from "../studio";
import { RowMenu, type TreeActions } from "./menu";
import { Pin } from "./pin";
import { pin, pinned, unpin } from "./pinned";
import { moved, type Row } from "./rows";
import { TreeState } from "./state";
import { TypedHere } from "./typing";

const UNREADABLE = "The text cannot be read: its fault says why.";

export interface TreeView extends View {
  /** Begin to type another name of an element in its row; false if it has none. */
  rename(name: string): boolean;
  /** Give the focus to the row of what is selected, else to the one that had it. */
  focus(): void;
}

export function treeView(studio: Studio, actions: TreeActions): TreeView {
  const state = new TreeState(studio);
  const element = h("div", { class: "tree-view" });
  render(<Tree state={state} actions={actions} />, element);
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
    rename: (name) => {
      const key = state.unfold(name);
      return key !== null && state.edit(key, "name");
    },
    focus: () => {
      reveal(studio.selection.peek());
      requestAnimationFrame(() => rowElement(element, state.currentKey)?.focus());
    },
    dispose: () => {
      stop();
      render(null, element);
    },
  };
}

const rowElement = (root: HTMLElement, key: string): HTMLElement | null =>
  root.querySelector(`[data-key="${CSS.escape(key)}"]`);

interface TreeProps {
  state: TreeState;
  actions: TreeActions;
}

function Tree({ state, actions }: TreeProps) {
  const { studio } = state;
  const list = useRef<HTMLDivElement>(null);
  const rows = state.rows.value;
  const current = state.currentKey;
  const back = () =>
    requestAnimationFrame(() => rowElement(list.current!, state.currentKey)?.focus());
  useKeptFocus(list, state);

  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows.find((r) => r.key === current);
    if (!row || event.altKey || event.metaKey || event.target instanceof HTMLInputElement) return;
    if (!pressed(event, row, state)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!state.typing.peek() && !state.menu.peek()) back();
  };

  if (!studio.outline.value) {
    const isEmpty = studio.document.value?.text.trim() === "";
    const isBad = studio.faults.value.unreadable;
    const why = isEmpty ? "Nothing is here yet." : isBad ? UNREADABLE : "The model is being read…";
    return <p class="empty">{why}</p>;
  }
  if (rows.length === 0) return <Nothing actions={actions} canAdd={state.canWrite} />;
  return (
    <>
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
          <Item
            key={row.key}
            row={row}
            state={state}
            actions={actions}
            back={back}
            isCurrent={row.key === current}
          />
        ))}
      </div>
      <RowMenu state={state} actions={actions} back={back} />
    </>
  );
}

function Nothing({ actions, canAdd }: { actions: TreeActions; canAdd: boolean }) {
  return (
    <p class="empty">
      Nothing is here yet.{" "}
      {canAdd && (
        <button type="button" class="link" onClick={() => actions.do("add")}>
          Add something (A)
        </button>
      )}
    </p>
  );
}

/** The focus stays in the tree when the row that had it goes. */
function useKeptFocus(list: { current: HTMLElement | null }, state: TreeState): void {
  const had = useRef(false);
  useEffect(() => {
    const element = list.current;
    const isLost = document.activeElement === document.body || document.activeElement === null;
    if (had.current && isLost && element) rowElement(element, state.currentKey)?.focus();
    had.current = element?.contains(document.activeElement) ?? false;
  });
  useEffect(() => {
    const note = () => (had.current = list.current?.contains(document.activeElement) ?? false);
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
}

/** Do what a key means at a row; false if it means nothing. */
function pressed(event: KeyboardEvent, row: Row, state: TreeState): boolean {
  if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
    openMenu(state, row, event.target as HTMLElement);
    return true;
  }
  if (
    event.key === "Enter" &&
    !event.ctrlKey &&
    row.item &&
    state.studio.selection.peek().has(row.item.name)
  )
    if (state.edit(row.key, "value")) return true;
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

/** The menu of a row, below it. */
function openMenu(state: TreeState, row: Row, element: HTMLElement): void {
  const { left, bottom } = element.getBoundingClientRect();
  if (row.item && !state.studio.selection.peek().has(row.item.name)) state.choose(row, false);
  state.menu.value = { key: row.key, x: left + 24, y: bottom };
}

interface ItemProps {
  row: Row;
  state: TreeState;
  actions: TreeActions;
  back(): void;
  isCurrent: boolean;
}

function Item({ row, state, actions, back, isCurrent }: ItemProps) {
  const { studio } = state;
  const typing = useComputed(() =>
    state.typing.value?.key === row.key ? state.typing.value : null,
  ).value;
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
      onContextMenu={(event) => {
        event.preventDefault();
        if (row.item && !isSelected) state.choose(row, false);
        state.current.value = row.key;
        state.menu.value = { key: row.key, x: event.clientX, y: event.clientY };
      }}
      onFocus={() => (state.current.value = row.key)}
      onMouseEnter={() => (studio.hovered.value = name || null)}
    >
      <span class={row.canOpen ? "twist" : "twist none"} onClick={row.canOpen ? fold : undefined}>
        {row.canOpen && <Sign name="open" />}
      </span>
      {typing?.what === "name" ? (
        <TypedHere state={state} item={row.item!} typing={typing} back={back} />
      ) : (
        <span class="name">{row.item ? row.label : row.label.replaceAll("_", " ")}</span>
      )}
      {row.count !== null && <span class="count">{row.count}</span>}
      {typing?.what === "value" ? (
        <TypedHere state={state} item={row.item!} typing={typing} back={back} />
      ) : (
        <About row={row} />
      )}
      {!row.item && (
        <button
          type="button"
          class="quiet add"
          tabIndex={-1}
          title={`Add to ${row.label.replaceAll("_", " ")}`}
          aria-label={`Add to ${row.label.replaceAll("_", " ")}`}
          onClick={(event) => {
            event.stopPropagation();
            actions.add(row.key);
          }}
        >
          <Sign name="add" />
        </button>
      )}
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
