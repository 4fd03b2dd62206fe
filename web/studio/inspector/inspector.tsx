// Everything about what is selected: what it is, its law, its fields, where it is used, its values.
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { h } from "../../src/ui/dom";
import type { OutlineItem, Span } from "../protocol";
import type { Studio, View } from "../studio";
import { Pin } from "../tree/pin";
import { pinField, refreshField } from "../tree/pinned";
import { goTo } from "../text/place";
import {
  type FieldData,
  type Inquiry,
  isFormula,
  isKnown,
  plainWords,
  type UseData,
} from "./inquiry";
import { followComponents } from "./known";
import { Values } from "./observables";

/** Milliseconds from the last change to the question. */
const PAUSE = 120;

interface State {
  readonly studio: Studio;
  readonly inquiry: ReturnType<typeof signal<Inquiry | null>>;
}

export function inspectorView(studio: Studio, controls: HTMLElement): View {
  const inquiry = signal<Inquiry | null>(null);
  const about = h("div", { class: "about" });
  const element = h(
    "div",
    { class: "inspector-view" },
    about,
    h("div", { class: "controls" }, controls),
  );
  render(<About state={{ studio, inquiry }} />, about);
  const stops = [follow(studio, inquiry), followComponents(studio)];
  return {
    element,
    dispose: () => {
      for (const stop of stops) stop();
      render(null, about);
    },
  };
}

/** Ask again when the selection or the document changes; what came late is dropped. */
function follow(studio: Studio, inquiry: State["inquiry"]): () => void {
  let timer = 0;
  let number = 0;
  const take = (data: Inquiry | null) => {
    inquiry.value = data;
    for (const field of data?.fields ?? []) if (field.number) refreshField(asItem(data!, field));
  };
  const stop = effect(() => {
    const [name] = studio.selection.value;
    const ready =
      studio.connected.value && studio.outline.value !== null && !studio.faults.value.unreadable;
    const own = ++number;
    clearTimeout(timer);
    if (name === undefined) inquiry.value = null;
    if (name === undefined || !ready) return;
    timer = window.setTimeout(() => {
      studio.connection.ask<{ data: Inquiry | null }>("inquire", { name }).then(
        ({ data }) => own === number && take(data),
        () => own === number && take(null),
      );
    }, PAUSE);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

function About({ state }: { state: State }) {
  const { studio } = state;
  const data = state.inquiry.value;
  const [name] = studio.selection.value;
  if (name === undefined) return <Nothing studio={studio} />;
  if (!data) return <p class="empty">{name}</p>;
  const more = studio.selection.value.size - 1;
  return (
    <>
      <header>
        <h2>{data.title || data.name}</h2>
        <span class="what">{data.kind}</span>
        {more > 0 && <span class="muted">and {more} more</span>}
      </header>
      <Words data={data} />
      <Faults data={data} />
      <Fields studio={studio} data={data} />
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

function Faults({ data }: { data: Inquiry }) {
  if (data.faults.length === 0) return null;
  return (
    <ul class="own-faults">
      {data.faults.map((fault) => (
        <li key={`${fault.span[0]} ${fault.what}`}>
          <button type="button" class="link" onClick={() => goTo(fault.span, { focus: true })}>
            {fault.what}
          </button>
          {fault.cure && <span class="cure">{fault.cure}</span>}
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

function Fields({ studio, data }: { studio: Studio; data: Inquiry }) {
  const { fields } = data;
  if (fields.length === 0) return null;
  const given = fields.filter((f) => f.given);
  const absent = fields.filter((f) => !f.given);
  return (
    <section>
      {given.length > 0 && <h3>Fields</h3>}
      {given.map((field) => (
        <Field key={field.path.join("/")} studio={studio} data={data} field={field} />
      ))}
      {absent.length > 0 && (
        <details class="absent">
          <summary>
            {given.length > 0
              ? `${absent.length} more, not given`
              : `${absent.length} fields, none given`}
          </summary>
          {absent.map((field) => (
            <Field key={field.path.join("/")} studio={studio} data={data} field={field} />
          ))}
        </details>
      )}
    </section>
  );
}

/** A field as sliders want it: an item with a number. */
function asItem(
  { name }: Inquiry,
  { name: label, path, text, span, number }: FieldData,
): OutlineItem {
  return {
    ...{ name, label, kind: "field", text, path, span: span ?? [0, 0] },
    ...{ faults: 0, children: [], number },
  };
}

/** One field; a click puts the caret of the text there. */
function Field({ studio, data, field }: { studio: Studio; data: Inquiry; field: FieldData }) {
  const cut = field.name.lastIndexOf(".") + 1;
  const go = () => {
    const span = spanOf(studio, field);
    if (span) goTo(span, { focus: true });
  };
  return (
    <div class="field">
      <button
        type="button"
        title={[field.name, field.about].filter(Boolean).join(": ")}
        onClick={go}
      >
        <span class="name">
          {cut > 0 && <span class="of">{field.name.slice(0, cut)}</span>}
          <span>{field.name.slice(cut)}</span>
        </span>
        <span class="value">{(field.given ? field.text : field.default || field.text) || "–"}</span>
        <span class="unit">{field.unit}</span>
      </button>
      {field.number && <Pin number={field.number} make={() => pinField(asItem(data, field))} />}
    </div>
  );
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
