// Signs on buttons of the frame: lines of one weight, drawn in 16 by 16.
import { svg } from "../../src/ui/dom";

export const SIGNS = {
  undo: "M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H7",
  redo: "M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h3",
  save: "M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11",
  right: "M2.5 3h11v10h-11zM8 3v10",
  below: "M2.5 3h11v10h-11zM2.5 8h11",
  window: "M6.5 3H13v6.5M13 3 7.5 8.5M10.5 9.5V13H3V5.5h3.5",
  close: "M4 4l8 8M12 4l-8 8",
  add: "M8 3v10M3 8h10",
  find: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.5 10.5 14 14",
  pin: "M2 8h3.2M10.8 8H14M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6z",
  open: "M6 4l4 4-4 4",
  tree: "M2.5 3h11v10h-11zM6 3v10",
  inspector: "M2.5 3h11v10h-11zM10 3v10",
} as const;

export type SignName = keyof typeof SIGNS;

export function sign(name: SignName): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", class: "sign", "aria-hidden": "true" },
    svg("path", { d: SIGNS[name] }),
  );
}
