// Elements in one line each.

type Child = Node | string;
type Attributes = Record<string, string | number | boolean | ((event: never) => void)>;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function")
      element.addEventListener(key, value as unknown as EventListener);
    else if (key === "style") (element as unknown as HTMLElement).style.cssText = `${value}`;
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else element.setAttribute(key, `${value}`);
  }
  element.append(...children);
  return element;
}

/** An HTML element; functions among the attributes are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

const ICONS = {
  play: "M7 4.5v15l13-7.5z",
  pause: "M6 4.5h4.5v15H6zM13.5 4.5H18v15h-4.5z",
  start: "M5 4.5h3v15H5zM20 4.5v15L9 12z",
  loop: "M17 3l4 4-4 4V8H7a3 3 0 0 0-3 3v1H2v-1a5 5 0 0 1 5-5h10zM7 21l-4-4 4-4v3h10a3 3 0 0 0 3-3v-1h2v1a5 5 0 0 1-5 5H7z",
  close:
    "M6.4 5L12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z",
  plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  minus: "M5 11h14v2H5z",
  reset: "M8 7v3h8V7l5 5-5 5v-3H8v3l-5-5z",
};

export function icon(name: keyof typeof ICONS): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svg("path", { d: ICONS[name] }),
  );
}

/** A button that stays pressed. */
export function toggle(
  label: string,
  pressed: boolean,
  change: (pressed: boolean) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const button = h(
    "button",
    { type: "button", "aria-pressed": `${pressed}`, ...attributes },
    label,
  );
  button.addEventListener("click", () => {
    const now = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", `${now}`);
    change(now);
  });
  return button;
}
