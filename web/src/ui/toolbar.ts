// What the 3-D view shows: toggles, trails, directions to look from.
import { pretty } from "../plots/plot";
import type { Load } from "../data/types";
import type { Side } from "../view/camera";
import { SHADES } from "../view/shade";
import type { Viewer } from "../view/viewer";
import { h, toggle } from "./dom";

export interface Toolbar {
  element: HTMLElement;
  /** What the lengths of the arrows stand for. */
  note: HTMLElement;
  /** Tick the trails that are shown. */
  refresh: () => void;
}

export function toolbar(viewer: Viewer, references: string[]): Toolbar {
  const note = h("p", { class: "arrow-note", "aria-live": "polite" });
  let strongest = viewer.colours ? viewer.colour(viewer.colours) : 0;
  const explain = () => {
    const load = viewer.colours;
    note.replaceChildren(
      ...arrowNote(viewer),
      ...(load ? [loadNote(load, strongest, viewer)] : []),
    );
  };
  const layer = (label: string, title: string, object: () => { visible: boolean }) =>
    toggle(
      label,
      object().visible,
      (on) => {
        object().visible = on;
        explain();
        viewer.invalidate();
      },
      { title },
    );
  const buttons = [
    layer("Frames", "Show all frames", () => viewer.frames.all),
    layer("Joint axes", "Show the axes of the joints", () => viewer.joints.axes),
  ];
  if (!viewer.forces.isEmpty)
    buttons.push(layer("Forces", "Show applied forces and torques", () => viewer.forces.object));
  if (!viewer.reactions.isEmpty)
    buttons.push(
      layer(
        "Reactions",
        "Show the reactions of the joints on their second body",
        () => viewer.reactions.object,
      ),
    );
  buttons.push(
    layer(
      "Grid",
      `Ground grid; a square is ${viewer.floor.step} m wide`,
      () => viewer.floor.object,
    ),
  );
  const colours = colourMenu(viewer, (largest) => {
    strongest = largest;
    explain();
  });
  const trails = trailMenu(viewer, references);
  const side = h(
    "select",
    {
      "aria-label": "Direction to look from",
      title: "Direction to look from",
      change: () => viewer.fit(side.value as Side),
    },
    ...(
      [
        ["free", "3-D"],
        ["x", "along x"],
        ["y", "along y"],
        ["z", "along z"],
      ] as const
    ).map(([value, name]) => h("option", { value }, name)),
  );
  side.value = viewer.lookedFrom;
  explain();
  const fit = h(
    "button",
    { type: "button", title: "Bring the whole motion into view", click: () => viewer.fit() },
    "Fit",
  );
  const element = h(
    "div",
    { class: "toolbar", role: "toolbar", "aria-label": "What the view shows" },
    ...buttons,
    ...(viewer.bodies.loads.length ? [colours] : []),
    trails.element,
    side,
    fit,
    ...(viewer.deforms ? [magnifier(viewer)] : []),
  );
  return { element, note, refresh: trails.refresh };
}

const MAGNIFIED =
  "Draw deflections larger than they are: undeformed shape + factor × (deformed − undeformed). " +
  "The undeformed shape lies between the ends of a beam that joints hold at both, " +
  "otherwise in its floating frame. Angles of bending grow accordingly. " +
  "Other bodies, and all plots, stay true. Double click: true size.";

/** A slider from 1 to 1000, logarithmic. */
function magnifier(viewer: Viewer): HTMLElement {
  const readout = h("output", {});
  const show = () => {
    const factor = Number((10 ** slider.valueAsNumber).toPrecision(2));
    readout.textContent = `${factor}×`;
    slider.setAttribute("aria-valuetext", `${factor} times`);
    viewer.magnify(factor);
  };
  const slider = h("input", {
    type: "range",
    min: 0,
    max: 3,
    step: "any",
    value: Math.log10(viewer.magnification),
    "aria-label": "Magnification of deflections",
    input: show,
    dblclick: () => {
      slider.value = "0";
      show();
    },
  });
  show();
  return h("label", { class: "magnifier", title: MAGNIFIED }, "Deflection", slider, readout);
}

function trailMenu(viewer: Viewer, references: string[]) {
  const boxes = references.map((reference) => {
    const box = h("input", { type: "checkbox", change: () => viewer.toggleTrail(reference) });
    return { reference, box, label: h("label", {}, box, reference) };
  });
  const element = h(
    "details",
    { class: "menu" },
    h("summary", { title: "Paths of chosen frames" }, "Trails"),
    h("div", { class: "menu-list" }, ...boxes.map((b) => b.label)),
  );
  const away = (e: Event) => {
    if (!element.contains(e.target as Node)) element.open = false;
  };
  element.addEventListener("toggle", () => {
    if (element.open) document.addEventListener("pointerdown", away);
    else document.removeEventListener("pointerdown", away);
  });
  const refresh = () => {
    const { chosen } = viewer.trails;
    for (const { reference, box } of boxes) box.checked = chosen.has(reference);
  };
  refresh();
  return { element, refresh };
}

export const LOADS: Record<Load, [name: string, unit: string]> = {
  moment: ["Bending moment", "N*m"],
  force: ["Normal force", "N"],
  stress: ["Stress", "Pa"],
};

/** What beams are coloured by: a choice of what is known. */
function colourMenu(viewer: Viewer, chosen: (largest: number) => void): HTMLElement {
  const title = "Colour beams by what their sections pass on";
  const menu = h(
    "select",
    {
      ...{ "aria-label": title, title, class: "colours" },
      change: () => chosen(viewer.colour((menu.value || null) as Load | null)),
    },
    h("option", { value: "" }, "Plain"),
    ...viewer.bodies.loads.map((load) => h("option", { value: load }, LOADS[load][0])),
  );
  menu.value = viewer.colours ?? "";
  return menu;
}

function loadNote(load: Load, largest: number, viewer: Viewer): HTMLElement {
  const scale = h("i", { class: "scale", style: `background: linear-gradient(90deg, ${SHADES})` });
  const [name, unit] = LOADS[load];
  const most = Number(largest.toPrecision(3));
  const from = load === "force" ? `compression ${most}` : "0";
  const to = `${load === "force" ? "tension " : ""}${most} ${pretty(unit)}`;
  const whose = viewer.bodies.tellOfShapes ? " of the shapes" : "";
  return h("span", {}, `${name}${whose}: ${from} `, scale, ` ${to}`);
}

function arrowNote(viewer: Viewer): HTMLElement[] {
  const units = { force: "N", torque: pretty("N*m") };
  return [viewer.forces, viewer.reactions]
    .filter((a) => a.object.visible)
    .map((arrows) => {
      const sizes = arrows
        .meaning(viewer.floor.step)
        .map(([q, size]) => `${Number(size.toPrecision(2))} ${units[q]}`);
      const [kind, who] =
        arrows === viewer.forces ? ["applied", "Forces"] : ["reaction", "Reactions"];
      return h("span", { class: kind }, `${who}: ${sizes.join(" or ")} to a square of the grid`);
    });
}
