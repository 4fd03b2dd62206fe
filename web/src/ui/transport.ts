// Play, scrub, speed, loop.
import type { EventData } from "../data/types";
import { type Clock, SPEEDS } from "../motion/clock";
import type { Timeline } from "../motion/timeline";
import { h, icon, toggle } from "./dom";

/** `events` are those of what the clock shows, asked for again when it shows something else. */
export function transport(clock: Clock, events: () => EventData[]): HTMLElement {
  const play = h("button", { type: "button", class: "play", click: () => clock.toggle() });
  const back = h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": "To the start",
      title: "To the start (Home)",
      click: () => clock.seek(clock.timeline.start),
    },
    icon("start"),
  );
  const readout = h("output", { class: "time" });
  const slider = h("input", {
    type: "range",
    class: "scrub",
    "aria-label": "Time",
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

  const track = h("div", { class: "track" }, slider);
  let timeline: Timeline | null = null;
  let words = (t: number) => `${t} s`;
  const measure = () => {
    timeline = clock.timeline;
    const { start, end, duration } = timeline;
    const digits = Math.min(6, Math.max(2, 3 - Math.floor(Math.log10(duration || 1))));
    words = (t) => `${t.toFixed(digits)} s`;
    slider.min = `${start}`;
    slider.max = `${end}`;
    track.replaceChildren(slider, ...marks(clock, events()));
  };

  let playing: boolean | null = null;
  clock.follow(() => {
    if (timeline !== clock.timeline) measure();
    if (playing !== clock.playing) {
      playing = clock.playing;
      const label = playing ? "Pause" : "Play";
      play.replaceChildren(icon(playing ? "pause" : "play"));
      play.setAttribute("aria-label", label);
      play.title = `${label} (space)`;
    }
    slider.value = `${clock.time}`;
    const { start, duration } = clock.timeline;
    slider.style.setProperty("--done", `${(100 * (clock.time - start)) / (duration || 1)}%`);
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
    track,
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
