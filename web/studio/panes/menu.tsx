// A menu of entries: arrows walk, Enter does, Escape leaves; the focus goes back to where it was.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { keysShown } from "./shown";

export interface MenuEntry {
  /** Names it for tests and scripts. */
  readonly name: string;
  readonly label: string;
  readonly keys?: string;
  readonly isDisabled?: boolean;
  act(): void;
}

interface EntriesProps {
  label: string;
  entries: readonly MenuEntry[];
  /** The menu is left; the focus goes back if `focus`. */
  leave(focus: boolean): void;
}

/** The list itself, where its parent puts it. */
export function Entries({ label, entries, leave }: EntriesProps) {
  const list = useRef<HTMLDivElement>(null);
  const all = () => [...list.current!.querySelectorAll<HTMLElement>("[role=menuitem]")];
  useEffect(() => all()[0]?.focus(), []);
  useEffect(() => {
    const away = (event: Event) => {
      if (!list.current?.parentElement?.contains(event.target as Node)) leave(false);
    };
    document.addEventListener("pointerdown", away, { capture: true });
    return () => document.removeEventListener("pointerdown", away, { capture: true });
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const items = all();
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = {
      ArrowDown: (at + 1) % items.length,
      ArrowUp: (at - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    }[event.key];
    if (event.key === "Escape" || event.key === "Tab") leave(true);
    else if (to !== undefined) items[to]?.focus();
    else {
      if (event.key.length === 1) event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={list} class="entries" role="menu" aria-label={label} onKeyDown={onKeyDown}>
      {entries.map(({ name, label: words, keys, isDisabled, act }) => (
        <button
          key={name}
          type="button"
          role="menuitem"
          tabindex={-1}
          aria-disabled={isDisabled ?? false}
          data-entry={name}
          onClick={() => {
            if (isDisabled) return;
            leave(true);
            act();
          }}
        >
          <span>{words}</span>
          {keys && <kbd>{keysShown(keys)}</kbd>}
        </button>
      ))}
    </div>
  );
}

interface MenuButtonProps {
  label: string;
  /** Of the button, for assistive technology and on hover. */
  title: string;
  class: string;
  isDisabled?: boolean;
  /** What is in it, when it opens. */
  entries(): readonly MenuEntry[] | Promise<readonly MenuEntry[]>;
  children: ComponentChildren;
}

/** A button that opens a menu below it. */
export function MenuButton(props: MenuButtonProps) {
  const open = useSignal<readonly MenuEntry[] | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const leave = (focus: boolean) => {
    open.value = null;
    if (focus) button.current!.focus();
  };
  const flip = async () => {
    if (open.value) leave(true);
    else open.value = await props.entries();
  };
  return (
    <span class="menu-place">
      <button
        ref={button}
        type="button"
        class={props.class}
        aria-haspopup="menu"
        aria-expanded={open.value !== null}
        disabled={props.isDisabled}
        title={props.title}
        aria-label={props.label}
        onClick={() => void flip()}
      >
        {props.children}
      </button>
      {open.value && <Entries label={props.label} entries={open.value} leave={leave} />}
    </span>
  );
}
