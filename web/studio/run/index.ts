// What stands around the views: run button, clock, sliders.
import { effect } from "@preact/signals";
import { transport } from "../../src/ui/transport";
import { h } from "../../src/ui/dom";
import { choiceOf } from "../results/choice";
import { runsOf } from "../results/store";
import type { Studio } from "../studio";
import { clockOf } from "./clock";
import { collectFindings } from "./findings";
import { runControls as controls } from "./controls";
import "../../src/style/transport.css";
import "./run.css";

export { slidersPanel } from "./sliders";

export function runControls(studio: Studio): HTMLElement {
  runsOf(studio);
  choiceOf(studio);
  collectFindings(studio);
  return controls(studio);
}

/** Play, speed, slider, time; everything follows it. */
export function clockBar(studio: Studio): HTMLElement {
  const clock = clockOf(studio);
  const runs = runsOf(studio);
  const bar = transport(clock, () => runs.events());
  bar.querySelector(".play")!.setAttribute("data-command", "play");
  const empty = h("span", { class: "muted" });
  const element = h("div", { class: "clock-bar" }, bar, empty);
  effect(() => {
    runs.changed.value;
    const has = (runs.shown.value?.timeline.duration ?? 0) > 0;
    bar.toggleAttribute("inert", !has);
    bar.classList.toggle("idle", !has);
    empty.hidden = has || runs.shown.value !== null;
    empty.textContent = runs.motions().length ? "before any run" : "no run yet";
  });
  return element;
}
