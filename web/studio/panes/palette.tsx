// Find or do: one field for all commands and all elements.
import { signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { h } from "../../src/ui/dom";
import { type Choice, matching } from "../commands";
import type { Studio } from "../studio";
import type { Arrangement } from "./arrangement";
import type { Doing } from "./doing";
import { keysShown } from "./head";

interface Parts {
  studio: Studio;
  doing: Doing;
  arrangement: Arrangement;
  reveal: (names: ReadonlySet<string>) => void;
}

/** Everything that can be chosen: commands that make sense now, then elements of the file. */
export function choicesOf(studio: Studio, doing: Doing): Choice[] {
  const commands = doing.available().map((c): Choice => ({
    kind: "command",
    name: c.name,
    title: c.title,
    text: "",
    keys: c.keys,
  }));
  const elements = [...studio.items.peek().values()].map((item): Choice => ({
    kind: "element",
    name: item.name,
    title: item.name,
    text: [item.kind, item.text].filter(Boolean).join(" · "),
    keys: [],
  }));
  return [...commands.filter((c) => c.name !== "find"), ...elements];
}

export function palette(parts: Parts): HTMLElement {
  const element = h("div", { class: "palette-place" });
  render(<Palette {...parts} />, element);
  return element;
}

const typed = signal("");
const at = signal(0);

function Palette(parts: Parts) {
  return parts.arrangement.palette.value ? <OpenPalette {...parts} /> : null;
}

function OpenPalette({ studio, doing, arrangement, reveal }: Parts) {
  const dialog = useRef<HTMLDialogElement>(null);
  const before = useRef<Element | null>(null);
  const close = () => (arrangement.palette.value = false);
  useEffect(() => {
    before.current = document.activeElement;
    typed.value = "";
    at.value = 0;
    dialog.current!.showModal();
    return () => (before.current as HTMLElement | null)?.focus?.();
  }, []);

  const choices = matching(choicesOf(studio, doing), typed.value);
  const current = Math.min(at.value, Math.max(0, choices.length - 1));
  const take = (choice: Choice | undefined) => {
    close();
    if (!choice) return;
    if (choice.kind === "command") requestAnimationFrame(() => doing.do(choice.name));
    else {
      studio.select([choice.name]);
      reveal(new Set([choice.name]));
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (event.key in steps) {
      const last = choices.length - 1;
      at.value = Math.min(last, Math.max(0, current + steps[event.key]));
    } else if (event.key === "Enter") take(choices[current]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Find or do"
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={choices.length > 0 ? `choice-${current}` : undefined}
        aria-label="Find an element or do something"
        placeholder="Find an element or do something"
        spellcheck={false}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-list" role="listbox" aria-label="Found">
        {choices.map((choice, k) => (
          <Line
            key={`${choice.kind} ${choice.name}`}
            choice={choice}
            index={k}
            isCurrent={k === current}
            take={take}
          />
        ))}
        {choices.length === 0 && <li class="empty">Nothing is called so.</li>}
      </ul>
    </dialog>
  );
}

interface LineProps {
  choice: Choice;
  index: number;
  isCurrent: boolean;
  take: (choice: Choice) => void;
}

function Line({ choice, index, isCurrent, take }: LineProps) {
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent) line.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <li
      ref={line}
      id={`choice-${index}`}
      role="option"
      aria-selected={isCurrent}
      class={choice.kind}
      onClick={() => take(choice)}
    >
      <span class="title">{choice.title}</span>
      <span class="text">{choice.text}</span>
      {choice.keys[0] && <kbd>{keysShown(choice.keys[0])}</kbd>}
    </li>
  );
}
