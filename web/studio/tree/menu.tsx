// What can be done at a row of the tree: its menu, by the other mouse button or by the keyboard.
import { Entries, type MenuEntry } from "../panes/menu";
import { pin, pinned, unpin } from "./pinned";
import type { Row } from "./rows";
import { type TreeState, valueText } from "./state";

/** The world: it is always there, under this name, and has nothing but frames. */
const GROUND = "ground";

/** Commands by name, which the window carries out. */
export interface TreeActions {
  do(command: string): void;
  /** Add something to a section. */
  add(section: string): void;
  /** Add a frame to a body, or to the ground; without a name it is asked for. */
  frame(body?: string): void;
}

export function entriesOf(row: Row, state: TreeState, actions: TreeActions): MenuEntry[] {
  const isFixed = !state.canWrite;
  const entry = (name: string, label: string, keys: string | undefined, act: () => void) => ({
    name,
    label,
    keys,
    isDisabled: isFixed && name !== "copy" && name !== "reveal" && name !== "pin",
    act,
  });
  const { item } = row;
  const section = item?.path[0] ?? row.key;
  const command = (name: string, label: string, keys?: string) =>
    entry(name, label, keys, () => actions.do(name));
  const add = entry("add-here", `Add to ${section.replaceAll("_", " ")}…`, undefined, () =>
    actions.add(section),
  );
  const frame = (body?: string) =>
    entry("frame", "Add a frame…", undefined, () => actions.frame(body));
  const paste = command("paste", "Paste", "Ctrl+V");
  const looks = [
    command("inspect", "Its fields", "Alt+Enter"),
    command("reveal", "Reveal", "Ctrl+E"),
  ];
  if (item?.name === GROUND) return [frame(GROUND), ...looks];
  if (!item)
    return section === GROUND
      ? [frame(GROUND)]
      : section === "bodies"
        ? [add, frame(), paste]
        : [add, paste];
  const found = [entry("rename", "Rename", "F2", () => void state.edit(row.key, "name"))];
  if (valueText(item, state.studio) !== null)
    found.unshift(
      entry("value", "Change its value", "Enter", () => void state.edit(row.key, "value")),
    );
  found.push(
    command("duplicate", "Duplicate", "Ctrl+D"),
    command("copy", "Copy", "Ctrl+C"),
    command("cut", "Cut", "Ctrl+X"),
    paste,
    command("remove", "Remove", "Delete"),
    section === GROUND ? frame(GROUND) : add,
  );
  if (section === "bodies" && row.level === 2) found.push(frame(item.name));
  if (item.number) {
    const { number } = item;
    const isPinned = pinned.peek().has(number.key);
    found.push(
      entry("pin", isPinned ? "Take the slider away" : "Make a slider of it", "P", () =>
        isPinned ? unpin(number.key) : pin(number),
      ),
    );
  }
  return [...found, ...looks];
}

interface Props {
  state: TreeState;
  actions: TreeActions;
  back(): void;
}

export function RowMenu({ state, actions, back }: Props) {
  const open = state.menu.value;
  const row = open && state.rows.value.find((r) => r.key === open.key);
  if (!open || !row) return null;
  const leave = (focus: boolean) => {
    state.menu.value = null;
    if (focus) back();
  };
  const place = (element: HTMLElement | null) => {
    if (!element) return;
    const list = element.firstElementChild as HTMLElement;
    const { innerWidth: width, innerHeight: height } = window;
    element.style.left = `${Math.max(4, Math.min(open.x, width - list.offsetWidth - 8))}px`;
    element.style.top = `${Math.max(4, Math.min(open.y, height - list.offsetHeight - 8))}px`;
  };
  return (
    <div class="row-menu" ref={place}>
      <Entries
        label={row.item?.name ?? row.label}
        entries={entriesOf(row, state, actions)}
        leave={leave}
      />
    </div>
  );
}
