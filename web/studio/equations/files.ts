// Equations as files: LaTeX, text or a program, each with the command line that writes the same.
import { h } from "../../src/ui/dom";
import type { Studio } from "../studio";

interface Ready {
  url: string;
  name: string;
  command: string;
}

const FILES: readonly (readonly [label: string, kind: string, options: object])[] = [
  ["LaTeX", "equations", { format: "latex" }],
  ["text", "equations", { format: "text" }],
  ["C", "source", { language: "c" }],
  ["Fortran", "source", { language: "fortran" }],
  ["Python", "source", { language: "python" }],
];

/** Buttons that write files; `choice`: how the equations are written. */
export function fileButtons(studio: Studio, choice: () => object): HTMLElement {
  const result = h("div", { class: "equations-ready", role: "status" });
  const buttons = FILES.map(([label, kind, options]) => {
    const click = async () => {
      result.textContent = "writing …";
      try {
        const asked = { kind, options: { ...choice(), ...options } };
        const { url, name, command } = await studio.connection.ask<Ready>("export", asked);
        const link = h("a", { href: url, download: name }, `Download ${name}`);
        result.replaceChildren(link, h("code", {}, command));
        link.click();
      } catch (error) {
        result.textContent = error instanceof Error ? error.message : String(error);
      }
    };
    return h("button", { type: "button", click }, label);
  });
  return h(
    "div",
    { class: "equations-files" },
    h("span", { class: "muted" }, "Write to a file:"),
    ...buttons,
    result,
  );
}
