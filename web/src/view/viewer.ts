// The 3-D view: scene, light, camera; drawn only when something has changed.
import {
  DirectionalLight,
  HemisphereLight,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Table } from "../data/table";
import type { Load } from "../data/types";
import type { Clock } from "../motion/clock";
import type { Mechanism } from "../motion/mechanism";
import type { Look } from "./bodies";
import { direction, type Eye, eyes, fit, isInView, otherEye, type Side, widen } from "./camera";
import { Compass } from "./compass";
import { Names } from "./names";
import { Picking } from "./picking";
import { differs, Picture } from "./picture";
import { Space } from "./space";
import { readTheme } from "./theme";

/** Milliseconds without a change after which the picture is drawn finely. */
const STILL = 300;

export class Viewer {
  readonly compass = new Compass();
  readonly picking: Picking;
  readonly names: Names;
  readonly space: Space;
  /** Called when a frame has been drawn. */
  onDrawn: () => void = () => {};
  /** The same, of what comes and goes: names, recordings. */
  readonly followers = new Set<() => void>();
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private camera: Eye = eyes.perspective();
  private aspect = 1;
  private readonly controls: OrbitControls;
  private readonly light = new DirectionalLight(0xffffff, 1.9);
  private readonly closing = new AbortController();
  private readonly resized = new ResizeObserver(() => this.resize());
  private readonly unfollow: () => void;
  private side: Side = "free";
  private factor = 1;
  private coloured: Load | null = null;
  /** Other colours of beams were chosen. */
  onColoured: (() => void) | null = null;
  /** Bodies that were shown, hidden or seen through by hand. */
  private readonly looks = new Map<string, Partial<Look>>();
  private touched = false;
  private isTurning = false;
  private waiting = false;
  private isSimple = false;
  private pause: ReturnType<typeof setTimeout> | undefined;
  /** Pictures no longer shown; they go when the new one is drawn, with which they share shaders. */
  private old: Picture[] = [];

  static async open(
    canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    mechanism: Mechanism,
    clock: Clock,
  ): Promise<Viewer> {
    return new Viewer(canvas, context, await Picture.of(mechanism), clock);
  }

  private constructor(
    readonly canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    private picture: Picture,
    readonly clock: Clock,
  ) {
    this.renderer = new WebGLRenderer({ canvas, context, antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.debug.checkShaderErrors = false;
    this.scene.add(picture.object, new HemisphereLight(0xffffff, 0xb4bcc8, 2.3));
    this.scene.add(this.light, this.light.target);
    this.camera.up.copy(picture.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => {
      this.touched ||= this.isTurning;
      this.invalidate();
    });
    this.controls.addEventListener("start", () => (this.isTurning = true));
    this.controls.addEventListener("end", () => (this.isTurning = false));
    this.light.castShadow = true;
    this.light.shadow.mapSize.set(2048, 2048);
    this.shine();
    this.picking = new Picking(canvas, this.camera, picture.targets);
    this.space = new Space(canvas, this.camera);
    this.names = new Names(this);
    this.resized.observe(canvas.parentElement!);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.paint(), { signal: this.closing.signal });
    this.paint();
    this.resize();
    this.unfollow = clock.follow(() => this.invalidate());
  }

  get bodies() {
    return this.picture.bodies;
  }
  get joints() {
    return this.picture.joints;
  }
  get frames() {
    return this.picture.frames;
  }
  get trails() {
    return this.picture.trails;
  }
  get forces() {
    return this.picture.forces;
  }
  get reactions() {
    return this.picture.reactions;
  }
  get floor() {
    return this.picture.floor;
  }
  get mechanism(): Mechanism {
    return this.picture.mechanism;
  }
  /** Whether the user has moved the camera. */
  get isTurned(): boolean {
    return this.touched;
  }
  get lookedFrom(): Side {
    return this.side;
  }
  get magnification(): number {
    return this.factor;
  }
  /** What beams are coloured by. */
  get colours(): Load | null {
    return this.coloured && this.bodies.loads.includes(this.coloured) ? this.coloured : null;
  }

  /** While something is dragged the mouse does not turn the picture. */
  hold(isHeld: boolean): void {
    this.controls.enabled = !isHeld;
  }

  /** Draw another mechanism, seen as the one before unless it is of quite another extent and the
   *  camera may move. */
  async show(mechanism: Mechanism, mayMove = true): Promise<void> {
    const before = this.picture;
    mechanism.magnify(this.factor);
    const picture = await Picture.of(mechanism, before);
    if (this.closing.signal.aborted) return picture.dispose();
    picture.inherit(before);
    for (const [name, look] of this.looks) picture.bodies.dress(name, look);
    this.picture = picture;
    this.scene.remove(before.object);
    this.scene.add(picture.object);
    this.old.push(before);
    if (this.colours) picture.bodies.colour(this.colours);
    this.picking.targets = picture.targets;
    this.paint();
    if (!this.camera.up.equals(picture.up)) {
      this.camera.up.copy(picture.up);
      this.turnControls();
      this.refit();
    } else if (mayMove && differs(before.box, picture.box)) this.refit();
  }

  /** The same mechanism, moving as in another run: no mesh is made anew. */
  take(table: Table): void {
    this.picture.take(table);
    this.invalidate();
  }

  /** Look anew if the motion has come to take quite another space, or leaves the picture that the
   *  user has not turned. */
  settle(): void {
    const before = this.picture.box;
    this.picture.measure();
    const { box } = this.picture;
    if (differs(before, box) || (!this.touched && !isInView(this.camera, box))) this.refit();
    else this.picture.box = before;
  }

  /** Where no hardware draws: no shadows, and fine only while nothing moves. */
  simplify(): void {
    this.renderer.shadowMap.enabled = false;
    this.light.castShadow = false;
    this.isSimple = true;
    this.invalidate();
  }

  /** Twice as many pixels each way, or fewer than there are; draws if that is a change. */
  private refine(isFine: boolean): void {
    const ratio = Math.min(devicePixelRatio, 2) * (isFine ? 2 : 0.75);
    if (!this.isSimple || this.renderer.getPixelRatio() === ratio) return;
    this.renderer.setPixelRatio(ratio);
    if (isFine) this.renderer.render(this.scene, this.camera);
  }

  private refit(): void {
    this.shine();
    this.fit();
  }

  /** The controls know which way is up from their beginning only. */
  private turnControls(): void {
    const { _quat, _quatInverse } = this.controls as unknown as Record<
      "_quat" | "_quatInverse",
      { setFromUnitVectors(a: Vector3, b: Vector3): unknown; copy(q: unknown): { invert(): void } }
    >;
    _quat.setFromUnitVectors(this.camera.up, new Vector3(0, 1, 0));
    _quatInverse.copy(_quat).invert();
  }

  dispose(): void {
    this.closing.abort();
    clearTimeout(this.pause);
    this.unfollow();
    this.resized.disconnect();
    this.picking.dispose();
    this.controls.dispose();
    for (const picture of [this.picture, ...this.old]) picture.dispose();
    this.light.dispose();
    this.renderer.dispose();
  }

  /** Light and shadow for the space of the motion. */
  private shine(): void {
    const { box, up } = this.picture;
    const radius = box.getSize(new Vector3()).length() / 2;
    const centre = box.getCenter(new Vector3());
    const towards = direction(box, up, "free").addScaledVector(up, 1.6).normalize();
    this.light.position.copy(centre).addScaledVector(towards, 4 * radius);
    this.light.target.position.copy(centre);
    const { camera } = this.light.shadow;
    const reach = 1.2 * radius;
    Object.assign(camera, {
      left: -reach,
      right: reach,
      top: reach,
      bottom: -reach,
      near: radius,
      far: 8 * radius,
    });
    camera.updateProjectionMatrix();
    this.light.shadow.normalBias = 0.004 * radius;
  }

  private paint(): void {
    const theme = readTheme();
    this.scene.background = theme.background;
    this.picture.paint(theme);
    this.invalidate();
  }

  private resize(): void {
    const { clientWidth: w, clientHeight: h } = this.canvas.parentElement!;
    if (!w || !h) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(w, h, false);
    this.aspect = w / h;
    widen(this.camera, this.aspect);
    if (!this.touched) this.fit();
    this.invalidate();
  }

  /** Look along an axis by parallel rays, or freely by rays that meet in the eye. */
  lookFrom(side: Side): void {
    this.project(side === "free");
    this.fit(side);
  }

  get isPerspective(): boolean {
    return this.camera instanceof PerspectiveCamera;
  }

  /** By rays that meet in the eye, or by parallel ones. */
  project(isPerspective: boolean): void {
    if (isPerspective === this.isPerspective) return;
    const camera = isPerspective ? eyes.perspective() : eyes.orthographic();
    otherEye(this.camera, camera, this.controls.target, this.aspect);
    this.camera = this.controls.object = this.picking.camera = this.space.camera = camera;
    this.controls.update();
    this.invalidate();
  }

  /** Show or hide a body, or see through it. */
  dress(name: string, look: Partial<Look>): void {
    this.looks.set(name, { ...this.looks.get(name), ...look });
    this.bodies.dress(name, look);
    this.invalidate();
  }

  /** Bring the whole motion into view, from the side last chosen. */
  fit(side: Side = this.side): void {
    this.side = side;
    this.touched = false;
    this.picture.measure();
    const { box, up } = this.picture;
    this.controls.target.copy(fit(this.camera, box, direction(box, up, side), this.aspect));
    this.controls.update();
    this.invalidate();
  }

  get deforms(): boolean {
    return this.mechanism.deforms;
  }

  /** Light up elements; what is under the pointer less than what is selected. */
  highlight(selected: ReadonlySet<string>, hovered: string | null = null): void {
    this.picture.highlight(selected, hovered);
    this.invalidate();
  }

  /** Draw deflections larger than they are. */
  magnify(factor: number): void {
    this.factor = factor;
    this.mechanism.magnify(factor);
    this.trails.measure();
    this.invalidate();
  }

  /** Colour beams by what their sections pass on; how much has the strongest colour. */
  colour(load: Load | null): number {
    this.coloured = load;
    this.invalidate();
    this.onColoured?.();
    return this.bodies.colour(load);
  }

  toggleTrail(reference: string): void {
    this.trails.toggle(reference);
    this.invalidate();
  }

  /** Draw with the next frame of the screen. */
  invalidate(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => this.render());
  }

  private render(): void {
    this.waiting = false;
    if (this.closing.signal.aborted) return;
    this.refine(false);
    clearTimeout(this.pause);
    this.pause = setTimeout(() => this.refine(true), STILL);
    this.picture.show(this.clock.time);
    this.renderer.render(this.scene, this.camera);
    this.compass.update(this.camera);
    for (const picture of this.old.splice(0)) picture.dispose();
    this.onDrawn();
    for (const follower of this.followers) follower();
  }

  /** Draw now, as fine as can be, and call `then` before the picture is gone. */
  still(then: () => void): void {
    this.refine(true);
    this.picture.show(this.clock.time);
    this.renderer.render(this.scene, this.camera);
    then();
  }
}
