// The name of the file in the bar at the top, with what can be done with files below it.
import { COMMANDS } from "../commands";
import type { Doing } from "./doing";
import { MenuButton } from "./menu";

const ENTRIES = ["open", "new", "save", "save.as", "start"];

interface MenuProps {
  name: string;
  doing: Doing;
}

export function FileMenu({ name, doing }: MenuProps) {
  const entries = () =>
    COMMANDS.filter((c) => ENTRIES.includes(c.name)).map((c) => ({
      name: c.name,
      label: c.title,
      keys: c.keys[0],
      isDisabled: !doing.can(c.when),
      act: () => doing.do(c.name),
    }));
  return (
    <span class="file-menu">
      <MenuButton
        label={`File ${name}`}
        title={`${name}: open, new, save`}
        class="file-name"
        entries={entries}
      >
        <span>{name}</span>
        <span aria-hidden="true">▾</span>
      </MenuButton>
    </span>
  );
}
