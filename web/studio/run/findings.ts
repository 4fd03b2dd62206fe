// What analyses other than a run have found: statics, modes, verify, advise, the power audit.
import { effect, signal } from "@preact/signals";
import { readable } from "../../src/plots/ticks";
import { h, icon } from "../../src/ui/dom";
import { bondPower } from "../graph/power";
import type { Frame, JobData } from "../protocol";
import { runsOf } from "../results/store";
import type { Studio } from "../studio";
import { clockOf } from "./clock";
import { isUnderWay, progressText } from "./remaining";
import { type Flow, joules, sankey } from "./sankey";
import { type SweepFound, sweepPicture } from "./sweeping";

interface ModeData {
  mode: number;
  frequency: number | null;
  damping: number | null;
  growth: number | null;
  label: string;
  rigid?: boolean;
  run?: number | null;
}

interface Found {
  text?: string;
  modes?: ModeData[];
  stability?: string;
  load_factor?: number;
  agree?: boolean;
  flow?: Flow;
  sweep?: SweepFound["sweep"];
  audit?: { residual: number; turnover: number; start: number; end: number };
}

const TITLES: Record<string, string> = {
  sweep: "Sweep",
  statics: "Statics",
  modes: "Modes",
  verify: "Verification",
  advise: "Advice",
  audit: "Power audit",
};
const KEPT = 4;
/** Of one analysis: the newest, and one to compare it with. */
const ALIKE = 2;

interface Card {
  job: JobData;
  /** Phases it has been through. */
  lines: string[];
}

/** How many of the cards are of the same analysis. */
const alike = ({ job }: Card, cards: readonly Card[]) =>
  cards.filter((c) => c.job.analysis === job.analysis).length;

class Store {
  readonly cards = signal<readonly Card[]>([]);
  private readonly closed = new Set<number>();
  private readonly folded = new Map<number, boolean>();

  constructor(studio: Studio) {
    studio.connection.on<Frame>("powers", fillPower);
    effect(() => {
      for (const job of studio.jobs.value.values()) this.take(job);
    });
  }

  private take(job: JobData): void {
    if (!(job.analysis in TITLES) || job.draft || this.closed.has(job.id)) return;
    const cards = this.cards.peek();
    const known = cards.find((c) => c.job.id === job.id);
    if (known?.job === job) return;
    const lines = known?.lines ?? [];
    if (job.phase && lines.at(-1) !== job.phase) lines.push(job.phase);
    const card = { job, lines };
    if (!known) this.folded.clear();
    const all = [card, ...cards.filter((c) => c !== known)].sort((a, b) => b.job.id - a.job.id);
    const kept = all.filter((c, k) => k < KEPT && alike(c, all.slice(0, k)) < ALIKE);
    for (const { job } of all.filter((c) => !kept.includes(c))) this.closed.add(job.id);
    this.cards.value = kept;
  }

  /** The newest is open, others as the user left them. */
  isOpen(id: number): boolean {
    return !(this.folded.get(id) ?? this.cards.value[0]?.job.id !== id);
  }

  fold(id: number, isFolded: boolean): void {
    this.folded.set(id, isFolded);
  }

  close(id: number): void {
    this.closed.add(id);
    this.cards.value = this.cards.value.filter((c) => c.job.id !== id);
  }
}

/** The bonds of the graphs get their power. */
function fillPower({ header, time, columns }: Frame): void {
  const power = new Map(header.series.map((s) => [s.name, columns[s.column]]));
  bondPower.value = { times: time, power };
}

const stores = new WeakMap<Studio, Store>();

function storeOf(studio: Studio): Store {
  const known = stores.get(studio) ?? new Store(studio);
  stores.set(studio, known);
  return known;
}

/** Begin to collect, before any view is open. */
export function collectFindings(studio: Studio): void {
  storeOf(studio);
}

/** Pictures of sweeps, by their jobs: what is chosen in them stays. */
type Pictures = Map<number, HTMLElement>;

export function findingsOf(studio: Studio): { element: HTMLElement; dispose(): void } {
  const store = storeOf(studio);
  const element = h("div", { class: "findings" });
  const pictures: Pictures = new Map();
  const dispose = effect(() => {
    const shown = runsOf(studio).shown.value?.id;
    studio.runs.value;
    const cards = store.cards.value;
    const ids = new Set(cards.map((c) => c.job.id));
    for (const id of pictures.keys()) if (!ids.has(id)) pictures.delete(id);
    element.replaceChildren(...cards.map((c) => card(studio, store, pictures, c, shown)));
  });
  return { element, dispose };
}

function card(
  studio: Studio,
  store: Store,
  pictures: Pictures,
  { job, lines }: Card,
  shown?: number,
): HTMLElement {
  const title = TITLES[job.analysis];
  const label = `Close ${title}`;
  const close = (event: Event) => {
    event.preventDefault();
    store.close(job.id);
  };
  return h(
    "details",
    {
      ...{ class: "finding", "data-analysis": job.analysis, "data-state": job.state },
      open: store.isOpen(job.id),
      toggle: (event: Event) =>
        store.fold(job.id, !(event.currentTarget as HTMLDetailsElement).open),
    },
    h(
      "summary",
      {},
      h("h2", {}, title),
      h("span", { class: "muted" }, isUnderWay(job) ? progressText(job) : ""),
      h(
        "button",
        {
          ...{ type: "button", class: "quiet", title: label, "aria-label": label },
          click: close,
        },
        icon("close"),
      ),
    ),
    ...content(studio, pictures, job, lines, shown),
  );
}

function content(
  studio: Studio,
  pictures: Pictures,
  job: JobData,
  lines: string[],
  shown?: number,
): HTMLElement[] {
  const found = (job.data ?? {}) as Found;
  const parts: HTMLElement[] = [];
  if (job.failure) parts.push(h("p", { class: "failed" }, `⚠ ${job.failure}`));
  if (isUnderWay(job)) {
    const log = h("ol", { class: "log" }, ...lines.slice(-6).map((line) => h("li", {}, line)));
    return [...parts, log];
  }
  if (job.state === "stopped") parts.push(h("p", { class: "muted" }, "stopped"));
  if (found.sweep) {
    const known = pictures.get(job.id) ?? sweepPicture(studio, found as SweepFound);
    pictures.set(job.id, known);
    parts.push(known);
  }
  if (found.modes) parts.push(modeTable(studio, found.modes, job, shown));
  else if (found.stability || found.load_factor !== undefined) parts.push(statics(found));
  if (found.flow) parts.push(...audit(studio, found));
  else if (found.text && !found.modes) {
    if (found.agree !== undefined) parts.push(verdict(found.agree));
    parts.push(h("pre", { class: "report" }, found.text));
  }
  return parts;
}

function verdict(agree: boolean): HTMLElement {
  const text = agree ? "✓ All formulations agree." : "⚠ Formulations disagree.";
  return h("p", { class: agree ? "good" : "failed" }, text);
}

function statics({ stability, load_factor }: Found): HTMLElement {
  const words = [
    stability ? `The equilibrium is ${stability}.` : "",
    load_factor !== undefined && load_factor !== 1
      ? `Load factor reached: ${Number(load_factor.toPrecision(4))}.`
      : "",
  ];
  return h("p", {}, words.filter(Boolean).join(" "));
}

/** A click on a mode plays its moving shape on the stage. */
function modeTable(studio: Studio, modes: ModeData[], job: JobData, shown?: number): HTMLElement {
  const first = job.run;
  const rows = modes.map((m, k) => {
    const run = m.run ?? (first === null ? null : runOfMode(studio, first, k, modes.length));
    const play = () => {
      if (run === null) return;
      void runsOf(studio)
        .choose(run)
        .then(() => clockOf(studio).play());
    };
    const isShown = run !== null && run === shown;
    const unstable = (m.growth ?? 0) > 1e-9;
    return h(
      "tr",
      { class: isShown ? "shown" : "" },
      h("td", {}, `${m.mode}`),
      h("td", {}, m.rigid ? "0" : number(m.frequency)),
      h("td", {}, m.rigid ? "–" : number(m.damping)),
      h(
        "td",
        {},
        run === null
          ? m.label
          : h(
              "button",
              { type: "button", class: "link", title: "Play its shape", click: play },
              `▶ ${m.label}`,
            ),
      ),
      h("td", { class: "failed" }, unstable ? "⚠ grows" : ""),
    );
  });
  return h(
    "table",
    { class: "numbers modes" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...["mode", "Hz", "damping", "shape", ""].map((t) => h("th", { scope: "col" }, t)),
      ),
    ),
    h("tbody", {}, ...rows),
  );
}

/** The run that holds the shape of a mode, if there is one. */
function runOfMode(studio: Studio, first: number, k: number, count: number): number | null {
  const own = studio.runs.value.filter(
    (r) => r.analysis === "modes" && r.id >= first && r.id < first + Math.max(count, 32),
  );
  return own.length === count ? own[k].id : (own.find((r) => r.id === first + k)?.id ?? null);
}

function number(value: number | null): string {
  return value === null ? "–" : readable(value);
}

function audit(studio: Studio, found: Found): HTMLElement[] {
  const book = found.audit;
  const seconds = (t: number) => Number(t.toPrecision(4));
  const summary = book
    ? `${seconds(book.start)} to ${seconds(book.end)} s; ${joules(book.residual)} of ` +
      `${joules(book.turnover)} are unaccounted for. Bonds are drawn by their power.`
    : "";
  const picture = h("div", { class: "sankey-place" });
  picture.append(sankey(found.flow!, (element) => studio.select([element])));
  const text = found.text
    ? [h("details", {}, h("summary", {}, "in numbers"), h("pre", { class: "report" }, found.text))]
    : [];
  return [h("p", { class: "muted" }, summary), picture, ...text];
}
