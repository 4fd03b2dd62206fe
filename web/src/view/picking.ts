// What is under the pointer: a name on hover, a choice on click.
import {
  type Camera,
  type InstancedMesh,
  type Intersection,
  type Object3D,
  Raycaster,
  Vector2,
  type Vector3,
} from "three";

export interface Named {
  element: string;
  kind: string;
}

export interface Picked extends Named {
  /** Where the ray meets it. */
  point: Vector3;
}

export interface PickTargets {
  solids: () => Object3D[];
  frames: InstancedMesh;
  references: string[];
}

const STILL = 5;

export class Picking {
  onHover: (picked: Picked | null, x: number, y: number) => void = () => {};
  onClick: (picked: Picked | null, event: PointerEvent) => void = () => {};
  private readonly ray = new Raycaster();
  private readonly point = new Vector2();
  private readonly closing = new AbortController();
  private down: [number, number] | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    public camera: Camera,
    public targets: PickTargets,
  ) {
    const { signal } = this.closing;
    canvas.addEventListener(
      "pointermove",
      (e) => {
        if (e.buttons === 0) this.onHover(this.at(e.offsetX, e.offsetY), e.offsetX, e.offsetY);
      },
      { signal },
    );
    canvas.addEventListener("pointerleave", () => this.onHover(null, 0, 0), { signal });
    canvas.addEventListener("pointerdown", (e) => (this.down = [e.clientX, e.clientY]), { signal });
    canvas.addEventListener(
      "pointerup",
      (e) => {
        const moved = this.down && Math.hypot(e.clientX - this.down[0], e.clientY - this.down[1]);
        if (moved !== null && moved < STILL) this.onClick(this.at(e.offsetX, e.offsetY), e);
        this.down = null;
      },
      { signal },
    );
  }

  dispose(): void {
    this.closing.abort();
  }

  /** What is at a pixel of the canvas, and where on it. */
  at(x: number, y: number): Picked | null {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    this.ray.setFromCamera(this.point.set((2 * x) / w - 1, 1 - (2 * y) / h), this.camera);
    const { frames, references, solids } = this.targets;
    const triad = frames.visible ? this.ray.intersectObject(frames, false)[0] : undefined;
    if (triad?.instanceId !== undefined)
      return { element: references[triad.instanceId], kind: "frame", point: triad.point };
    const hit = this.ray.intersectObjects(solids(), false)[0];
    return hit ? { ...namedOf(hit), point: hit.point } : null;
  }
}

/** Of many drawn at once, the one that was met. */
function namedOf({ object, instanceId }: Intersection): Named {
  return instanceId === undefined
    ? (object.userData as Named)
    : (object.userData.named as Named[])[instanceId];
}
