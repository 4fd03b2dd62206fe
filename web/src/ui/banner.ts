// Failure and warnings, where they cannot be missed.
import type { SummaryData } from "../data/types";
import { h, icon } from "./dom";

export function banners({ failure, warnings }: SummaryData): HTMLElement[] {
  const shown: HTMLElement[] = [];
  if (failure) shown.push(banner("failure", "The run stopped early.", [failure]));
  if (warnings.length)
    shown.push(
      banner(
        "warning",
        warnings.length === 1 ? "Warning." : `${warnings.length} warnings.`,
        warnings,
      ),
    );
  return shown;
}

function banner(kind: string, title: string, texts: string[]): HTMLElement {
  const close = h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": "Hide this message",
      click: () => element.remove(),
    },
    icon("close"),
  );
  const body =
    texts.length === 1
      ? h("span", {}, ` ${texts[0]}`)
      : h("ul", {}, ...texts.map((t) => h("li", {}, t)));
  const element = h(
    "div",
    { class: `banner ${kind}`, role: kind === "failure" ? "alert" : "status" },
    h("div", {}, h("strong", {}, title), body),
    close,
  );
  return element;
}
