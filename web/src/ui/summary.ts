// The model and the run in words.
import type { PageData } from "../data/types";
import type { Clock } from "../motion/clock";
import { pretty } from "../plots/plot";
import { h } from "./dom";

export function table(rows: [string, string][]): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    ...rows.flatMap(([label, text]) => [h("dt", {}, label), h("dd", {}, text)]),
  );
}

export function section(title: string, ...content: (Node | string)[]): HTMLElement {
  return h("section", {}, h("h2", {}, title), ...content);
}

export function summary(data: PageData, clock: Clock): HTMLElement[] {
  const { model, run, parameters, events, notes } = data.summary;
  const parts = [
    section("Model", ...(data.description ? [h("p", {}, data.description)] : []), table(model)),
    section("Run", table(run)),
  ];
  if (parameters.length) {
    const rows = parameters.map((p): [string, string] => [
      p.name,
      [p.value, pretty(p.unit), p.changed ? "(changed for this run)" : ""]
        .filter(Boolean)
        .join(" "),
    ]);
    parts.push(section("Parameters", table(rows)));
  }
  if (events.length) {
    const go = events.map((e) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "link", click: () => clock.seek(e.time) },
          `${e.name} at ${e.time.toPrecision(6)} s`,
        ),
        e.message ? ` ${e.message}` : "",
      ),
    );
    parts.push(section("Events", h("ul", {}, ...go)));
  }
  if (notes.length) parts.push(section("Notes", h("ul", {}, ...notes.map((n) => h("li", {}, n)))));
  return parts;
}
