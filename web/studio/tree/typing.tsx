// A name or a value that is typed where it stands: Enter takes it, Escape leaves it as it was.
import { useEffect, useRef } from "preact/hooks";
import type { OutlineItem } from "../protocol";
import type { TreeState, Typing } from "./state";

interface Props {
  state: TreeState;
  item: OutlineItem;
  typing: Typing;
  /** The row gets the focus back. */
  back(): void;
}

export function TypedHere({ state, item, typing, back }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    field.current!.focus();
    field.current!.select();
  }, []);
  const take = (text: string) => {
    if (isOver.current) return;
    isOver.current = true;
    void state.typed(item, typing, text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Enter") {
      take(event.currentTarget instanceof HTMLInputElement ? event.currentTarget.value : "");
      back();
    } else if (event.key === "Escape") {
      isOver.current = true;
      state.typing.value = null;
      back();
    } else return;
    event.preventDefault();
  };
  return (
    <input
      ref={field}
      type="text"
      class={`typed ${typing.what}`}
      spellcheck={false}
      aria-label={typing.what === "name" ? `New name of ${item.name}` : `Value of ${item.name}`}
      defaultValue={typing.text}
      onKeyDown={onKeyDown}
      onClick={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
      onBlur={(event) => take(event.currentTarget.value)}
    />
  );
}
