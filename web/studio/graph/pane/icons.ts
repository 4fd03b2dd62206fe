// Signs for the bars of panes, 16 by 16.
import { h, svg } from "../../../src/ui/dom";

const SIGNS = {
  fold: "M2.5 2.5h11v11h-11zM5 8h6",
  unfold: "M2.5 2.5h11v11h-11zM5 8h6M8 5v6",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  tidy: "M3 3.5h4v4H3zM9.5 8.5h4v4h-4zM7 5.5h4.5v3",
  group:
    "M2.5 2.5h2M2.5 2.5v2M13.5 2.5h-2M13.5 2.5v2M2.5 13.5h2M2.5 13.5v-2M13.5 13.5h-2M13.5 13.5v-2M5.5 5.5h5v5h-5z",
  component: "M3 5.5h10v8H3zM8 1.5v7.5M5.5 6.5 8 9l2.5-2.5",
  flip: "M2.5 5.5h10l-3-3M13.5 10.5h-10l3 3",
  stroke: "M2 8h9M11 4v8M7 8l-3-2.6",
  plus: "M8 3v10M3 8h10",
  legend: "M2 4h4M2 8h4M2 12h4M8.5 4h5.5M8.5 8h5.5M8.5 12h5.5",
};

export type Sign = keyof typeof SIGNS;

export function sign(name: Sign): SVGSVGElement {
  const look = { fill: "none", stroke: "currentColor", "stroke-width": 1.5 };
  return svg(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", ...look },
    svg("path", { d: SIGNS[name] }),
  );
}

/** A button with a sign and a name for who cannot see it. */
export function signButton(name: Sign, label: string, click: () => void): HTMLButtonElement {
  const words = { type: "button", class: "sign-button", title: label, "aria-label": label };
  return h("button", { ...words, click }, sign(name));
}
