// One line that is typed into: checked while typing, written when it is left, completed on the way.
import { useEffect, useRef, useState } from "preact/hooks";
import type { FaultData, Fix } from "../protocol";
import type { Studio } from "../studio";
import { Complaints } from "./complaints";
import { type Completion, CompletionList, completed, useCompletion } from "./completion";
import type { Change } from "./form";

/** Milliseconds from the last key to the check. */
const PAUSE = 180;

export interface LineProps {
  studio: Studio;
  id: string;
  label: string;
  value: string;
  placeholder: string;
  path: string[];
  /** Faults of what the file says. */
  faults: readonly FaultData[];
  /** Names that may be meant, besides what the server offers. */
  names?: readonly string[];
  required?: boolean;
  describedBy?: string;
  /** Called when what was typed is in the file. */
  written?: () => void;
  change: (text: string) => Change;
}

export function Line(props: LineProps) {
  const { studio, id, value } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const [found, setFound] = useState<readonly FaultData[] | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  const number = useRef(0);
  const text = draft ?? value;
  const isReadOnly = studio.document.value?.readOnly ?? true;
  const completion = useCompletion(studio, props.path, props.names ?? []);
  const shown = found ?? (draft === null ? props.faults : []);

  const restore = () => {
    clearTimeout(timer.current);
    number.current++;
    setDraft(null);
    setFound(null);
    completion.close();
  };
  // What was written has come back from the file.
  useEffect(restore, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const check = (typed: string) => {
    const own = ++number.current;
    const { operation, arguments: args } = props.change(typed);
    studio.try(operation, args).then(
      ({ faults }) => own === number.current && setFound(faults),
      (error: Error) => own === number.current && setFound([refusal(error.message, props.path)]),
    );
  };
  const type = (typed: string) => {
    setDraft(typed);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => check(typed), PAUSE);
    completion.ask(typed, input.current?.selectionStart ?? typed.length);
  };
  const write = async () => {
    clearTimeout(timer.current);
    completion.close();
    if (draft === null) return;
    if (draft.trim() === value.trim()) return restore();
    const own = ++number.current;
    const { operation, arguments: args } = props.change(draft);
    try {
      await studio.try(operation, args);
    } catch (error) {
      if (own === number.current) setFound([refusal((error as Error).message, props.path)]);
      return;
    }
    if (own !== number.current) return;
    if ((await studio.do(operation, args)) === null) return;
    props.written?.();
    if (own === number.current) setFound(null);
    window.setTimeout(() => own === number.current && restore(), 1500);
  };
  const take = (option: Completion) => {
    const [next, caret] = completed(text, completion.from, input.current, option);
    type(next);
    completion.close();
    requestAnimationFrame(() => input.current?.setSelectionRange(caret, caret));
  };
  const fix = async (own: Fix) => {
    if (draft !== null) await write();
    await studio.do(own.operation, own.arguments);
  };
  const press = (event: KeyboardEvent) => {
    if (completion.press(event, take)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      void write();
    } else if (event.key === "Escape" && draft !== null) {
      event.preventDefault();
      event.stopPropagation();
      restore();
    }
  };
  return (
    <span class={`line${shown.length > 0 ? " bad" : ""}${draft !== null ? " typed" : ""}`}>
      <input
        ref={input}
        id={id}
        type="text"
        spellcheck={false}
        autocomplete="off"
        readOnly={isReadOnly}
        value={text}
        placeholder={props.placeholder}
        aria-label={props.label}
        aria-required={props.required}
        aria-invalid={shown.length > 0}
        aria-describedby={
          [shown.length > 0 && `${id}-faults`, props.describedBy].filter(Boolean).join(" ") ||
          undefined
        }
        {...completion.attributes(id)}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={press}
        onBlur={() => void write()}
      />
      <CompletionList id={id} completion={completion} take={take} />
      <Complaints id={`${id}-faults`} faults={shown} fix={fix} />
    </span>
  );
}

/** An operation that cannot be done, as a fault of the field. */
function refusal(what: string, path: string[]): FaultData {
  return { element: "", name: "", path, span: [0, 0], what, cure: "", fixes: [] };
}
