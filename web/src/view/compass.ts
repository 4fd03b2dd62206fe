// The directions of the world axes, in a corner of the view.
import { type Camera, Quaternion, Vector3 } from "three";
import { svg } from "../ui/dom";

const SIZE = 64;
const ARM = 21;

export class Compass {
  readonly element = svg("svg", {
    class: "compass",
    viewBox: `0 0 ${SIZE} ${SIZE}`,
    role: "img",
    "aria-label": "Directions of the world axes",
  });
  private readonly arms = ["x", "y", "z"].map((name, k) => {
    const line = svg("line", { x1: SIZE / 2, y1: SIZE / 2, class: `axis-${name}` });
    const text = svg(
      "text",
      { class: `axis-${name}`, "text-anchor": "middle", "dominant-baseline": "central" },
      name,
    );
    this.element.append(line, text);
    return { direction: new Vector3().setComponent(k, 1), line, text };
  });
  /** Directions on the screen, y upwards. */
  private readonly shown = [0, 1, 2].map((): [number, number] => [0, 0]);
  private readonly turn = new Quaternion();
  private readonly v = new Vector3();

  update(camera: Camera): void {
    this.turn.copy(camera.quaternion).invert();
    this.arms.forEach(({ direction, line, text }, k) => {
      const { x, y } = this.v.copy(direction).applyQuaternion(this.turn);
      this.shown[k] = [x, y];
      line.setAttribute("x2", `${SIZE / 2 + ARM * x}`);
      line.setAttribute("y2", `${SIZE / 2 - ARM * y}`);
      text.setAttribute("x", `${SIZE / 2 + 1.35 * ARM * x}`);
      text.setAttribute("y", `${SIZE / 2 - 1.35 * ARM * y}`);
    });
  }

  /** The same on a picture, about its lower right corner. */
  draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    const at = (k: number, s: number) =>
      [width - 44 + s * this.shown[k][0], height - 42 - s * this.shown[k][1]] as const;
    context.textAlign = "center";
    context.textBaseline = "middle";
    this.arms.forEach(({ line, text }, k) => {
      context.strokeStyle = context.fillStyle = getComputedStyle(line).stroke;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(...at(k, 0));
      context.lineTo(...at(k, ARM));
      context.stroke();
      context.fillText(text.textContent!, ...at(k, 1.35 * ARM));
    });
  }
}
