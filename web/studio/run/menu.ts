// A button with a panel below it, closed by Escape, by a click elsewhere, or by leaving it.
import { h } from "../../src/ui/dom";

export interface Menu {
  element: HTMLElement;
  panel: HTMLElement;
  open(isOpen?: boolean): void;
}

export function menu(
  label: string,
  title: string,
  fill: (panel: HTMLElement, close: () => void) => void,
): Menu {
  const panel = h("div", { class: "drop", role: "dialog", "aria-label": title, hidden: true });
  const button = h(
    "button",
    {
      type: "button",
      title,
      "aria-label": title,
      "aria-haspopup": "dialog",
      "aria-expanded": "false",
      click: () => open(panel.hidden),
    },
    label,
  );
  const away = (e: Event) => {
    if (!element.contains(e.target as Node)) open(false);
  };
  const open = (isOpen = true) => {
    panel.hidden = !isOpen;
    button.setAttribute("aria-expanded", `${isOpen}`);
    if (isOpen) {
      fill(panel, () => open(false));
      panel.querySelector<HTMLElement>("input, select, button")?.focus();
      document.addEventListener("pointerdown", away);
    } else document.removeEventListener("pointerdown", away);
  };
  const element = h("span", { class: "drop-place" }, button, panel);
  element.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || panel.hidden) return;
    e.preventDefault();
    e.stopPropagation();
    open(false);
    button.focus();
  });
  return { element, panel, open };
}
