// What the 3-D view shows: toggles, trails, directions to look from.
import { pretty } from "../plots/plot";
import type { Load } from "../data/types";
import { type Side, SIDES } from "../view/camera";
import { KINDS, type Names } from "../view/names";
import { filmType, Shots } from "../view/shots";
import { SHADES } from "../view/shade";
import type { Viewer } from "../view/viewer";
import { bodyMenu } from "./body_menu";
import { h, icon, toggle } from "./dom";
import { dropMenu } from "./menu";

export interface Toolbar {
  element: HTMLElement;
  /** What the lengths of the arrows stand for. */
  note: HTMLElement;
  /** Tick the trails that are shown. */
  refresh: () => void;
}

/** `title` names files of pictures and films. */
export function toolbar(viewer: Viewer, references: string[], title: () => string): Toolbar {
  const note = h("p", { class: "arrow-note", "aria-live": "polite" });
  const { names } = viewer;
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
    ...(viewer.bodies.names.length ? [bodyMenu(viewer)] : []),
    nameMenu(names),
    trails.element,
    ...sides(viewer),
    fit,
    ...shotButtons(new Shots(viewer, names, title)),
    ...(viewer.deforms ? [magnifier(viewer)] : []),
  );
  return { element, note, refresh: trails.refresh };
}

/** Where to look from, and how rays go. */
function sides(viewer: Viewer): HTMLElement[] {
  const free: [Side, string] = ["free", "3-D"];
  const along = Object.entries(SIDES).map(([side, eye]): [Side, string] => {
    const k = eye.findIndex((v) => v !== 0);
    return [side as Side, `from ${eye[k] > 0 ? "+" : "−"}${"xyz"[k]}`];
  });
  const title = "Direction to look from; along an axis by parallel rays";
  const perspective = toggle("Perspective", viewer.isPerspective, (on) => viewer.project(on), {
    title: "Rays that meet in the eye, or parallel ones",
  });
  const side = h(
    "select",
    {
      ...{ "aria-label": "Direction to look from", title },
      change: () => {
        viewer.lookFrom(side.value as Side);
        perspective.setAttribute("aria-pressed", `${viewer.isPerspective}`);
      },
    },
    ...[free, ...along].map(([value, name]) => h("option", { value }, name)),
  );
  side.value = viewer.lookedFrom;
  return [side, perspective];
}

function nameMenu(names: Names): HTMLElement {
  const boxes = KINDS.map((kind) => {
    const box = h("input", {
      ...{ type: "checkbox", checked: names.chosen.has(kind) },
      change: () => names.choose(kind, box.checked),
    });
    return h("label", {}, box, kind);
  });
  return dropMenu("Names", "Write names beside bodies, joints and frames", ...boxes);
}

/** Save a picture, record a film. */
function shotButtons(shots: Shots): HTMLElement[] {
  const picture = h(
    "button",
    {
      ...{ type: "button", "aria-label": "Save a picture", title: "Save a picture (PNG)" },
      click: () => shots.picture(),
    },
    icon("camera"),
  );
  const can = filmType() !== null;
  const what = "Record the run from its start to its end (WebM)";
  const record = h(
    "button",
    {
      ...{ type: "button", class: "record", "aria-pressed": "false", disabled: !can },
      ...{ "aria-label": "Record a film", title: can ? what : "This browser encodes no films" },
      click: () => {
        if (shots.isRecording) shots.stop();
        else shots.record(() => record.setAttribute("aria-pressed", `${shots.isRecording}`));
      },
    },
    icon("record"),
  );
  return [picture, record];
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
  const element = dropMenu("Trails", "Paths of chosen frames", ...boxes.map((b) => b.label));
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
