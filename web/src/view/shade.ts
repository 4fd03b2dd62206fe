// Colours of numbers from 0 to 1, readable for the colour-blind: dark blue to yellow.
import { Color } from "three";

export const SHADES = [
  "#352a87",
  "#0f5cdd",
  "#1481d6",
  "#06a4ca",
  "#2eb7a4",
  "#87bf77",
  "#d1bb59",
  "#fec832",
  "#f9fb0e",
];
const colors = SHADES.map((name) => new Color(name));

export function shade(value: number): Color {
  const place = Math.min(Math.max(value || 0, 0), 1) * (colors.length - 1);
  const k = Math.min(Math.floor(place), colors.length - 2);
  return new Color().lerpColors(colors[k], colors[k + 1], place - k);
}
