// The list of bodies: which are seen, and how far one sees through them.
import type { Viewer } from "../view/viewer";
import { h, icon, toggle } from "./dom";
import { dropMenu } from "./menu";

/** From which number on one can search. */
const MANY = 12;

export function bodyMenu(viewer: Viewer): HTMLElement {
  const rows = h("div", { class: "bodies" });
  const search = h("input", {
    ...{ type: "search", placeholder: "Search", "aria-label": "Search bodies" },
    input: () => fill(),
  });
  const all = (visible: boolean) => {
    for (const name of viewer.bodies.names) viewer.dress(name, { visible });
    fill();
  };
  const fill = () => {
    const wanted = viewer.bodies.names.filter((name) =>
      name.toLowerCase().includes(search.value.trim().toLowerCase()),
    );
    rows.replaceChildren(...wanted.map((name) => row(viewer, name)));
  };
  const head = h(
    "div",
    { class: "bodies-head" },
    h("button", { type: "button", click: () => all(true) }, "Show all"),
    h("button", { type: "button", click: () => all(false) }, "Hide all"),
  );
  const tools = viewer.bodies.names.length > MANY ? [search, head] : [head];
  const menu = dropMenu("Bodies", "Show and hide bodies, or see through them", ...tools, rows);
  menu.addEventListener("toggle", () => menu.open && fill());
  return menu;
}

function row(viewer: Viewer, name: string): HTMLElement {
  const { visible, opacity } = viewer.bodies.look(name);
  const eye = toggle(
    "",
    visible,
    (on) => {
      viewer.dress(name, { visible: on });
      eye.replaceChildren(icon(on ? "eye" : "closed"));
    },
    { class: "quiet", "aria-label": `Show ${name}`, title: `Show or hide ${name}` },
  );
  eye.append(icon(visible ? "eye" : "closed"));
  const slider = h("input", {
    ...{ type: "range", min: 0, max: 1, step: 0.05, value: opacity },
    ...{ "aria-label": `Opacity of ${name}`, title: `Opacity of ${name}` },
    input: () => viewer.dress(name, { opacity: slider.valueAsNumber }),
  });
  const swatch = h("i", { style: `background: ${viewer.bodies.colourOf(name)}` });
  return h("div", { class: "body" }, eye, swatch, h("span", {}, name), slider);
}
