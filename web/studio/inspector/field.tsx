// Fields of a form: numbers and formulas, vectors, choices, and fields within fields.
import { useState } from "preact/hooks";
import { Sign } from "../panes/sign";
import type { Fix, OutlineItem } from "../protocol";
import type { Studio } from "../studio";
import { Pin } from "../tree/pin";
import { pinField } from "../tree/pinned";
import { Complaints } from "./complaints";
import { changeOf, type ChoiceData, type FieldData, isMain, partChange } from "./form";
import { Line } from "./typing";

interface Props {
  studio: Studio;
  /** The element whose form it is. */
  element: string;
  field: FieldData;
}

/** Fields within a field that are all shown. */
const FEW = 8;
const FOLDED = new Set(["nested", "table", "variant"]);

export function Field(props: Props) {
  const { field } = props;
  const hasInside = (field.fields?.length ?? 0) > 0 || field.open === true;
  const isFolder = FOLDED.has(field.input) && hasInside;
  return (
    <>
      {isFolder ? <Folder {...props} /> : <Row {...props} />}
      {(field.others ?? []).map((row) => (
        <Field key={row.path.join("/")} {...props} field={row} />
      ))}
    </>
  );
}

interface FieldsProps extends Omit<Props, "field"> {
  fields: FieldData[];
  /** None is folded away. */
  all?: boolean;
}

/** A list of fields; those that are seldom given are folded away. */
export function Fields({ fields, all, ...rest }: FieldsProps) {
  const main = all ? fields : fields.filter(isMain);
  const others = all ? [] : fields.filter((field) => !isMain(field));
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {main.map((field) => (
        <Field key={field.path.join("/")} {...rest} field={field} />
      ))}
      {others.length > 0 && (
        <details class="absent" open={isOpen} onToggle={(e) => setOpen(e.currentTarget.open)}>
          <summary>{others.length === 1 ? "1 more" : `${others.length} more`}</summary>
          {isOpen &&
            others.map((field) => <Field key={field.path.join("/")} {...rest} field={field} />)}
        </details>
      )}
    </>
  );
}

/** A field as sliders want it: an item with a number. */
export function asItem(name: string, { label, path, value, span, number }: FieldData): OutlineItem {
  return {
    ...{ name, label, kind: "field", text: value, path, span: span ?? [0, 0] },
    ...{ faults: 0, children: [], number },
  };
}

const idOf = (path: readonly string[]): string => `field-${path.join("-").replace(/[^\w-]/g, "_")}`;

function Row(props: Props) {
  const { field, element } = props;
  const id = idOf(field.path) + (field.operation ? "-kind" : "");
  return (
    <div class={`row${field.given ? "" : " default"}`} data-field={field.name}>
      <label for={id} title={[field.name, field.about].filter(Boolean).join(": ")}>
        {field.label}
        {field.required && !field.given && <span class="needed"> *</span>}
      </label>
      <Control {...props} id={id} />
      <span class="unit">{field.unit}</span>
      <span class="more">
        {field.number && (
          <Pin number={field.number} make={() => pinField(asItem(element, field))} />
        )}
        <Reset {...props} />
      </span>
      {field.about && (
        <p class="about" id={`${id}-about`}>
          {field.about}
        </p>
      )}
    </div>
  );
}

/** Takes a value away, so that the default holds. */
function Reset({ studio, field }: Props) {
  if (!field.given || field.required || field.operation || field.name === "value") return null;
  const unset = () => void studio.do("element.unset", { path: field.path });
  return (
    <button
      type="button"
      class="quiet reset"
      title={field.default ? `Reset to ${field.default}` : "Leave it out"}
      aria-label={`Leave out ${field.label}`}
      onClick={unset}
    >
      <Sign name="close" />
    </button>
  );
}

function Control(props: Props & { id: string }) {
  const { studio, field, id } = props;
  if (field.parts && (!field.given || field.parts.some((part) => part.value)))
    return <Parts {...props} />;
  if (field.input === "flag") return <Select {...props} choices={FLAGS} />;
  if (field.choices && (field.input === "choice" || field.input === "variant"))
    return <Select {...props} choices={field.choices} />;
  return (
    <Line
      studio={studio}
      id={id}
      label={field.label}
      value={field.value}
      placeholder={field.default || (field.required ? "needed" : "")}
      path={field.path}
      faults={field.faults}
      names={field.names}
      required={field.required}
      describedBy={field.about ? `${id}-about` : undefined}
      change={(text) => changeOf(field, text)}
    />
  );
}

const FLAGS: ChoiceData[] = [
  { value: "true", text: "true" },
  { value: "false", text: "false" },
];
const OTHER = "\u0000other";

/** One of several; what is none of them is typed. */
function Select({
  studio,
  element,
  field,
  id,
  choices,
}: Props & { id: string; choices: ChoiceData[] }) {
  const [isTyped, setTyped] = useState(false);
  const value = field.chosen ?? field.value;
  const isKnown = !field.given || choices.some((choice) => choice.value === value);
  const fix = (own: Fix) => void studio.do(own.operation, own.arguments);
  if (field.free && (isTyped || !isKnown))
    return (
      <Line
        studio={studio}
        id={id}
        label={field.label}
        value={field.value}
        placeholder={field.default}
        path={field.path}
        faults={field.faults}
        names={choices.map((choice) => choice.value)}
        change={(text) => changeOf(field, text)}
      />
    );
  const choose = (chosen: string) => {
    const choice = choices.find((one) => one.value === chosen);
    if (chosen === OTHER) setTyped(true);
    else if (field.operation && choice)
      void studio.do(field.operation, { name: element, kind: choice.value });
    else if (!choice) void studio.do("element.unset", { path: field.path });
    else void studio.do("element.type", { path: field.path, text: choice.text });
  };
  return (
    <span class={`line${field.faults.length > 0 ? " bad" : ""}`}>
      <select
        id={id}
        disabled={studio.document.value?.readOnly ?? true}
        value={field.given ? value : ""}
        aria-label={field.label}
        aria-invalid={field.faults.length > 0}
        aria-describedby={field.faults.length > 0 ? `${id}-faults` : `${id}-about`}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {(!field.required || !field.given) && <option value="">{field.default || "–"}</option>}
        {!isKnown && <option value={value}>{value}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.value.replaceAll("_", " ")}
          </option>
        ))}
        {field.free && <option value={OTHER}>other…</option>}
      </select>
      <Complaints id={`${id}-faults`} faults={field.faults} fix={fix} />
    </span>
  );
}

/** Entries side by side: x, y, z; or two frames. */
function Parts({ studio, field, id }: Props & { id: string }) {
  const others = /^\[(.*)\]$/.exec(field.default)?.[1].split(",") ?? [];
  const fix = (own: Fix) => void studio.do(own.operation, own.arguments);
  return (
    <span class="parts-of" data-count={field.parts!.length}>
      {field.parts!.map((part, k) => (
        <Line
          key={k}
          studio={studio}
          id={k === 0 ? id : `${id}-${k}`}
          label={`${field.label} ${part.label}`}
          value={part.value}
          placeholder={others[k]?.trim() || part.label}
          path={part.path}
          faults={[]}
          names={field.names}
          change={(text) => partChange(field, k, text)}
        />
      ))}
      <Complaints id={`${id}-faults`} faults={field.faults} fix={fix} />
    </span>
  );
}

/** Fields within a field, which fold. */
function Folder(props: Props) {
  const { field } = props;
  const [isOpen, setOpen] = useState(field.given);
  const fields = field.fields ?? [];
  const id = idOf(field.path);
  return (
    <details
      class={`folder${field.given ? "" : " default"}`}
      data-field={field.name}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary title={field.about}>
        <span class="name">{field.label}</span>
        <span class="value">{field.input === "variant" ? (field.chosen ?? "") : brief(field)}</span>
        <Reset {...props} />
      </summary>
      {isOpen && (
        <div class="inside">
          {field.choices && field.input === "variant" && (
            <div class="row">
              <label for={id}>{field.label}</label>
              <Select {...props} id={id} choices={field.choices} />
              <span class="unit" />
              <span class="more" />
            </div>
          )}
          {field.input !== "variant" && field.faults.length > 0 && (
            <Complaints
              id={`${id}-faults`}
              faults={field.faults}
              fix={(own) => void props.studio.do(own.operation, own.arguments)}
            />
          )}
          <Fields {...props} fields={fields} all={fields.length <= FEW} />
          {field.open && <NewEntry {...props} />}
        </div>
      )}
    </details>
  );
}

function brief({ given, value, default: fallback }: FieldData): string {
  const text = given ? value : fallback;
  return text.length > 36 ? `${text.slice(0, 35)}…` : text;
}

/** A new entry of a table: its name, then its value. */
function NewEntry({ studio, field }: Props) {
  const [name, setName] = useState("");
  const id = `${idOf(field.path)}-new`;
  const path = [...field.path, name.trim()];
  return (
    <div class="row new-entry">
      <input
        id={id}
        type="text"
        value={name}
        placeholder="new name"
        aria-label={`Name of a new entry of ${field.label}`}
        disabled={studio.document.value?.readOnly ?? true}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      {name.trim() !== "" && (
        <Line
          studio={studio}
          id={`${id}-value`}
          label={`Value of ${name}`}
          value=""
          placeholder="value"
          path={path}
          faults={[]}
          written={() => setName("")}
          change={(text) => changeOf({ path, typed: true }, text)}
        />
      )}
    </div>
  );
}
