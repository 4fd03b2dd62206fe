// What was done, in words: one entry takes back, or does again, everything up to it.
import type { Studio } from "../studio";
import { MenuButton, type MenuEntry } from "./menu";

interface HistoryData {
  /** The last one first. */
  done: string[];
  undone: string[];
}

interface Props {
  studio: Studio;
  isDisabled: boolean;
  /** Take back so many entries; a negative number does them again. */
  step(count: number): void;
}

export function HistoryMenu({ studio, isDisabled, step }: Props) {
  const entries = async (): Promise<MenuEntry[]> => {
    const { done, undone } = await studio.connection.ask<HistoryData>("history");
    const again = undone.map((label, k) => ({
      name: `redo-${k + 1}`,
      label: `Redo ${label}`,
      keys: k === 0 ? "Ctrl+Shift+Z" : undefined,
      act: () => step(-(k + 1)),
    }));
    const back = done.map((label, k) => ({
      name: `undo-${k + 1}`,
      label: `Undo ${label}`,
      keys: k === 0 ? "Ctrl+Z" : undefined,
      act: () => step(k + 1),
    }));
    return [...back, ...again];
  };
  return (
    <MenuButton
      label="History"
      title="What was done, to take it back or do it again"
      class="act narrow"
      isDisabled={isDisabled}
      entries={entries}
    >
      <span aria-hidden="true">▾</span>
    </MenuButton>
  );
}
