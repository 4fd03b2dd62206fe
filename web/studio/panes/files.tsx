// Opening another model, and beginning a new one. What is refused is said where it was asked for.
import { signal } from "@preact/signals";
import { render } from "preact";
import { useRef } from "preact/hooks";
import { h } from "../../src/ui/dom";
import type { Choice } from "../commands";
import type { FilesData } from "../protocol";
import type { Studio } from "../studio";
import type { SharedText } from "../text/shared";
import { Choosing, useModal } from "./choosing";
import { freeName, modelChoices, startsOf } from "./naming";

interface Asked {
  what: "open" | "new";
  files: FilesData;
}

export class Files {
  readonly element = h("div", { class: "files-place" });
  readonly asked = signal<Asked | null>(null);
  /** Why the last attempt was refused. */
  readonly refusal = signal("");

  constructor(
    readonly studio: Studio,
    private readonly text: SharedText,
  ) {
    render(<Dialogs files={this} />, this.element);
  }

  /** List what there is. */
  async ask(what: Asked["what"]): Promise<void> {
    try {
      await this.text.settled();
      const files = await this.studio.connection.ask<FilesData>("files");
      this.refusal.value = "";
      this.asked.value = { what, files };
    } catch (error) {
      this.studio.complain(error);
    }
  }

  open(path: string): Promise<void> {
    return this.try("open", { path });
  }

  begin(path: string, template: string): Promise<void> {
    return this.try("new", { path, template });
  }

  private async try(type: string, content: object): Promise<void> {
    try {
      await this.studio.connection.ask(type, content);
      this.asked.value = null;
      this.studio.notice.value = null;
    } catch (error) {
      this.refusal.value = error instanceof Error ? error.message : String(error);
    }
  }
}

function Dialogs({ files }: { files: Files }) {
  const asked = files.asked.value;
  if (!asked) return null;
  return asked.what === "open" ? (
    <Open files={files} known={asked.files} />
  ) : (
    <New files={files} known={asked.files} />
  );
}

interface DialogProps {
  files: Files;
  known: FilesData;
}

function Open({ files, known }: DialogProps) {
  const now = files.studio.document.value?.path ?? "";
  return (
    <Choosing
      label="Open a model"
      placeholder="Name of a model"
      nothing={
        known.models.length > 0
          ? "No model is called so."
          : "There is no model below the folder of the studio."
      }
      choices={modelChoices(known.models, now)}
      take={(choice: Choice) => void files.open(choice.name)}
      close={() => (files.asked.value = null)}
    >
      <Refusal files={files} />
    </Choosing>
  );
}

function New({ files, known }: DialogProps) {
  const dialog = useModal();
  const form = useRef<HTMLFormElement>(null);
  const close = () => (files.asked.value = null);
  const begin = (event: Event) => {
    event.preventDefault();
    const given = new FormData(form.current!);
    void files.begin(`${given.get("name")}`.trim(), `${given.get("start")}`);
  };
  return (
    <dialog ref={dialog} class="question" aria-label="New model" onClose={close}>
      <form ref={form} onSubmit={begin}>
        <h2>New model</h2>
        <label>
          <span>Name</span>
          <input
            name="name"
            type="text"
            required
            spellcheck={false}
            defaultValue={freeName(known.models)}
          />
        </label>
        <label>
          <span>Begin with</span>
          <select name="start">
            {startsOf(known).map(({ label, starts }) => (
              <optgroup key={label} label={label}>
                {starts.map((start) => (
                  <option key={start} value={start}>
                    {start}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        <Refusal files={files} />
        <div class="choices">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button class="first">Begin</button>
        </div>
      </form>
    </dialog>
  );
}

function Refusal({ files }: { files: Files }) {
  const text = files.refusal.value;
  return (
    <p class="refusal" role="alert" hidden={!text}>
      {text}
    </p>
  );
}
