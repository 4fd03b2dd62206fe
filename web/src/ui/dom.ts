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
  eye: "M12 6c5 0 8.5 4 10 6-1.5 2-5 6-10 6S3.5 14 2 12c1.5-2 5-6 10-6zm0 2.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
  closed:
    "M4.2 3L21 19.8 19.8 21l-3.3-3.3c-1.400.5-2.900.8-4.500.8-5 0-8.5-4-10-6 .9-1.2 2.4-3 4.5-4.3L3 4.2zM12 6c5 0 8.5 4 10 6-.7.9-1.7 2.1-3 3.2L9.3 6.4C10.2 6.1 11 6 12 6z",
  camera:
    "M9 4h6l1.5 2H20a1.5 1.5 0 0 1 1.5 1.5v11A1.5 1.5 0 0 1 20 20H4a1.5 1.5 0 0 1-1.5-1.5v-11A1.5 1.5 0 0 1 4 6h3.5zm3 4.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z",
  record: "M12 5a7 7 0 1 1 0 14 7 7 0 0 1 0-14z",
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
