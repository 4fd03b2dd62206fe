// Lines and numbers behind a chart.
import { svg } from "../ui/dom";
import type { Scale } from "./path";
import { tickLabels, ticks } from "./ticks";

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Mark {
  at: number;
  text: string;
}

/** Numbers with their labels; the last one names the unit. */
export function labelled(values: readonly number[], unit = ""): Mark[] {
  const labels = tickLabels([...values]);
  return values.map((at, k) => ({
    at,
    text: labels[k] + (unit && k === values.length - 1 ? ` ${unit}` : ""),
  }));
}

/** Round numbers within [low, high], more than two if there can be. */
export function marksOf(low: number, high: number, count: number): Mark[] {
  const few = ticks(low, high, count);
  return labelled(few.length > 2 ? few : ticks(low, high, 2 * count));
}

/** Across the chart at marks of y, upwards at marks of x. */
export function rules(box: Box, scale: Scale, x: readonly Mark[], y: readonly Mark[]) {
  const { left, right, top, bottom } = box;
  return [
    ...y.flatMap(({ at, text }) => {
      const place = scale.y(at);
      return [
        svg("line", { class: "rule", x1: left, x2: right, y1: place, y2: place }),
        svg(
          "text",
          { x: left - 6, y: place, "text-anchor": "end", "dominant-baseline": "central" },
          text,
        ),
      ];
    }),
    ...x.flatMap(({ at, text }) => {
      const place = scale.x(at);
      return [
        svg("line", { class: "rule", x1: place, x2: place, y1: top, y2: bottom }),
        svg("text", { x: place, y: bottom + 15, "text-anchor": "middle" }, text),
      ];
    }),
  ];
}
