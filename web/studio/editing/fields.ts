// Setting a field by typing: which one, then what it shall be.
import { changeOf, type FieldData, type FormData } from "../inspector/form";
import { answer, type Asker } from "../panes/asker";
import type { Studio } from "../studio";

/** Fields of a form, also those within others. */
export function allFields(fields: readonly FieldData[]): FieldData[] {
  return fields.flatMap((field) => [
    field,
    ...allFields(field.fields ?? []),
    ...allFields(field.others ?? []),
  ]);
}

/** Asks for a field of an element and for its value; nothing is done if either is left. */
export async function askForField(studio: Studio, asker: Asker, name: string): Promise<void> {
  const answered = await studio.connection.ask<{ data: FormData | null }>("form", { name });
  const fields = allFields(answered.data?.groups.flatMap((group) => group.fields) ?? []);
  const about = ({ value, default: usual, about: words }: FieldData) =>
    [value || usual, words].filter(Boolean).join(" · ");
  const chosen = await asker.choose({
    label: `Which field of ${name}?`,
    nothing: "It has no field that is called so.",
    choices: fields.map((field, k) => answer(`${k}`, about(field), field.name)),
  });
  const field = chosen && fields[Number(chosen.name)];
  if (!field) return;
  const text = await typed(asker, name, field);
  if (text === null) return;
  const { operation, arguments: args } = field.operation
    ? { operation: field.operation, arguments: { name, kind: text } }
    : changeOf(field, text);
  await studio.do(operation, args);
}

/** What is typed, or one of the words that fit. */
async function typed(asker: Asker, name: string, field: FieldData): Promise<string | null> {
  const words = field.choices?.map((choice) => choice.value) ?? field.names ?? [];
  const without = field.given && !field.operation ? [answer("", "", "leave it out")] : [];
  const hint = [field.about, field.unit && `in ${field.unit}`].filter(Boolean).join(", ");
  const found = await asker.choose({
    label: `${name}: ${field.name}`,
    placeholder: hint || "What it shall be",
    nothing: hint || "Type it, then Enter.",
    initial: field.given ? field.value : "",
    choices: [...words.map((word) => answer(word)), ...without],
    free: (text) => ({ kind: "typed", name: text, title: text, text: "Enter", keys: [] }),
  });
  return found?.name ?? null;
}
