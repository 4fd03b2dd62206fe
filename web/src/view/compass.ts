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
  private readonly turn = new Quaternion();
  private readonly v = new Vector3();

  update(camera: Camera): void {
    this.turn.copy(camera.quaternion).invert();
    for (const { direction, line, text } of this.arms) {
      const { x, y } = this.v.copy(direction).applyQuaternion(this.turn);
      line.setAttribute("x2", `${SIZE / 2 + ARM * x}`);
      line.setAttribute("y2", `${SIZE / 2 - ARM * y}`);
      text.setAttribute("x", `${SIZE / 2 + 1.35 * ARM * x}`);
      text.setAttribute("y", `${SIZE / 2 - 1.35 * ARM * y}`);
    }
  }
}
