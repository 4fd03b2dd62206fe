// Play, scrub, speed, loop.
import type { EventData } from "../data/types";
import { type Clock, SPEEDS } from "../motion/clock";
import { h, icon, toggle } from "./dom";

export function transport(clock: Clock, events: EventData[]): HTMLElement {
  const { timeline } = clock;
  const digits = Math.min(6, Math.max(2, 3 - Math.floor(Math.log10(timeline.duration || 1))));
  const words = (t: number) => `${t.toFixed(digits)} s`;
  const play = h("button", { type: "button", class: "play", click: () => clock.toggle() });
  const back = h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": "To the start",
      title: "To the start (Home)",
      click: () => clock.seek(timeline.start),
    },
    icon("start"),
  );
  const readout = h("output", { class: "time" });
  const slider = h("input", {
    type: "range",
    class: "scrub",
    "aria-label": "Time",
    min: timeline.start,
    max: timeline.end,
    step: "any",
    input: () => clock.seek(slider.valueAsNumber),
  });
  const speed = h(
    "select",
    {
      "aria-label": "Speed of playing",
      title: "Speed of playing",
      change: () => clock.change({ speed: Number(speed.value) }),
    },
    ...SPEEDS.map((s) => h("option", { value: s }, s === 1 ? "real time" : `${s}×`)),
  );
  const loop = toggle("", clock.loop, (on) => clock.change({ loop: on }), {
    class: "quiet",
    "aria-label": "Play in a loop",
    title: "Play in a loop",
  });
  loop.append(icon("loop"));

  let playing: boolean | null = null;
  clock.follow(() => {
    if (playing !== clock.playing) {
      playing = clock.playing;
      const label = playing ? "Pause" : "Play";
      play.replaceChildren(icon(playing ? "pause" : "play"));
      play.setAttribute("aria-label", label);
      play.title = `${label} (space)`;
    }
    slider.value = `${clock.time}`;
    slider.style.setProperty(
      "--done",
      `${(100 * (clock.time - timeline.start)) / (timeline.duration || 1)}%`,
    );
    slider.setAttribute("aria-valuetext", words(clock.time));
    readout.textContent = words(clock.time);
    speed.value = `${clock.speed}`;
  });
  return h(
    "div",
    { class: "transport", role: "group", "aria-label": "Playing" },
    back,
    play,
    readout,
    h("div", { class: "track" }, slider, ...marks(clock, events)),
    speed,
    loop,
  );
}

/** A mark on the slider for each event, which leads there. */
function marks(clock: Clock, events: EventData[]): HTMLElement[] {
  const { start, duration } = clock.timeline;
  return events.map((e) => {
    const label = `${e.name} at ${e.time.toPrecision(5)} s`;
    const left = `left: ${(100 * (e.time - start)) / (duration || 1)}%`;
    return h("button", {
      type: "button",
      class: "mark",
      style: left,
      "aria-label": `Go to event ${label}`,
      title: label,
      click: () => clock.seek(e.time),
    });
  });
}
