// Where a model begins: templates and examples, one click away.
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { h } from "../../src/ui/dom";
import type { DocumentData, FilesData } from "../protocol";
import type { Studio } from "../studio";
import type { Files } from "./files";
import { freeName } from "./naming";

interface Parts {
  studio: Studio;
  files: Files;
  /** Show the parts of the window. */
  tour: () => void;
  /** Open another model. */
  open: () => void;
}

export class StartPage {
  readonly element = h("div", { class: "start-place" });
  readonly known = signal<FilesData | null>(null);
  /** The name that is typed; "": one that is free. */
  readonly name = signal("");
  readonly busy = signal(false);

  constructor(readonly parts: Parts) {
    const { studio } = parts;
    studio.connection.on<DocumentData>("document", ({ text, readOnly }) => {
      if (text.trim() === "" && !readOnly) void this.show(true);
      else this.close();
    });
    studio.onChange(() => {
      if (studio.document.peek()?.text.trim()) this.close();
    });
    effect(() => {
      const isOpen = this.known.value !== null;
      for (const other of this.element.parentElement?.children ?? [])
        if (other !== this.element) other.toggleAttribute("inert", isOpen);
    });
    render(<Start page={this} />, this.element);
  }

  /** List what there is; `unasked`: only if the model is empty still. */
  async show(unasked = false): Promise<void> {
    const { studio, files } = this.parts;
    try {
      files.refusal.value = "";
      const known = await studio.connection.ask<FilesData>("files");
      if (unasked && studio.document.peek()?.text.trim()) return;
      this.known.value = known;
    } catch (error) {
      studio.complain(error);
    }
  }

  close(): void {
    this.known.value = null;
  }

  /** Begin with a template or an example, under the name that is typed. */
  async begin(start: string, isExample: boolean): Promise<void> {
    const models = this.known.peek()?.models ?? [];
    const given = this.name.peek().trim() || this.path;
    this.busy.value = true;
    await this.parts.files.begin(given || freeName(models, isExample ? start : "model"), start);
    this.busy.value = false;
  }

  /** Of a model that has a name already, but no text. */
  get path(): string {
    const document = this.parts.studio.document.value;
    return document?.text.trim() === "" ? document.path : "";
  }
}

function Start({ page }: { page: StartPage }) {
  const known = page.known.value;
  if (!known) return null;
  return <Page page={page} known={known} />;
}

function Page({ page, known }: { page: StartPage; known: FilesData }) {
  const { studio, files, tour, open } = page.parts;
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current!.querySelector<HTMLElement>(".start-card")?.focus(), []);
  const hasModel = !!studio.document.value?.text.trim();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !hasModel) return;
    event.stopPropagation();
    page.close();
  };
  return (
    <section ref={section} class="start" aria-label="Begin a model" onKeyDown={onKeyDown}>
      <div class="start-inner">
        <header>
          <h2>Begin a model</h2>
          <label>
            <span>Name</span>
            <input
              type="text"
              spellcheck={false}
              placeholder={page.path || freeName(known.models)}
              value={page.name.value}
              onInput={(event) => (page.name.value = event.currentTarget.value)}
            />
          </label>
          <span class="space" />
          <button type="button" onClick={tour}>
            Tour of the window
          </button>
          {known.models.length > 0 && (
            <button type="button" onClick={open}>
              Open a model…
            </button>
          )}
          {hasModel && (
            <button type="button" onClick={() => page.close()}>
              Back to the model
            </button>
          )}
        </header>
        <p class="refusal" role="alert" hidden={!files.refusal.value}>
          {files.refusal.value}
        </p>
        <Cards page={page} title="Templates" starts={known.templates} isExample={false} />
        <Cards page={page} title="Examples" starts={known.examples} isExample={true} />
      </div>
    </section>
  );
}

interface CardsProps {
  page: StartPage;
  title: string;
  starts: Record<string, string>;
  isExample: boolean;
}

function Cards({ page, title, starts, isExample }: CardsProps) {
  return (
    <>
      <h3>{title}</h3>
      <ul class={isExample ? "start-cards" : "start-cards few"}>
        {Object.entries(starts).map(([name, sentence]) => (
          <li key={name}>
            <button
              type="button"
              class="start-card"
              data-start={name}
              title={sentence}
              disabled={page.busy.value}
              onClick={() => void page.begin(name, isExample)}
            >
              <strong>{name.replaceAll("_", " ")}</strong>
              <span>{sentence}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
