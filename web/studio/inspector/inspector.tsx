// Everything about what is selected: what it is, its law, the form of its fields, where it is used,
// its values.
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { h } from "../../src/ui/dom";
import type { FaultData, Span } from "../protocol";
import type { Studio, View } from "../studio";
import { goTo } from "../text/place";
import { refreshField } from "../tree/pinned";
import { Fixes } from "./complaints";
import { asItem, Fields } from "./field";
import { everyField, type FormData } from "./form";
import "./form.css";
import { Head } from "./head";
import { type Inquiry, isFormula, isKnown, plainWords, type UseData } from "./inquiry";
import { followComponents } from "./known";
import { Values } from "./observables";

/** Milliseconds from the last change to the question. */
const PAUSE = 120;

/** What is known of the element that is selected. */
interface Known {
  readonly inquiry: Inquiry | null;
  readonly form: FormData | null;
}

interface State {
  readonly studio: Studio;
  readonly known: ReturnType<typeof signal<Known>>;
}

const NOTHING: Known = { inquiry: null, form: null };

export function inspectorView(studio: Studio, controls: HTMLElement): View {
  const known = signal<Known>(NOTHING);
  const about = h("div", { class: "about" });
  const element = h(
    "div",
    { class: "inspector-view" },
    about,
    h("div", { class: "controls" }, controls),
  );
  render(<About state={{ studio, known }} />, about);
  const stops = [follow(studio, known), followComponents(studio)];
  return {
    element,
    dispose: () => {
      for (const stop of stops) stop();
      render(null, about);
    },
  };
}

/** Ask again when the selection or the document changes; what came late is dropped. */
function follow(studio: Studio, known: State["known"]): () => void {
  let timer = 0;
  let number = 0;
  const take = (data: Known) => {
    known.value = data;
    for (const { fields } of data.form?.groups ?? [])
      for (const field of everyField(fields))
        if (field.number) refreshField(asItem(data.form!.name, field));
  };
  const ask = async (name: string, own: number) => {
    const { connection } = studio;
    const [inquiry, form] = await Promise.all([
      connection.ask<{ data: Inquiry | null }>("inquire", { name }),
      connection.ask<{ data: FormData | null }>("form", { name }),
    ]).then(
      ([a, b]) => [a.data, b.data] as const,
      () => [null, null] as const,
    );
    if (own === number) take({ inquiry, form });
  };
  const stop = effect(() => {
    const [name] = studio.selection.value;
    const ready =
      studio.connected.value && studio.outline.value !== null && !studio.faults.value.unreadable;
    const own = ++number;
    clearTimeout(timer);
    if (name === undefined) known.value = NOTHING;
    if (name === undefined || !ready) return;
    timer = window.setTimeout(() => void ask(name, own), PAUSE);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

function About({ state }: { state: State }) {
  const { studio } = state;
  const { inquiry: data, form } = state.known.value ?? NOTHING;
  const [name] = studio.selection.value;
  if (name === undefined) return <Nothing studio={studio} />;
  if (!data) return <p class="empty">{name}</p>;
  const own = form?.name === data.name ? form : null;
  return (
    <>
      <Head studio={studio} data={data} more={studio.selection.value.size - 1} />
      <Words data={data} />
      <Faults studio={studio} faults={own ? own.faults : data.faults} />
      {own && (
        <section class="form" key={own.name} data-form={own.name}>
          {own.groups.map((group, k) => (
            <div class="group" key={k} role="group" aria-label={group.title || `Fields of ${name}`}>
              <Fields studio={studio} element={own.name} fields={group.fields} />
            </div>
          ))}
        </section>
      )}
      <Equation mathml={data.equation ?? ""} />
      <Uses studio={studio} title="Used by" uses={data.usedBy} />
      <Uses studio={studio} title="Uses" uses={data.uses} />
      <Values studio={studio} name={data.name} />
    </>
  );
}

/** Of the model, while nothing is selected. */
function Nothing({ studio }: { studio: Studio }) {
  const outline = studio.outline.value;
  return (
    <>
      <header>
        <h2>{outline?.title ?? "Model"}</h2>
      </header>
      <p class="empty">Select an element in any view to see what it is and where it is used.</p>
    </>
  );
}

function Words({ data }: { data: Inquiry }) {
  const hasFormula = isFormula(data.law);
  return (
    <>
      {data.sentence && <p class="sentence">{plainWords(data.sentence)}</p>}
      {data.law && !hasFormula && <p class="sentence muted">{plainWords(data.law)}</p>}
      {!isKnown(data) && <p class="sentence muted">The file holds no element of this name.</p>}
      {(hasFormula || data.causality) && (
        <dl class="facts">
          {hasFormula && <dt>law</dt>}
          {hasFormula && <dd class="law">{data.law}</dd>}
          {data.causality && <dt>causality</dt>}
          {data.causality && <dd>{data.causality}</dd>}
        </dl>
      )}
    </>
  );
}

/** Faults that belong to no field. */
function Faults({ studio, faults }: { studio: Studio; faults: readonly FaultData[] }) {
  if (faults.length === 0) return null;
  return (
    <ul class="own-faults">
      {faults.map((fault) => (
        <li key={`${fault.span[0]} ${fault.what}`}>
          <button type="button" class="link" onClick={() => goTo(fault.span, { focus: true })}>
            {fault.what}
          </button>
          {fault.cure && <span class="cure">{fault.cure}</span>}
          <Fixes fixes={fault.fixes} fix={(fix) => void studio.do(fix.operation, fix.arguments)} />
        </li>
      ))}
    </ul>
  );
}

/** Where a path of the file is: its own span, or that of the element it belongs to. */
function spanOf(
  studio: Studio,
  { span, path }: { span?: Span | null; path: string[] },
): Span | null {
  if (span) return span;
  for (const item of studio.items.peek().values())
    if (item.path.length <= path.length && item.path.every((part, k) => part === path[k]))
      return item.span;
  return null;
}

/** MathML comes as text from the studio's own server. */
function Equation({ mathml }: { mathml: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parsed = new DOMParser().parseFromString(mathml, "text/html");
    place.current?.replaceChildren(...parsed.body.querySelectorAll("math"));
  }, [mathml]);
  if (!mathml) return null;
  return (
    <section>
      <h3>Equation</h3>
      <div ref={place} class="equation" />
    </section>
  );
}

function Uses({ studio, title, uses }: { studio: Studio; title: string; uses: UseData[] }) {
  if (uses.length === 0) return null;
  const go = (use: UseData) => {
    if (use.name) studio.select([use.name]);
    const span = spanOf(studio, use);
    if (span) goTo(span);
  };
  return (
    <section>
      <h3>{title}</h3>
      <ul class="uses">
        {uses.map((use) => (
          <li key={`${use.path.join("/")} ${use.name}`}>
            <button
              type="button"
              class="link"
              onClick={() => go(use)}
              onMouseEnter={() => (studio.hovered.value = use.name || null)}
              onMouseLeave={() => (studio.hovered.value = null)}
            >
              {use.name || use.path.join(".")}
            </button>
            <span class="muted">{use.text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
