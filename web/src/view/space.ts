// Between the screen and the space behind it: rays through pixels, points on planes, pixels of points.
import { OrthographicCamera, Plane, Ray, Raycaster, Vector2, Vector3 } from "three";
import type { Eye } from "./camera";

/** Pixels of the canvas, from its top left corner. */
export type Pixel = [x: number, y: number];

export class Space {
  private readonly caster = new Raycaster();
  private readonly point = new Vector2();
  private readonly plane = new Plane();
  private readonly out = new Vector3();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    public camera: Eye,
  ) {}

  /** A place of the window as pixels of the canvas. */
  pixel(clientX: number, clientY: number): Pixel {
    const { left, top } = this.canvas.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }

  ray([x, y]: Pixel): Ray {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    this.camera.updateMatrixWorld();
    this.caster.setFromCamera(this.point.set((2 * x) / w - 1, 1 - (2 * y) / h), this.camera);
    return this.caster.ray;
  }

  /** Where the ray through a pixel meets a plane; null if it does not, or far away. */
  onPlane(pixel: Pixel, through: Vector3, normal: Vector3): Vector3 | null {
    const ray = this.ray(pixel);
    if (Math.abs(ray.direction.dot(normal)) < 0.02) return null;
    this.plane.setFromNormalAndCoplanarPoint(normal, through);
    return ray.intersectPlane(this.plane, new Vector3());
  }

  /** How far along a line the place nearest to the ray through a pixel is. */
  alongLine(pixel: Pixel, from: Vector3, direction: Vector3): number {
    const ray = this.ray(pixel);
    const b = ray.direction.dot(direction);
    const w = this.out.subVectors(from, ray.origin);
    const denominator = 1 - b * b;
    if (denominator < 1e-4) return 0;
    return (b * w.dot(ray.direction) - w.dot(direction)) / denominator;
  }

  /** Pixels of a point; null behind the eye. */
  project(point: Vector3): Pixel | null {
    const p = this.out.copy(point).project(this.camera);
    if (p.z > 1 || !Number.isFinite(p.x)) return null;
    const { clientWidth: w, clientHeight: h } = this.canvas;
    return [((p.x + 1) / 2) * w, ((1 - p.y) / 2) * h];
  }

  /** Metres that a pixel is wide at a point. */
  perPixel(point: Vector3): number {
    const { clientHeight: h } = this.canvas;
    const { projectionMatrix, matrixWorldInverse } = this.camera;
    if (this.camera instanceof OrthographicCamera) return 2 / (projectionMatrix.elements[5] * h);
    const depth = -this.out.copy(point).applyMatrix4(matrixWorldInverse).z;
    return (2 * Math.max(depth, 1e-9)) / (projectionMatrix.elements[5] * h);
  }

  /** Where the eye looks. */
  get sight(): Vector3 {
    return this.camera.getWorldDirection(new Vector3());
  }
}
