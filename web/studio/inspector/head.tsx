// The head of the inspector: name and kind of the element, and what can be done with the whole of it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Studio } from "../studio";
import { goTo } from "../text/place";
import type { Inquiry } from "./inquiry";

interface Props {
  studio: Studio;
  data: Inquiry;
  /** How many others are selected. */
  more: number;
}

/** Sections that there is one of. */
const WHOLE = new Set(["gravity", "ground", "simulate", "view", "model"]);

export function Head({ studio, data, more }: Props) {
  const kind = data.kind || (studio.items.value.get(data.name)?.kind ?? "");
  const isOwn = kind !== "" && !WHOLE.has(data.name);
  const canEdit = isOwn && !(studio.document.value?.readOnly ?? true);
  const remove = () => void studio.do("element.remove", { names: [data.name] });
  const duplicate = () => void studio.do("element.duplicate", { names: [data.name] });
  return (
    <header>
      <Title studio={studio} name={data.name} canEdit={canEdit} key={data.name} />
      <span class="what">{kind}</span>
      {more > 0 && <span class="muted">and {more} more</span>}
      <span class="deeds">
        {data.span && (
          <button type="button" class="quiet" onClick={() => goTo(data.span!, { focus: true })}>
            Text
          </button>
        )}
        {canEdit && (
          <>
            <button type="button" class="quiet" onClick={duplicate}>
              Duplicate
            </button>
            <button type="button" class="quiet" onClick={remove}>
              Remove
            </button>
          </>
        )}
      </span>
    </header>
  );
}

/** The name, which is typed anew in its place. */
function Title({ studio, name, canEdit }: { studio: Studio; name: string; canEdit: boolean }) {
  const [draft, setDraft] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const isTyped = draft !== null;
  useEffect(() => input.current?.select(), [isTyped]);
  const local = name.slice(name.lastIndexOf(".") + 1);
  if (draft === null)
    return canEdit ? (
      <h2>
        <button
          type="button"
          class="name"
          title="Rename it (F2)"
          onClick={() => setDraft(local)}
          onKeyDown={(event) => event.key === "F2" && setDraft(local)}
        >
          {name}
        </button>
      </h2>
    ) : (
      <h2>{name}</h2>
    );
  const rename = async () => {
    const next = draft.trim();
    if (next !== "" && next !== local) await studio.do("element.rename", { name, new: next });
    setDraft(null);
  };
  return (
    <input
      ref={input}
      class="name"
      type="text"
      value={draft}
      aria-label={`New name of ${name}`}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onBlur={() => setDraft(null)}
      onKeyDown={(event) => {
        if (event.key === "Enter") void rename();
        if (event.key === "Escape") setDraft(null);
        event.stopPropagation();
      }}
    />
  );
}
