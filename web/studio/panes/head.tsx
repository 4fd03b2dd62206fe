// The bar at the top: the file, history and saving, layouts, the run, faults, find.
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { h } from "../../src/ui/dom";
import type { Studio } from "../studio";
import type { SharedText } from "../text/shared";
import type { Arrangement } from "./arrangement";
import { holds, type Doing } from "./doing";
import type { SignName } from "./icons";
import { FileMenu } from "./file_menu";
import { HistoryMenu } from "./history_menu";
import { PRESETS, type Preset } from "./layout";
import { keysShown } from "./shown";
import { Sign } from "./sign";

export interface HeadParts {
  studio: Studio;
  text: SharedText;
  doing: Doing;
  arrangement: Arrangement;
  /** Controls of the run. */
  run: HTMLElement;
}

export function head(parts: HeadParts): HTMLElement {
  const element = h("header", { class: "head" });
  render(<Head {...parts} />, element);
  return element;
}

function Head({ studio, text, doing, arrangement, run }: HeadParts) {
  return (
    <>
      {!arrangement.only && <Side part="tree" arrangement={arrangement} keys="Ctrl+B" />}
      <File studio={studio} text={text} doing={doing} />
      <div class="group" role="group" aria-label="History and file">
        <Act doing={doing} name="undo" sign="undo" label="Undo" keys="Ctrl+Z" studio={studio} />
        <Act
          doing={doing}
          name="redo"
          sign="redo"
          label="Redo"
          keys="Ctrl+Shift+Z"
          studio={studio}
        />
        <HistoryMenu
          studio={studio}
          isDisabled={!holds("undoable", studio) && !holds("redoable", studio)}
          step={(count) => {
            for (let k = 0; k < Math.abs(count); k++) doing.do(count > 0 ? "undo" : "redo");
          }}
        />
        <Act
          doing={doing}
          name="save"
          sign="save"
          label="Save"
          keys="Ctrl+S"
          studio={studio}
          named
        />
      </div>
      {!arrangement.only && <Presets arrangement={arrangement} />}
      <Slot element={run} />
      <span class="space" />
      <Badge studio={studio} arrangement={arrangement} doing={doing} />
      <button type="button" class="find" onClick={() => doing.do("find")}>
        <Sign name="find" />
        <span>Find or do</span>
        <kbd>{keysShown("Ctrl+K")}</kbd>
      </button>
      {!arrangement.only && <Side part="inspector" arrangement={arrangement} keys="Ctrl+I" />}
    </>
  );
}

interface SideProps {
  part: "tree" | "inspector";
  arrangement: Arrangement;
  keys: string;
}

/** Opens and closes a side column. */
function Side({ part, arrangement, keys }: SideProps) {
  const shownNow = arrangement[part];
  const label = shownNow.value ? `Hide the ${part}` : `Show the ${part}`;
  return (
    <button
      type="button"
      class="quiet"
      aria-label={label}
      aria-expanded={shownNow.value}
      title={`${label} (${keysShown(keys)})`}
      onClick={() => (shownNow.value = !shownNow.value)}
    >
      <Sign name={part} />
    </button>
  );
}

/** An element that somebody else made, in its place. */
export function Slot({ element, name = "slot" }: { element: HTMLElement; name?: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current!.replaceChildren(element), [element]);
  return <div ref={place} class={name} />;
}

function File({ studio, text, doing }: Pick<HeadParts, "studio" | "text" | "doing">) {
  const document = studio.document.value;
  const folder = document?.path.includes("/")
    ? document.path.slice(0, document.path.lastIndexOf("/") + 1)
    : "";
  const isUnsaved = document !== null && (!document.saved || text.unsent.value);
  return (
    <div class="file">
      <h1>
        <span class="brand">Pliant Studio</span>
        <FileMenu name={document?.name ?? "…"} doing={doing} />
        {isUnsaved && (
          <span class="unsaved" role="img" aria-label="not saved" title="Not saved">
            ●
          </span>
        )}
      </h1>
      {folder && <span class="muted">{folder}</span>}
      {document?.readOnly && <span class="tag">read-only</span>}
    </div>
  );
}

interface ActProps {
  doing: Doing;
  studio: Studio;
  name: "undo" | "redo" | "save";
  sign: SignName;
  label: string;
  keys: string;
  named?: boolean;
}

const CONDITIONS = { undo: "undoable", redo: "redoable", save: "writable" } as const;

function Act({ doing, studio, name, sign, label, keys, named }: ActProps) {
  return (
    <button
      type="button"
      class={named ? "act named" : "act"}
      data-command={name}
      disabled={!holds(CONDITIONS[name], studio)}
      title={`${label} (${keysShown(keys)})`}
      aria-label={label}
      onClick={() => doing.do(name)}
    >
      <Sign name={sign} />
      {named && <span>{label}</span>}
    </button>
  );
}

function Presets({ arrangement }: { arrangement: Arrangement }) {
  const names = Object.keys(PRESETS) as Preset[];
  const layout = arrangement.layout.value;
  return (
    <div class="presets" role="group" aria-label="Layout">
      {names.map((name, k) => (
        <button
          key={name}
          type="button"
          aria-pressed={layout === PRESETS[name] ? "true" : "false"}
          title={`Layout ${name} (${keysShown(`Alt+${k + 1}`)})`}
          onClick={() => arrangement.choose(name)}
        >
          {name[0].toUpperCase() + name.slice(1)}
        </button>
      ))}
    </div>
  );
}

type BadgeProps = Pick<HeadParts, "studio" | "arrangement" | "doing">;

function Badge({ studio, arrangement, doing }: BadgeProps) {
  const isEmpty = studio.document.value?.text.trim() === "";
  const count = isEmpty ? 0 : studio.faults.value.faults.length;
  const label = count === 1 ? "1 fault" : `${count} faults`;
  return (
    <button
      type="button"
      class={count > 0 ? "badge bad" : "badge good"}
      aria-label={label}
      aria-expanded={arrangement.faults.value}
      title={
        count > 0 ? `${label}; ${keysShown("F8")} goes to the next` : "The model has no faults"
      }
      onClick={() => doing.do("faults")}
    >
      <span aria-hidden="true">{count > 0 ? "⚠" : "✓"}</span>
      <span>{count}</span>
    </button>
  );
}
