// One clock for all views: the transport drives it, `studio.time` is its hand.
import { effect } from "@preact/signals";
import { animate, Clock, suitableSpeed } from "../../src/motion/clock";
import { Timeline } from "../../src/motion/timeline";
import { runsOf } from "../results/store";
import type { Studio } from "../studio";

const clocks = new WeakMap<Studio, Clock>();

export function clockOf(studio: Studio): Clock {
  const known = clocks.get(studio);
  if (known) return known;
  const clock = new Clock(new Timeline([0]));
  clocks.set(studio, clock);
  join(studio, clock);
  animate(clock);
  return clock;
}

function join(studio: Studio, clock: Clock): void {
  const runs = runsOf(studio);
  let shown: unknown = null;
  effect(() => {
    runs.changed.value;
    const now = runs.shown.value;
    if (!now) return;
    const { timeline } = now;
    const isOther = shown !== now;
    const longer = timeline.end > clock.timeline.end;
    shown = now;
    clock.take(timeline);
    if (isOther && !now.draft && timeline.duration > 0)
      clock.change({ speed: suitableSpeed(timeline.duration) });
    const goesOn =
      !now.draft &&
      [...studio.jobs.peek().values()].some((j) => j.state === "running" && j.run === now.id);
    if (goesOn && longer && !clock.playing) clock.seek(timeline.end);
  });
  clock.follow(() => (studio.time.value = clock.time));
  effect(() => {
    const time = studio.time.value;
    if (Number.isFinite(time) && time !== clock.time) clock.seek(time);
  });
}
