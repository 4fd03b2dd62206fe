// The button that makes a slider of a number.
import { useComputed } from "@preact/signals";
import { Sign } from "../panes/sign";
import type { NumberData } from "../protocol";
import { pinned, unpin } from "./pinned";

interface Props {
  number: NumberData;
  /** Make the slider. */
  make: () => void;
}

export function Pin({ number, make }: Props) {
  const isPinned = useComputed(() => pinned.value.has(number.key)).value;
  return (
    <button
      type="button"
      class="quiet pin"
      tabIndex={-1}
      data-pin={number.key}
      title={isPinned ? "Take the slider away" : "Make a slider of it"}
      aria-label={`Slider of ${number.key}`}
      aria-pressed={isPinned ? "true" : "false"}
      onClick={(event) => {
        event.stopPropagation();
        if (isPinned) unpin(number.key);
        else make();
      }}
    >
      <Sign name="pin" />
    </button>
  );
}
