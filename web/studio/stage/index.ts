// The 3-D view: the assembled start before any run, then the run or the draft that is shown.
import { effect, untracked } from "@preact/signals";
import { Table } from "../../src/data/table";
import type { PageData } from "../../src/data/types";
import { Mechanism } from "../../src/motion/mechanism";
import { h } from "../../src/ui/dom";
import { type Toolbar, toolbar } from "../../src/ui/toolbar";
import type { Picked } from "../../src/view/picking";
import { Viewer } from "../../src/view/viewer";
import type { StartData } from "../protocol";
import type { Recording } from "../results/recording";
import { runsOf } from "../results/store";
import { clockOf } from "../run/clock";
import { NewestNext } from "../run/queue";
import type { Studio, View } from "../studio";
import { bondView } from "../graph";
import { beginning, drawnBySoftware, failureText, isBare, isNetwork, sceneKey } from "./drawing";
import type { StageContext } from "./tools/context";
import { usualPlane, WorkPlane } from "./tools/plane";
import { StageTools } from "./tools/tools";
import "../../src/style/stage.css";
import "./stage.css";

const PAUSE = 250;

const OLDER = "the model has faults: this is what it was before them";
const NOTHING = "the model has faults: it is drawn when they are cured";
const ASSEMBLING = "assembling the mechanism …";
/** Milliseconds after which it is said that there is something to wait for. */
const PATIENCE = 600;

export function stageView(studio: Studio): View {
  return new StudioStage(studio);
}

/** What is to be drawn: a run with its numbers, or the start. */
type Shown = { recording: Recording } | { start: StartData };

class StudioStage implements View, StageContext {
  readonly element = h("div", { class: "stage studio-stage", "aria-label": "3-D view" });
  private readonly runs;
  private readonly clock;
  readonly canvas = h("canvas", {
    ...{ role: "img", "aria-label": "Moving picture of the mechanism", tabindex: 0 },
  });
  private readonly tip = h("div", { class: "tip", hidden: true });
  private readonly message = h("p", { class: "stage-message", role: "status", hidden: true });
  private readonly ends: (() => void)[] = [];
  private readonly drawing = new NewestNext<Shown>((shown) => this.show(shown));
  viewer: Viewer | null = null;
  readonly plane = new WorkPlane();
  readonly tools: HTMLElement | undefined;
  readonly actions: View["actions"];
  private readonly building: StageTools | null = null;
  private readonly hint = beginning(() => this.actions!.add());
  /** What is shown of a model that is all network. */
  private graph: View | null = null;
  /** Only the ground is drawn, with its axes. */
  private isBare = false;
  private bar: Toolbar | null = null;
  private readonly context: WebGL2RenderingContext | null;
  private readonly isSoftware: boolean;
  /** The scene drawn, as text: one that is the same needs no new meshes. */
  private drawn = "";
  private start: StartData | null = null;
  private asked = -1;
  private newest: Recording | null = null;
  /** What the tools were made for. */
  private offered = "";
  /** Forces, reactions and what sections pass on are fetched. */
  private withArrows = false;
  /** Runs of which they were. */
  private readonly fetched = new Set<number>();

  constructor(readonly studio: Studio) {
    this.runs = runsOf(studio);
    this.clock = clockOf(studio);
    this.isSoftware = drawnBySoftware();
    this.context = this.canvas.getContext("webgl2", {
      antialias: !this.isSoftware,
      powerPreference: "high-performance",
    });
    if (this.context) {
      this.building = new StageTools(this, this.plane);
      this.tools = this.building.bar;
      this.actions = this.building.actions;
      // what is built is put on the stage: a graph makes room until something is shown again
      this.tools.addEventListener(
        "click",
        (e) => (e.target as Element).closest("[data-tool]") && this.showGraph(false),
        { capture: true },
      );
      this.begin();
    } else this.explain(NO_WEBGL);
  }

  private begin(): void {
    this.element.prepend(this.canvas);
    this.element.append(this.tip, this.message, this.hint);
    this.runs.hasStage = true;
    this.canvas.addEventListener("webglcontextlost", () => this.explain(LOST));
    this.follow();
  }

  private explain(text: string): void {
    this.dispose();
    this.element.replaceChildren(h("p", { class: "explain", role: "status" }, text));
  }

  private follow(): void {
    const { studio, runs } = this;
    let timer: ReturnType<typeof setTimeout> | undefined;
    this.ends.push(
      effect(() => {
        runs.changed.value;
        const recording = runs.shown.value;
        if (recording?.scene) untracked(() => this.takeRun(recording));
      }),
      effect(() => {
        const revision = studio.document.value?.revision ?? -1;
        const isSound = !studio.faults.value.faults.length && !studio.faults.value.unreadable;
        const isNow = studio.faults.value.revision >= revision;
        const bare = isBare(studio.outline.value) && !studio.faults.value.unreadable;
        clearTimeout(timer);
        if (revision >= 0 && (isSound || bare) && isNow) {
          if (this.isFaulty) this.say("");
          const seen = runs.shown.peek()?.id;
          timer = setTimeout(() => void this.look(revision, seen), this.start ? PAUSE : 0);
        } else if (revision >= 0 && isNow) this.say(this.start ? OLDER : NOTHING);
      }),
      effect(() => {
        const [selected, hovered] = [studio.selection.value, studio.hovered.value];
        this.viewer?.highlight(selected, hovered);
      }),
      effect(() => {
        const job = [...studio.jobs.value.values()].filter((j) => !j.draft).at(-1);
        const ended = job && job.state !== "running" && job.state !== "queued";
        if (ended && job.run === runs.shown.peek()?.id) untracked(() => this.settle());
      }),
    );
  }

  /** The assembled start of the text as it is now. It takes the place of the run that was `seen`
   *  before, not of one that was begun since. */
  private async look(revision: number, seen?: number): Promise<void> {
    if (revision === this.asked) return;
    this.asked = revision;
    const waits = setTimeout(() => this.start ?? this.tell(ASSEMBLING), PATIENCE);
    try {
      const start = await this.studio.look<StartData & { failure?: unknown }>("scene");
      if (revision !== this.asked) return;
      this.say(start.failure ? failureText(start.failure) : "");
      const isFirst = this.start === null;
      const isOther =
        !isFirst &&
        (sceneKey(start.scene) !== sceneKey(this.start!.scene) ||
          start.numbers !== this.start!.numbers);
      this.start = start;
      if (isOther && this.runs.shown.peek()?.id === seen) this.showStart();
      else if (!this.runs.shown.peek()) this.drawing.push({ start });
    } catch (error) {
      if (revision !== this.asked) return;
      this.asked = -1;
      this.say(error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(waits);
    }
  }

  /** Whether the message is that of a model with faults. */
  private get isFaulty(): boolean {
    return [OLDER, NOTHING].some((text) => this.message.textContent!.endsWith(text));
  }

  /** A message over the drawing, which is dimmed: it is that of an older text. */
  private say(text: string): void {
    this.message.hidden = !text;
    this.message.textContent = text ? `⚠ ${text}` : "";
    this.message.classList.remove("remark");
    this.element.classList.toggle("old", text !== "");
  }

  private takeRun(recording: Recording): void {
    this.newest = recording;
    this.drawing.push({ recording });
  }

  // -- what tools are given

  get isStart(): boolean {
    return this.runs.shown.value === null;
  }

  get canPose(): boolean {
    const { document, faults } = this.studio;
    const isSound = !faults.peek().faults.length && !faults.peek().unreadable;
    const isWritable = document.peek()?.readOnly === false;
    return this.runs.shown.peek() === null && isSound && isWritable && this.start !== null;
  }

  showStart(): void {
    this.runs.shown.value = null;
    this.restore();
  }

  restore(): void {
    if (this.start) this.drawing.push({ start: this.start });
  }

  take(table: Table): void {
    this.viewer?.take(table);
  }

  tell(text: string): void {
    this.message.hidden = !text;
    this.message.textContent = text;
    this.message.classList.toggle("remark", text !== "");
  }

  private async show(shown: Shown): Promise<void> {
    const isRun = "recording" in shown;
    const scene = isRun ? shown.recording.scene! : shown.start.scene;
    const table = isRun ? shown.recording.table : await Table.read(shown.start as PageData);
    const key = sceneKey(scene);
    if (this.viewer && key === this.drawn) {
      this.viewer.take(table);
    } else {
      const mechanism = await Mechanism.read(scene, table);
      if (this.viewer) await this.viewer.show(mechanism, isRun || this.isBare);
      else await this.open(mechanism);
      this.drawn = key;
      if (this.isBare && scene.bodies.length > 0 && !this.viewer!.isTurned) this.viewer!.fit();
      this.showGround(scene.bodies.length === 0);
      this.refresh();
    }
    this.showGraph(this.isBare && isNetwork(this.studio.outline.peek()));
    this.element.classList.toggle("start", !isRun);
    this.building?.showPlane(usualPlane(scene.gravity));
    void this.building?.refresh();
  }

  /** A model without bodies shows its axes and how to begin. */
  private showGround(isBare: boolean): void {
    if (isBare !== this.isBare) this.viewer!.frames.all.visible = isBare;
    this.isBare = isBare;
    const isReadOnly = this.studio.document.peek()?.readOnly ?? true;
    this.hint.hidden = !isBare || isReadOnly || isNetwork(this.studio.outline.peek());
  }

  /** The bond graph of a model without bodies takes the place of the mechanism. */
  private showGraph(isShown: boolean): void {
    this.element.classList.toggle("with-graph", isShown);
    if (isShown === (this.graph !== null)) return;
    this.graph?.element.remove();
    this.graph?.dispose?.();
    this.graph = isShown ? bondView(this.studio) : null;
    if (this.graph) this.element.append(this.graph.element);
  }

  private async open(mechanism: Mechanism): Promise<void> {
    const { canvas } = this;
    const viewer = await Viewer.open(canvas, this.context!, mechanism, this.clock);
    if (this.isSoftware) viewer.simplify();
    viewer.picking.onHover = (picked, x, y) => this.hover(picked, x, y);
    viewer.picking.onClick = (picked, event) => this.pick(picked, event);
    viewer.onColoured = () => this.isFinished && this.fetch();
    viewer.onDrawn = () => {
      this.building?.update();
      if (this.newest?.draft && viewer.mechanism.table === this.newest.table)
        this.runs.sawDraft(this.newest, "stage");
    };
    this.element.append(viewer.names.element, viewer.compass.element);
    this.viewer = viewer;
  }

  /** Tools for what is drawn now. */
  private refresh(): void {
    const viewer = this.viewer!;
    viewer.highlight(this.studio.selection.peek(), this.studio.hovered.peek());
    const canFetch =
      this.isFinished && viewer.forces.isEmpty && viewer.reactions.isEmpty && !this.withArrows;
    const offered = [
      ...[viewer.forces.isEmpty, viewer.reactions.isEmpty, ...viewer.bodies.loads],
      ...[viewer.deforms, canFetch, viewer.floor.step, ...viewer.mechanism.references],
    ].join(" ");
    if (offered === this.offered) return;
    this.offered = offered;
    const tools = toolbar(viewer, viewer.mechanism.references, () => this.title);
    if (canFetch) tools.element.append(this.arrowsButton());
    this.bar?.element.remove();
    this.bar?.note.remove();
    this.bar = tools;
    this.element.append(tools.element, tools.note);
  }

  /** Whether what is drawn is a run that has ended. */
  private get isFinished(): boolean {
    const shown = this.newest;
    if (!shown || shown.draft) return false;
    return this.studio.runs.peek().some((run) => run.id === shown.id);
  }

  /** Of pictures and films. */
  private get title(): string {
    return (this.studio.document.peek()?.name ?? "").replace(/\.\w+$/, "");
  }

  private arrowsButton(): HTMLElement {
    return h(
      "button",
      {
        ...{ type: "button", title: "Fetch forces of this run: applied, reactions, within beams" },
        click: () => {
          this.withArrows = true;
          this.settle();
        },
      },
      "Forces…",
    );
  }

  /** Fetch what is wanted of the run shown and is not here, once: forces, and of beams that are
   *  coloured what their sections pass on, in place of the moment of their shapes. */
  private fetch(): void {
    const shown = this.runs.shown.peek();
    if (!shown || shown.draft || !this.viewer || this.fetched.has(shown.id)) return;
    const { colours, bodies } = this.viewer;
    const lacksForces = this.withArrows && !shown.scene?.arrows.length;
    if (!lacksForces && !(colours && bodies.tellOfShapes)) return;
    this.fetched.add(shown.id);
    void this.runs.refetch(shown.id);
  }

  /** A run has ended: look at its whole motion, with its forces if they are wanted. */
  private settle(): void {
    const shown = this.runs.shown.peek();
    if (!shown || shown.draft || !this.viewer) return;
    this.fetch();
    this.viewer.settle();
    this.refresh();
  }

  private hover(picked: Picked | null, x: number, y: number): void {
    if (this.building?.hover(picked, [x, y])) {
      this.tip.hidden = true;
      return void (this.canvas.style.cursor = "crosshair");
    }
    this.studio.hovered.value = picked?.element ?? null;
    this.canvas.style.cursor = picked ? "pointer" : "";
    this.tip.hidden = !picked;
    if (!picked) return;
    this.tip.replaceChildren(picked.element, " ", h("span", {}, picked.kind));
    this.tip.style.transform = `translate(${x + 14}px, ${y + 14}px)`;
  }

  /** With Ctrl or Shift: beside what is selected. */
  private pick(picked: Picked | null, event: PointerEvent): void {
    if (this.building?.click(picked, [event.offsetX, event.offsetY])) return;
    const isMore = event.ctrlKey || event.metaKey || event.shiftKey;
    const name = picked && picked.element !== "ground" ? picked.element : null;
    if (!isMore) return this.studio.select(name ? [name] : []);
    if (!name) return;
    const now = new Set(this.studio.selection.value);
    if (!now.delete(name)) now.add(name);
    this.studio.select(now);
  }

  fit(): void {
    this.viewer?.fit();
  }

  reveal(): void {
    this.viewer?.fit();
  }

  dispose(): void {
    this.runs.hasStage = false;
    this.showGraph(false);
    this.building?.dispose();
    for (const end of this.ends) end();
    this.ends.length = 0;
    this.viewer?.dispose();
    this.viewer = null;
  }
}

const NO_WEBGL =
  "This browser offers no WebGL, so the 3-D view cannot be shown. Everything else works.";
const LOST = "The graphics of this browser were lost. Load the page again.";
