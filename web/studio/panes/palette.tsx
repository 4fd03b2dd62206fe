// Find or do: one field for all commands and all elements.
import { render } from "preact";
import { h } from "../../src/ui/dom";
import type { Choice } from "../commands";
import type { Studio } from "../studio";
import type { Arrangement } from "./arrangement";
import { Choosing } from "./choosing";
import type { Doing } from "./doing";

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
  const elements = [...studio.items.value.values()].map((item): Choice => ({
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

function Palette({ studio, doing, arrangement, reveal }: Parts) {
  if (!arrangement.palette.value) return null;
  const close = () => (arrangement.palette.value = false);
  const take = (choice: Choice) => {
    close();
    if (choice.kind === "command") requestAnimationFrame(() => doing.do(choice.name));
    else {
      studio.select([choice.name]);
      reveal(new Set([choice.name]));
    }
  };
  return (
    <Choosing
      label="Find or do"
      placeholder="Find an element or do something"
      nothing="Nothing is called so."
      choices={choicesOf(studio, doing)}
      take={take}
      close={close}
    />
  );
}
