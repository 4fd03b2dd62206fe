// A field and a list that typing narrows: arrows walk, Enter takes.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Choice, matching } from "../commands";
import { keysShown } from "./shown";

interface ChoosingProps {
  /** What is chosen, in words: name of the dialog and of its field. */
  label: string;
  placeholder: string;
  /** Said when nothing fits. */
  nothing: string;
  choices: readonly Choice[];
  /** What the typed text itself stands for, beside the choices. */
  free?(typed: string): Choice | null;
  /** What stands in the field at first. */
  initial?: string;
  take(choice: Choice): void;
  close(): void;
  children?: ComponentChildren;
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

export function Choosing(props: ChoosingProps) {
  const { label, placeholder, nothing, take, close, children } = props;
  const dialog = useModal();
  const typed = useSignal(props.initial ?? "");
  const at = useSignal(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current!.select(), []);
  const own = typed.value.trim() ? props.free?.(typed.value.trim()) : null;
  const found = matching(props.choices, typed.value);
  const isTitle = found[0]?.title === typed.value.trim();
  const choices = own ? (isTitle ? [...found, own] : [own, ...found]) : found;
  const current = Math.min(at.value, Math.max(0, choices.length - 1));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key in STEPS) {
      const last = Math.max(0, choices.length - 1);
      at.value = Math.min(last, Math.max(0, current + STEPS[event.key]));
    } else if (event.key === "Enter" && choices[current]) take(choices[current]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={label}
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={choices.length > 0 ? `choice-${current}` : undefined}
        aria-label={label}
        placeholder={placeholder}
        spellcheck={false}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      {children}
      <ul id="palette-list" role="listbox" aria-label="Found">
        {choices.map((choice, k) => (
          <Line
            key={`${choice.kind} ${choice.name} ${k}`}
            choice={choice}
            index={k}
            isCurrent={k === current}
            take={take}
          />
        ))}
        {choices.length === 0 && <li class="empty">{nothing}</li>}
      </ul>
    </dialog>
  );
}

/** A dialog before everything else; when it goes, the focus is where it was. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current!.showModal();
    return () => (before as HTMLElement | null)?.focus?.();
  }, []);
  return dialog;
}

interface LineProps {
  choice: Choice;
  index: number;
  isCurrent: boolean;
  take(choice: Choice): void;
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
