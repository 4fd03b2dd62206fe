// The page of a sweep.
import { h } from "../ui/dom";
import { Runs, type SweepData } from "./data";
import style from "./page.css?inline";
import { SweepView } from "./view";

function header({ title, plan, total, columns, failures }: SweepData): HTMLElement {
  const names = columns.filter((c) => c.kind === "varied").map((c) => c.name);
  const failed = failures.reduce((sum, { runs }) => sum + runs.length, 0);
  return h(
    "header",
    { class: "head" },
    h("h1", {}, title),
    h("p", {}, `${total} runs over ${names.join(", ")} (${plan})`),
    h(
      "span",
      { class: failed ? "state failed" : "state" },
      failed ? `${failed} failed` : "all completed",
    ),
  );
}

async function open(data: SweepData, root: HTMLElement): Promise<void> {
  document.head.append(h("style", {}, style));
  const view = new SweepView(await Runs.read(data));
  const notes = data.notes.map((text) => h("li", {}, text));
  root.replaceChildren(
    header(data),
    h(
      "main",
      {},
      view.element,
      h("ul", { class: "notes muted" }, ...notes, h("li", {}, `Made by Pliant ${data.version}.`)),
    ),
  );
  view.draw();
  root.dataset.ready = "true";
}

const text = document.getElementById("pliant-data")!.textContent!;
void open(JSON.parse(text) as SweepData, document.getElementById("pliant")!);
