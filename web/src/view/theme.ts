// Colours of the picture, read from the style sheet so that light and dark agree with the page.
import { Color } from "three";

export interface Theme {
  bodies: Color[];
  background: Color;
  grid: Color;
  gridStrong: Color;
  steel: Color;
  ground: Color;
  axis: Color;
  force: Color;
  torque: Color;
  reaction: Color;
  moment: Color;
  highlight: Color;
  dark: boolean;
}

export const CURVE_COLORS = 8;

export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => new Color(style.getPropertyValue(name).trim());
  return {
    bodies: Array.from({ length: CURVE_COLORS }, (_, k) => color(`--color-${k}`)),
    background: color("--view"),
    grid: color("--grid"),
    gridStrong: color("--grid-strong"),
    steel: color("--steel"),
    ground: color("--ground"),
    axis: color("--joint-axis"),
    force: color("--force"),
    torque: color("--torque"),
    reaction: color("--reaction"),
    moment: color("--moment"),
    highlight: color("--highlight"),
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
  };
}
