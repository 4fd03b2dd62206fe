// The name of the file in the bar at the top, with what can be done with files below it.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { COMMANDS } from "../commands";
import type { Doing } from "./doing";
import { keysShown } from "./shown";

const ENTRIES = ["open", "new", "save", "save.as"].map((name) =>
  COMMANDS.find((command) => command.name === name)!,
);

interface MenuProps {
  name: string;
  doing: Doing;
}

export function FileMenu({ name, doing }: MenuProps) {
  const isOpen = useSignal(false);
  const place = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen.value) return;
    const away = (event: Event) => {
      if (!place.current!.contains(event.target as Node)) isOpen.value = false;
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [isOpen.value]);
  const leave = () => {
    isOpen.value = false;
    button.current!.focus();
  };
  return (
    <span ref={place} class="file-menu">
      <button
        ref={button}
        type="button"
        class="file-name"
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        title={`${name}: open, new, save`}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        <span>{name}</span>
        <span aria-hidden="true">▾</span>
      </button>
      {isOpen.value && <Entries doing={doing} leave={leave} />}
    </span>
  );
}

function Entries({ doing, leave }: { doing: Doing; leave: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  const entries = () => [...list.current!.querySelectorAll<HTMLElement>("[role=menuitem]")];
  useEffect(() => entries()[0]?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") leave();
    else if (step) {
      const all = entries();
      const at = all.indexOf(document.activeElement as HTMLElement);
      all[(at + step + all.length) % all.length].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const does = (name: string) => {
    leave();
    doing.do(name);
  };
  return (
    <div ref={list} class="entries" role="menu" aria-label="File" onKeyDown={onKeyDown}>
      {ENTRIES.map(({ name, title, keys, when }) => (
        <button
          key={name}
          type="button"
          role="menuitem"
          tabindex={-1}
          aria-disabled={!doing.can(when)}
          data-entry={name}
          onClick={() => does(name)}
        >
          <span>{title}</span>
          {keys[0] && <kbd>{keysShown(keys[0])}</kbd>}
        </button>
      ))}
    </div>
  );
}
