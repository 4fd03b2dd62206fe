// A button that opens a list; a press elsewhere or Escape closes it.
import { h } from "./dom";

export function dropMenu(name: string, title: string, ...rows: Node[]): HTMLDetailsElement {
  const list = h("div", { class: "menu-list" }, ...rows);
  const element = h("details", { class: "menu" }, h("summary", { title }, name), list);
  const stay = () => {
    list.style.left = "";
    const room = element.closest(".stage")?.getBoundingClientRect().right ?? innerWidth;
    const beyond = list.getBoundingClientRect().right + 8 - room;
    if (beyond > 0) list.style.left = `${-beyond}px`;
  };
  const away = (e: Event) => {
    if (!element.contains(e.target as Node)) element.open = false;
  };
  element.addEventListener("toggle", () => {
    if (element.open) {
      document.addEventListener("pointerdown", away);
      requestAnimationFrame(stay); // when its rows are there
    } else document.removeEventListener("pointerdown", away);
  });
  element.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !element.open) return;
    e.stopPropagation();
    element.open = false;
    element.querySelector("summary")!.focus();
  });
  return element;
}
