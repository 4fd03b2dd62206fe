// How the equations are written: formulation, form, tree, truncation; and who declines, and why.
import { h } from "../../src/ui/dom";
import type { EquationsChoice, EquationsData } from "./data";

type Field = keyof EquationsChoice;

const LABELS: Record<Field, string> = {
  formulation: "Formulation",
  form: "Form",
  tree: "Tree",
  truncate: "Order of elastic coordinates",
};
const TRUNCATIONS: readonly (readonly [string, string])[] = [
  ["", "all orders"],
  ["0", "order 0"],
  ["1", "order 1"],
  ["2", "order 2"],
];

export class Choices {
  readonly value: EquationsChoice = { formulation: "", form: "", tree: "", truncate: "" };
  readonly elements: HTMLSelectElement[];
  /** Formulations that decline, in words. */
  readonly objections = h("details", { class: "equations-objections", hidden: true });
  private readonly lists: Record<Field, HTMLSelectElement>;

  constructor(change: () => void) {
    const list = (field: Field) => {
      const made = h("select", { "aria-label": LABELS[field], title: LABELS[field] });
      made.addEventListener("change", () => {
        this.value[field] = made.value;
        change();
      });
      return made;
    };
    const [formulation, form, tree, truncate] = (
      ["formulation", "form", "tree", "truncate"] as const
    ).map(list);
    this.lists = { formulation, form, tree, truncate };
    this.elements = [formulation, form, tree, truncate];
    this.fill("truncate", TRUNCATIONS);
    for (const field of ["formulation", "form", "tree"] as const)
      this.fill(field, [["", LABELS[field].toLowerCase()]]);
  }

  /** All as the file says. */
  reset(): void {
    for (const field of Object.keys(this.value) as Field[])
      this.value[field] = this.lists[field].value = "";
  }

  /** What may be chosen for these equations. */
  show({ choices, formulation, form, tree }: EquationsData): void {
    const able = choices.formulations.filter(({ objection }) => !objection);
    const names = (all: readonly string[], now: string) => [
      ["", now ? `${now} (file)` : "of the file"] as const,
      ...all.map((name) => [name, name] as const),
    ];
    const chosen = this.value;
    this.fill("formulation", names(able.map(({ name }) => name), chosen.formulation ? "" : formulation)); // prettier-ignore
    this.fill("form", names(choices.forms, chosen.form ? "" : form));
    this.fill("tree", names(choices.trees, chosen.tree ? "" : tree));
    this.decline(choices.formulations.filter(({ objection }) => objection));
  }

  private decline(declined: EquationsData["choices"]["formulations"]): void {
    const rows = declined.flatMap(({ name, objection }) => [
      h("dt", {}, name),
      h("dd", {}, objection),
    ]);
    const count = declined.length === 1 ? "1 formulation declines" : `${declined.length} formulations decline`; // prettier-ignore
    this.objections.replaceChildren(h("summary", {}, count), h("dl", {}, ...rows));
    this.objections.hidden = !declined.length;
  }

  private fill(field: Field, options: readonly (readonly [string, string])[]): void {
    const list = this.lists[field];
    list.replaceChildren(...options.map(([value, text]) => h("option", { value }, text)));
    const known = options.some(([value]) => value === this.value[field]);
    if (!known) list.append(h("option", { value: this.value[field] }, this.value[field]));
    list.value = this.value[field];
  }
}

/** The choice as the server and the command line know it. */
export function asked(choice: EquationsChoice): Record<string, string | number> {
  const { truncate, ...words } = choice;
  const given = Object.entries(words).filter(([, value]) => value);
  return { ...Object.fromEntries(given), ...(truncate && { truncate: Number(truncate) }) };
}
