// Curves of all runs over time, in the colours of a column. A click chooses the run beside it.
import { Timeline } from "../motion/timeline";
import { drag } from "../plots/gestures";
import { curvePath, range, type Scale, visible } from "../plots/path";
import { labelled, marksOf, rules } from "../plots/rules";
import { ticks } from "../plots/ticks";
import { TimeWindow } from "../plots/window";
import { svg } from "../ui/dom";
import type { Choice } from "./choice";
import { away, nearest, type Point } from "./nearest";
import { pressed } from "./press";
import { strokes } from "./strokes";

const HEIGHT = 270;
const MARGIN = { left: 64, right: 18, top: 12, bottom: 44 };
const NEAR = 16;

export class Family {
  readonly element = svg("svg", {
    ...{ class: "chart family", height: HEIGHT, role: "img" },
    "aria-label": "Curves of all runs over time",
  });
  readonly window: TimeWindow;
  private readonly times: Float64Array;
  private scale: Scale = { x: () => 0, y: () => 0 };
  private width = 400;
  /** Among the runs drawn, by place among all. */
  private readonly places: Map<number, number>;

  constructor(private readonly choice: Choice) {
    const { data } = choice.runs;
    this.times = Float64Array.from(data.time);
    this.places = new Map(data.drawn.map((run, n) => [run, n]));
    this.window = new TimeWindow(new Timeline(data.time.length ? data.time : [0, 1]));
    drag(
      this.element,
      this.window,
      (x) => this.timeAt(x),
      () => {},
    );
    pressed(this.element, { click: (at) => this.click(at) });
    this.window.follow(() => this.draw(this.width));
  }

  private timeAt(x: number): number {
    const { from, to } = this.window;
    return from + ((x - MARGIN.left) / (this.width - MARGIN.left - MARGIN.right)) * (to - from);
  }

  private curve(run: number): Float32Array {
    return this.choice.runs.curve(this.choice.curve, this.places.get(run)!);
  }

  draw(width: number): void {
    this.width = width;
    const { choice, times } = this;
    const { from, to } = this.window;
    const inner = Math.max(width - MARGIN.left - MARGIN.right, 1);
    const bottom = HEIGHT - MARGIN.bottom;
    const [first, last] = visible(times, from, to);
    const [low, high] = this.limits(first, last);
    this.scale = {
      x: (t) => MARGIN.left + ((t - from) / (to - from || 1)) * inner,
      y: (v) => bottom - ((v - low) / (high - low)) * (bottom - MARGIN.top),
    };
    this.element.setAttribute("width", `${width}`);
    const clip = svg("svg", {
      ...{ x: MARGIN.left, y: 0, width: inner, height: HEIGHT },
      viewBox: `${MARGIN.left} 0 ${inner} ${HEIGHT}`,
    });
    const { run } = choice;
    const hidden = run !== null && !this.places.has(run);
    if (hidden) choice.run = null; // it has no curve here
    clip.append(
      ...strokes(choice, {
        ...{ name: "run-curve", by: choice.colour, runs: this.places.keys() },
        piece: (k) => curvePath(times, this.curve(k), first, last, this.scale, inner),
      }),
    );
    if (hidden) choice.run = run;
    const box = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom };
    const x = labelled(ticks(from, to, Math.max(2, width / 90)), "s");
    this.element.replaceChildren(...rules(box, this.scale, x, marksOf(low, high, 4)), clip);
  }

  private limits(first: number, last: number): [number, number] {
    let [low, high] = [Infinity, -Infinity];
    for (const run of this.places.keys()) {
      const [a, b] = range(this.curve(run), first, last);
      if (a < low) low = a;
      if (b > high) high = b;
    }
    if (!(high >= low)) return [-1, 1];
    const room = high > low ? 0.06 * (high - low) : 0.5 * Math.abs(high) || 1;
    return [low - room, high + room];
  }

  private click(at: Point): void {
    const { choice, times, scale } = this;
    const [first, last] = visible(times, this.timeAt(at[0] - NEAR), this.timeAt(at[0] + NEAR));
    const point = (values: Float32Array, k: number): Point => [
      scale.x(times[k]),
      scale.y(values[k]),
    ];
    const run = nearest(
      [...this.places.keys()].filter((k) => choice.taken[k]),
      (own) => {
        const values = this.curve(own);
        let least = Infinity;
        for (let k = first; k < last; k++) {
          const d = away(at, point(values, k), point(values, k + 1));
          if (d < least) least = d;
        }
        return least;
      },
      NEAR,
    );
    choice.change(() => (choice.run = run));
  }
}
