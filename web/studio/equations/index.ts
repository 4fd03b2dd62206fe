import type { Studio, View } from "../studio";

export function equationsView(_studio: Studio): View {
  return { element: document.createElement("div") };
}
