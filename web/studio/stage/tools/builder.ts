// Building with the mouse or by names: bodies, joints, frames, forces, springs, drivers. Each tool asks
// for one thing after the other; what will be made is drawn and said before it is made.
import { Vector3 } from "three";
import { bodyOf } from "../../../src/motion/mechanism";
import type { Picked } from "../../../src/view/picking";
import type { Pixel } from "../../../src/view/space";
import type { StageContext } from "./context";
import type { Overlay } from "./overlay";
import { AXES, placeText, type PlaneName, typedPlace } from "./plane";
import { type Option, Prompt } from "./prompt";
import { frameAt, type ShownFrame, shownFrames } from "./snapping";
import { type Ghost, type Target, target, Targets } from "./targets";
import { Trying } from "./trying";

/** What can be added, as the server lists it. */
export interface PaletteItem {
  section: string;
  kind: string;
  title: string;
  sentence: string;
  ends: "none" | "frame" | "joint" | "frames";
  group: string;
  /** A file must be named. */
  file: boolean;
  /** What the one axis of a joint is for. */
  axis: "" | "turn" | "slide";
  /** Of a new body, in metres. */
  length: number;
}

type Args = Record<string, unknown>;
type Operation = [operation: string, args: Args];

interface Step {
  /** Frames that are shown as rings. */
  frames(): ShownFrame[];
  meant(pixel: Pixel, picked: Picked | null): Target | null;
  /** What would be done with this answer; null: there is more to ask. */
  plan(target: Target): Operation | null;
  ghost(target: Target): Ghost;
}

const FIRST = ["bodies", "joints", "forces", "drivers", "constraints", "sensors"];
const NEAR_JOINT = 24;

export class Builder {
  readonly prompt = new Prompt();
  private step: Step | null = null;
  /** Where it was last on the stage, in this step. */
  private pointer: Pixel | null = null;
  private seen = "";
  private readonly trying: Trying;
  private readonly targets: Targets;

  constructor(
    private readonly stage: StageContext,
    private readonly overlay: Overlay,
  ) {
    this.trying = new Trying(stage.studio, overlay);
    this.targets = new Targets(stage);
  }

  get isActive(): boolean {
    return this.prompt.isOpen;
  }

  cancel(): void {
    this.prompt.answer(null);
  }

  // -- the pointer on the stage

  hover(pixel: Pixel, picked: Picked | null): void {
    const isStill = `${pixel}` === this.seen; // the page changed below it
    this.seen = `${pixel}`;
    if (!this.step || isStill) return;
    this.pointer = pixel;
    this.point(pixel, picked);
  }

  private point(pixel: Pixel, picked: Picked | null): void {
    if (!this.step) return;
    const target = this.step.meant(pixel, picked);
    this.overlay.showRings(this.step.frames(), target?.name ?? null);
    this.preview(target, pixel);
  }

  click(pixel: Pixel, picked: Picked | null): void {
    const target = this.step?.meant(pixel, picked);
    if (target) this.prompt.answer(target);
  }

  /** The picture has moved: rings follow. */
  update(): void {
    if (this.step && this.stage.viewer) this.overlay.showRings(this.step.frames(), null);
  }

  /** Another picture is drawn: what the pointer means there is another thing. */
  again(): void {
    const { viewer } = this.stage;
    if (this.pointer && viewer) this.point(this.pointer, viewer.picking.at(...this.pointer));
  }

  private preview(target: Target | null, pixel: Pixel | null): void {
    const { step } = this;
    const { viewer } = this.stage;
    if (!step || !viewer) return;
    if (!target) {
      this.overlay.showGhost(viewer, [], []);
      return this.trying.hide();
    }
    const { lines, dots } = step.ghost(target);
    this.overlay.showGhost(viewer, lines, dots);
    const planned = step.plan(target);
    if (planned) this.trying.show(...planned, pixel ?? viewer.space.project(target.at));
    else this.trying.hide();
  }

  // -- tools

  /** Add anything: what, then where. */
  async add(): Promise<void> {
    await this.run(async () => {
      const item = await this.askKind();
      if (!item) return;
      if (item.section === "joints") return this.connect(item.kind);
      const planned = await this.planned(item);
      if (planned) await this.stage.studio.do(...planned);
    });
  }

  /** A joint between two frames; its kind can be typed at any time. */
  async join(): Promise<void> {
    await this.run(() => this.connect("revolute"));
  }

  /** A frame on a body or on the ground. */
  async addFrame(): Promise<void> {
    await this.run(async () => {
      const plan = ({ name, at }: Target): Operation => [
        "body.frame",
        { body: bodyOf(name || "ground"), at: this.targets.local(bodyOf(name || "ground"), at) },
      ];
      const target = await this.ask(
        "Add a frame",
        "click on a body or on the ground, or type a name",
        {
          frames: () => [],
          meant: (pixel, picked) => this.targets.pointOn(pixel, picked),
          plan,
          ghost: ({ at }) => ({ lines: [], dots: [at] }),
        },
      );
      if (target) await this.stage.studio.do(...plan(target));
    });
  }

  private async run(tool: () => Promise<void>): Promise<void> {
    if (!this.stage.viewer || this.stage.studio.document.peek()?.readOnly) return;
    this.cancel();
    try {
      await tool();
    } catch (error) {
      this.stage.studio.complain(error);
    }
    this.leave();
    this.stage.canvas.focus({ preventScroll: true });
  }

  private leave(): void {
    this.step = this.pointer = null;
    this.trying.hide();
    this.overlay.clear();
    this.overlay.handles.removeAttribute("display");
  }

  private async askKind(): Promise<PaletteItem | null> {
    const { items } = await this.stage.studio.connection.ask<{ items: PaletteItem[] }>("palette");
    const rank = (item: PaletteItem) => (FIRST.indexOf(item.section) + FIRST.length + 1) % 99;
    const own = items.filter((item) => !item.file && FIRST.includes(item.section));
    own.sort((a, b) => rank(a) - rank(b));
    const options = own.map((item) => ({
      ...{ label: item.title, text: item.sentence, value: item, group: item.group },
    }));
    return this.prompt.ask({ title: "Add", hint: "", options });
  }

  /** What adds an item, when all that it stands on is known. */
  private async planned(item: PaletteItem): Promise<Operation | null> {
    const { section, kind, title } = item;
    const made = (more: Args): Operation => ["element.add", { section, kind, ...more }];
    if (item.ends === "none" && section !== "bodies") return made({});
    if (item.ends === "none") {
      const plan = ({ at }: Target) => made({ at: this.targets.place(at) });
      const target = await this.askPlace(item, plan);
      return target && plan(target);
    }
    if (item.ends === "joint") {
      const plan = ({ name }: Target) => made({ frame: name });
      const target = await this.askJoint(`On which joint is the ${title}?`, plan);
      return target && plan(target);
    }
    if (item.ends === "frame") {
      const plan = ({ name }: Target) => made({ frame: name });
      const target = await this.askFrame(`Which frame is the ${title} on?`, plan);
      return target && plan(target);
    }
    const from = await this.askFrame(`${title}: from which frame?`, () => null);
    if (!from) return null;
    const plan = ({ name }: Target) => made({ between: [from.name, name] });
    const to = await this.askFrame(`${title}: to which frame?`, plan, from);
    return to && plan(to);
  }

  private async connect(kind: string): Promise<void> {
    const { items } = await this.stage.studio.connection.ask<{ items: PaletteItem[] }>("palette");
    const kinds = items.filter((item) => item.section === "joints");
    let now = kinds.find((item) => item.kind === kind) ?? kinds[0];
    const ask = async (word: string, from?: Target): Promise<Target | null> => {
      for (;;) {
        const title = `${now.title} joint: ${word}`;
        const plan = (to: Target) => (from ? this.joined(now, from, to) : null);
        const others = kinds.filter((item) => item !== now);
        const more = others.map((item) => ({
          ...{ label: item.title, text: `a ${item.title} joint instead`, group: "kinds" },
          value: { name: `kind:${item.kind}`, at: new Vector3() },
        }));
        const found = await this.askFrame(title, plan, from, more);
        if (!found?.name.startsWith("kind:")) return found;
        now = kinds.find((item) => `kind:${item.kind}` === found.name)!;
      }
    };
    const from = await ask("first frame");
    const to = from && (await ask(`from ${from.name} to…`, from));
    if (!from || !to) return;
    await this.stage.studio.do(...this.joined(now, from, to));
  }

  /** It turns about an axis perpendicular to the working plane, or slides in the plane. */
  private joined({ kind, axis }: PaletteItem, from: Target, to: Target): Operation {
    const place = [from, to].find((end) => end.name === "ground" && end.at.length() > 0);
    const at = place ? { at: this.targets.place(place.at) } : {};
    const plane = this.stage.plane.name as PlaneName;
    const fields = axis ? { axis: axis === "slide" ? plane[0] : AXES[plane] } : {};
    return ["joint.connect", { kind, a: from.name, b: to.name, fields, ...at }];
  }

  // -- questions

  private async ask(
    title: string,
    hint: string,
    step: Step,
    options: readonly Option<Target>[] = this.targets.options(new Set()),
    typed?: (text: string) => Option<Target> | null,
  ): Promise<Target | null> {
    this.leave();
    this.step = step;
    this.overlay.handles.setAttribute("display", "none"); // they would take clicks on frames
    this.update();
    return this.prompt.ask<Target>({
      ...{ title, hint, options, typed },
      look: (option) => {
        this.pointer = null;
        this.preview(option?.value ?? null, null);
      },
    });
  }

  private askPlace({ title, length }: PaletteItem, plan: Step["plan"]): Promise<Target | null> {
    const step: Step = {
      frames: () => shownFrames(this.stage.viewer!),
      meant: (pixel) => frameAt(step.frames(), pixel) ?? this.targets.onPlane(pixel, ""),
      plan,
      ghost: ({ at }) => this.targets.bar(at, length),
    };
    const typed = (text: string) => {
      const place = typedPlace(text);
      if (!place) return null;
      return { label: placeText(place), text: "this place", value: target("", place) };
    };
    const hint = "click on the stage, or type x, y, z or a frame";
    const options = this.targets.options(new Set());
    return this.ask(`Where does the ${title} begin?`, hint, step, options, typed);
  }

  private askFrame(
    title: string,
    plan: Step["plan"],
    from?: Target,
    more: readonly Option<Target>[] = [],
  ): Promise<Target | null> {
    const but = new Set(from ? [bodyOf(from.name)] : []);
    const step: Step = {
      frames: () => shownFrames(this.stage.viewer!, but),
      meant: (pixel, picked) => this.targets.frameMeant(step.frames(), pixel, picked, but),
      plan,
      ghost: ({ at }) => this.targets.link(from, at),
    };
    const hint = "click on a frame, a body or the ground, or type its name";
    return this.ask(title, hint, step, [...this.targets.options(but), ...more]);
  }

  private askJoint(title: string, plan: Step["plan"]): Promise<Target | null> {
    const { viewer } = this.stage;
    const joints = viewer!.mechanism.scene.joints;
    const at = (child: string) => viewer!.mechanism.origin(child, new Vector3()).clone();
    const shown = () =>
      joints.flatMap((j) => {
        const place = at(j.child);
        const pixel = viewer!.space.project(place);
        return pixel ? [{ name: j.name, at: place, pixel }] : [];
      });
    const meant = (pixel: Pixel, picked: Picked | null): Target | null => {
      if (picked?.kind === "joint") return { name: picked.element, at: picked.point };
      const near = shown()
        .map((j) => ({ ...j, far: Math.hypot(j.pixel[0] - pixel[0], j.pixel[1] - pixel[1]) }))
        .sort((a, b) => a.far - b.far)[0];
      return near && near.far < NEAR_JOINT ? near : null;
    };
    const step = {
      frames: shown,
      meant,
      plan,
      ghost: ({ at: p }: Target) => this.targets.link(undefined, p),
    };
    const options = joints.map((j) => ({
      ...{ label: j.name, text: j.kind, value: { name: j.name, at: at(j.child) } },
    }));
    return this.ask(title, "click on a joint, or type its name", step, options);
  }
}
