// Signs for the bars of panes, 16 by 16.
import { h, svg } from "../../../src/ui/dom";

const SIGNS = {
  fold: "M2.5 2.5h11v11h-11zM5 8h6",
  unfold: "M2.5 2.5h11v11h-11zM5 8h6M8 5v6",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
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
