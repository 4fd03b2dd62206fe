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
import type { Clock } from "../motion/clock";
import type { Mechanism } from "../motion/mechanism";
import { Arrows } from "./arrows";
import { Bodies } from "./bodies";
import { boundsOf } from "./bounds";
import { direction, fit, type Side, upOf } from "./camera";
import { Compass } from "./compass";
import { Floor } from "./floor";
import { Frames } from "./frames";
import { Joints } from "./joints";
import type { Layer } from "./layer";
import { Picking } from "./picking";
import { Springs } from "./springs";
import { readTheme } from "./theme";
import { Trails } from "./trails";

export class Viewer {
  readonly compass = new Compass();
  readonly picking: Picking;
  readonly joints: Joints;
  readonly frames: Frames;
  readonly trails: Trails;
  readonly forces: Arrows;
  readonly reactions: Arrows;
  readonly floor: Floor;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly light = new DirectionalLight(0xffffff, 1.9);
  private readonly layers: Layer[];
  private box;
  private readonly up: Vector3;
  private side: Side = "free";
  private touched = false;
  private waiting = false;

  static async open(
    canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    mechanism: Mechanism,
    clock: Clock,
  ): Promise<Viewer> {
    return new Viewer(canvas, context, mechanism, clock, await Bodies.draw(mechanism));
  }

  private constructor(
    private readonly canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    private readonly mechanism: Mechanism,
    private readonly clock: Clock,
    readonly bodies: Bodies,
  ) {
    this.renderer = new WebGLRenderer({ canvas, context, antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.box = boundsOf(mechanism, bodies);
    this.up = upOf(mechanism.scene.gravity);
    this.joints = new Joints(mechanism);
    const springs = new Springs(mechanism);
    this.frames = new Frames(mechanism);
    this.trails = new Trails(mechanism);
    this.forces = new Arrows(mechanism, "applied");
    this.reactions = new Arrows(mechanism, "reaction");
    this.floor = new Floor(this.box, this.up, 0.08 * mechanism.scene.scale);
    this.layers = [
      bodies,
      this.joints,
      springs,
      this.frames,
      this.trails,
      this.forces,
      this.reactions,
      this.floor,
    ];
    for (const layer of this.layers) this.scene.add(layer.object);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.invalidate());
    this.controls.addEventListener("start", () => (this.touched = true));
    this.addLight();
    const solids = [...bodies.meshes.values(), ...this.joints.meshes, ...springs.meshes];
    this.picking = new Picking(canvas, this.camera, {
      solids,
      frames: this.frames.object,
      references: this.frames.references,
    });
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
    this.paint();
    this.resize();
    clock.follow(() => this.invalidate());
  }

  private addLight(): void {
    this.scene.add(new HemisphereLight(0xffffff, 0xb4bcc8, 2.3));
    const radius = this.box.getSize(new Vector3()).length() / 2;
    const centre = this.box.getCenter(new Vector3());
    const towards = direction(this.box, this.up, "free").addScaledVector(this.up, 1.6).normalize();
    this.light.position.copy(centre).addScaledVector(towards, 4 * radius);
    this.light.target.position.copy(centre);
    this.light.castShadow = true;
    this.light.shadow.mapSize.set(2048, 2048);
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
    this.light.shadow.normalBias = 0.004 * radius;
    this.scene.add(this.light, this.light.target);
  }

  private paint(): void {
    const theme = readTheme();
    this.scene.background = theme.background;
    for (const layer of this.layers) layer.paint(theme);
    this.invalidate();
  }

  private resize(): void {
    const { clientWidth: w, clientHeight: h } = this.canvas.parentElement!;
    if (!w || !h) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    if (!this.touched) this.fit();
    this.invalidate();
  }

  /** Bring the whole motion into view, from the side last chosen. */
  fit(side: Side = this.side): void {
    this.side = side;
    this.touched = false;
    if (this.mechanism.deforms) this.box = boundsOf(this.mechanism, this.bodies);
    this.controls.target.copy(fit(this.camera, this.box, direction(this.box, this.up, side)));
    this.controls.update();
    this.invalidate();
  }

  get deforms(): boolean {
    return this.mechanism.deforms;
  }

  /** Draw deflections larger than they are. */
  magnify(factor: number): void {
    this.mechanism.magnify(factor);
    this.trails.redraw();
    this.invalidate();
  }

  /** Colour beams by their bending moment; the moment of the strongest colour. */
  showMoments(on: boolean): number {
    this.invalidate();
    return this.bodies.showMoments(on);
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
    this.mechanism.show(this.clock.time);
    for (const layer of this.layers) layer.update(this.clock.time);
    this.renderer.render(this.scene, this.camera);
    this.compass.update(this.camera);
  }
}
