// Tree at the left, panes in the middle, inspector at the right, with lines between that move.
import { effect } from "@preact/signals";
import { h } from "../../src/ui/dom";
import { type Arrangement, clampWidth } from "./arrangement";
import { divider } from "./divider";

export function sides(
  arrangement: Arrangement,
  tree: HTMLElement,
  desk: HTMLElement,
  inspector: HTMLElement,
): HTMLElement {
  const element = h("div", { class: "middle" });
  if (arrangement.only) {
    element.append(desk);
    return element;
  }
  const { treeWidth, inspectorWidth } = arrangement;
  const left = h("nav", { class: "side left", "aria-label": "Tree", tabindex: -1 }, tree);
  const right = h(
    "aside",
    { class: "side right", "aria-label": "Inspector", tabindex: -1 },
    inspector,
  );
  const frame = () => element.getBoundingClientRect();
  const leftLine = divider({
    along: "row",
    label: "Width of the tree",
    frame,
    now: () => treeWidth.value,
    move: (at) => (treeWidth.value = clampWidth(at)),
    reset: () => (treeWidth.value = 232),
  });
  const rightLine = divider({
    along: "row",
    label: "Width of the inspector",
    frame,
    now: () => frame().width - inspectorWidth.value,
    move: (at) => (inspectorWidth.value = clampWidth(frame().width - at)),
    reset: () => (inspectorWidth.value = 288),
  });
  effect(() => {
    left.hidden = leftLine.hidden = !arrangement.tree.value;
    right.hidden = rightLine.hidden = !arrangement.inspector.value;
    left.style.width = `${treeWidth.value}px`;
    right.style.width = `${inspectorWidth.value}px`;
  });
  element.append(left, leftLine, desk, rightLine, right);
  return element;
}
