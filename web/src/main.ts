// The page: reads its data, builds its parts, and lets all of them follow one clock.
import { Table } from "./data/table";
import type { PageData } from "./data/types";
import { animate, Clock } from "./motion/clock";
import { bodyOf, Mechanism } from "./motion/mechanism";
import { PlotPanel } from "./plots/panel";
import style from "./style/page.css?inline";
import { banners } from "./ui/banner";
import { h } from "./ui/dom";
import { Inspector } from "./ui/inspector";
import { listenToKeys } from "./ui/keyboard";
import { Stage } from "./ui/stage";
import { summary } from "./ui/summary";
import { Tabs } from "./ui/tabs";
import { transport } from "./ui/transport";
import type { Picked } from "./view/picking";

/** What each element is, for the list of observables. */
function kindsOf({ scene }: PageData): Map<string, string> {
  return new Map([
    ...scene.arrows.map((a): [string, string] => [a.name, "force"]),
    ...scene.symbols.map((s): [string, string] => [s.name, s.kind.replace("_", " ")]),
    ...scene.bodies.map((b): [string, string] => [b.name, "body"]),
    ...scene.joints.map((j): [string, string] => [j.name, j.kind]),
  ]);
}

function header(data: PageData, chooser: HTMLElement | null): HTMLElement {
  const { failure } = data.summary;
  const state = h(
    "span",
    { class: failure ? "state failed" : "state" },
    failure ? "stopped early" : "completed",
  );
  return h(
    "header",
    { class: "head" },
    h("h1", {}, data.title),
    ...(chooser ? [chooser] : []),
    h("p", { title: data.description }, data.description),
    state,
  );
}

/** Show a page; the function returned closes it again. */
async function open(
  data: PageData,
  root: HTMLElement,
  chooser: HTMLElement | null = null,
): Promise<() => void> {
  const closing = new AbortController();
  const table = await Table.read(data);
  const clock = new Clock(table.timeline);
  const { events } = data.summary;

  let mechanism: Mechanism | null = null;
  const plots = new PlotPanel(table, clock, events, kindsOf(data), data.plots);
  const stage = new Stage(data, (picked) => select(picked));
  const inspector = new Inspector(data, table, clock, {
    plot: (name) => plots.add(name),
    trail: (reference) => stage.toggleTrail(reference),
    trails: () => stage.viewer?.trails.chosen ?? new Set(),
    shape: (body) => mechanism?.shape(body) ?? null,
    close: () => select(null),
  });
  const about = h(
    "div",
    { class: "about" },
    inspector.element,
    ...summary(data, clock),
    h("p", { class: "muted" }, `Made by Pliant ${data.version}.`),
  );
  const side = new Tabs([
    { name: "Plots", panel: plots.element },
    { name: "Model", panel: about },
  ]);

  const select = (picked: Picked | null) => {
    const chosen =
      picked?.kind === "frame" ? { element: bodyOf(picked.element), kind: "body" } : picked;
    stage.highlight(chosen);
    if (!chosen || chosen.element === "ground") return inspector.close();
    inspector.open(chosen.element, chosen.kind);
    side.show(1);
  };

  root.replaceChildren(
    header(data, chooser),
    ...banners(data.summary),
    h(
      "div",
      { class: "desk" },
      stage.element,
      transport(clock, () => events),
      side.element,
    ),
  );
  listenToKeys(clock, () => select(null), closing.signal);
  mechanism = await Mechanism.read(data.scene, table);
  await stage.open(mechanism, clock);
  animate(clock);
  if (chooser) clock.play();
  root.dataset.ready = "true";
  return () => {
    closing.abort();
    clock.pause();
    stage.viewer?.dispose();
  };
}

/** A page of modes: one of them is chosen from a list, and swings. */
function openModes(data: PageData, modes: Partial<PageData>[], root: HTMLElement): void {
  let close = () => {};
  let last = Promise.resolve();
  const show = (k: number) => {
    last = last.then(async () => {
      if (k !== list.selectedIndex) return; // another one was chosen meanwhile
      close();
      close = await open({ ...data, ...modes[k] }, root, list);
      list.focus();
    });
  };
  const list = h(
    "select",
    { "aria-label": "Mode", class: "modes", change: () => show(list.selectedIndex) },
    ...modes.map((m) => h("option", {}, m.mode ?? "")),
  );
  show(0);
}

const text = document.getElementById("pliant-data")!.textContent!;
const data = JSON.parse(text) as PageData;
const root = document.getElementById("pliant")!;
document.head.append(h("style", {}, style));
if (data.modes) openModes(data, data.modes, root);
else void open(data, root);
