// Power on the bonds of a pane, at the time shown: at once, but at most thirty times a second.
import { effect, untracked } from "@preact/signals";
import type { Studio } from "../../studio";
import type { GraphData } from "../data";
import type { BondDrawing } from "../drawing/bond";
import { bondPower, Flows } from "../power";
import type { GraphPane } from "./pane";

const PAUSE = 33;
const WORDS = { label: "band and arrow: power at the time shown", colour: "", dashed: false };

export class PowerShown {
  private readonly flows = new Flows();
  private drawing: BondDrawing | null = null;
  private legend: GraphData["legend"] = [];
  private latest = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly stops: (() => void)[];

  constructor(
    private readonly studio: Studio,
    private readonly pane: GraphPane,
  ) {
    this.stops = [
      effect(() => {
        void bondPower.value;
        untracked(() => this.renew());
      }),
      effect(() => {
        const time = studio.time.value;
        untracked(() => this.tick(time));
      }),
    ];
  }

  /** Another drawing. */
  show(drawing: BondDrawing, legend: GraphData["legend"]): void {
    [this.drawing, this.legend] = [drawing, legend];
    drawing.onScale = (scale) => this.flows.scaled(scale);
    this.renew();
  }

  dispose(): void {
    for (const stop of this.stops) stop();
    if (this.timer) clearTimeout(this.timer);
  }

  private renew(): void {
    const power = bondPower.peek();
    if (this.drawing) this.pane.showLegend(power ? [...this.legend, WORDS] : this.legend);
    this.flows.show(this.drawing?.bonds ?? [], power);
    this.flows.at(this.studio.time.peek());
  }

  private tick(time: number): void {
    if (bondPower.peek() === null) return;
    this.latest = time;
    if (this.timer) return;
    this.flows.at(time);
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.latest !== time) this.tick(this.latest);
    }, PAUSE);
  }
}
