// Names, units and functions that may follow what is typed into a field.
import { useRef, useState } from "preact/hooks";
import type { Studio } from "../studio";

export interface Completion {
  label: string;
  type: string;
  detail: string;
  apply: string;
}

/** Milliseconds from the last key to the question. */
const PAUSE = 120;
const MOST = 8;

export interface Completing {
  readonly from: number;
  readonly options: readonly Completion[];
  readonly active: number;
  ask(text: string, at: number): void;
  close(): void;
  /** Whether a key belongs to the list. */
  press(event: KeyboardEvent, take: (option: Completion) => void): boolean;
  attributes(id: string): Record<string, string | boolean | undefined>;
}

interface Open {
  from: number;
  options: Completion[];
  active: number;
}

const CLOSED: Open = { from: 0, options: [], active: -1 };

export function useCompletion(
  studio: Studio,
  path: string[],
  names: readonly string[],
): Completing {
  const [open, setOpen] = useState<Open>(CLOSED);
  const timer = useRef(0);
  const number = useRef(0);
  const close = () => {
    clearTimeout(timer.current);
    number.current++;
    if (open.options.length > 0) setOpen(CLOSED);
  };
  const ask = (text: string, at: number) => {
    clearTimeout(timer.current);
    const own = ++number.current;
    timer.current = window.setTimeout(async () => {
      const answer = await offered(studio, path, text, at, names);
      if (own === number.current) setOpen(answer);
    }, PAUSE);
  };
  const press = (event: KeyboardEvent, take: (option: Completion) => void): boolean => {
    const { options, active } = open;
    if (options.length === 0) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      setOpen({ ...open, active: (active + step + options.length) % options.length });
    } else if ((event.key === "Enter" || event.key === "Tab") && active >= 0) {
      take(options[active]);
    } else if (event.key === "Escape") close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const attributes = (id: string) => ({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": open.options.length > 0,
    "aria-controls": `${id}-list`,
    "aria-activedescendant": open.active >= 0 ? `${id}-option-${open.active}` : undefined,
  });
  return { ...open, ask, close, press, attributes };
}

async function offered(
  studio: Studio,
  path: string[],
  text: string,
  at: number,
  names: readonly string[],
): Promise<Open> {
  const word = /[\w.°µ%]*$/.exec(text.slice(0, at))?.[0] ?? "";
  if (word === "" || /^[\d.]+$/.test(word)) return CLOSED;
  try {
    const answer = await studio.connection.ask<{ from: number; options: Completion[] }>(
      "complete_field",
      { path, text, at },
    );
    const own = names.map((name) => ({ label: name, type: "name", detail: "", apply: name }));
    const known = new Set(own.map(({ label }) => label));
    const all = [...own, ...answer.options.filter(({ label }) => !known.has(label))];
    const typed = text.slice(answer.from, at);
    const options = fitting(all, typed);
    const isDone = options.length === 1 && options[0].label === typed;
    return isDone ? CLOSED : { from: answer.from, options, active: -1 };
  } catch {
    return CLOSED;
  }
}

/** Options that begin with what is typed, then those that hold it. */
export function fitting(options: readonly Completion[], typed: string): Completion[] {
  const word = typed.toLowerCase();
  const at = (option: Completion) => option.label.toLowerCase().indexOf(word);
  const found = options.filter((option) => at(option) >= 0);
  found.sort((a, b) => Number(at(a) > 0) - Number(at(b) > 0));
  return found.slice(0, MOST);
}

/** The text with an option in place of the word before the caret, and where the caret is then. */
export function completed(
  text: string,
  from: number,
  input: HTMLInputElement | null,
  option: Completion,
): [string, number] {
  const at = input?.selectionStart ?? text.length;
  const next = text.slice(0, from) + option.apply + text.slice(at);
  return [next, from + option.apply.length];
}

interface ListProps {
  id: string;
  completion: Completing;
  take: (option: Completion) => void;
}

export function CompletionList({ id, completion, take }: ListProps) {
  const { options, active } = completion;
  return (
    <ul
      class="completions"
      id={`${id}-list`}
      role="listbox"
      aria-label="What may be meant"
      hidden={options.length === 0}
    >
      {options.map((option, k) => (
        <li
          key={option.label}
          id={`${id}-option-${k}`}
          role="option"
          aria-selected={k === active}
          onMouseDown={(event) => {
            event.preventDefault();
            take(option);
          }}
        >
          <span>{option.label}</span>
          <span class="muted">{option.detail || option.type}</span>
        </li>
      ))}
    </ul>
  );
}
