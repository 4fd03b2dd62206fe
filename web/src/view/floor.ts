// The grid on the ground, which also catches the shadows.
import {
  type Box3,
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  PlaneGeometry,
  Quaternion,
  ShadowMaterial,
  Vector3,
} from "three";
import { niceStep } from "../plots/ticks";
import type { Layer } from "./layer";
import type { Theme } from "./theme";

const Z = new Vector3(0, 0, 1);

export class Floor implements Layer {
  readonly object = new Group();
  private readonly thin = new LineBasicMaterial({ transparent: true, opacity: 0.7 });
  private readonly strong = new LineBasicMaterial();
  private readonly shadow = new ShadowMaterial({ opacity: 0.16 });
  readonly step: number;

  constructor(box: Box3, up: Vector3, gap: number) {
    const turn = new Quaternion().setFromUnitVectors(Z, up);
    const size = box.getSize(new Vector3());
    const reach = size.length();
    this.step = niceStep(reach / 12);
    const centre = box.getCenter(new Vector3());
    const height = centre.dot(up) - 0.5 * Math.abs(size.dot(absolute(up))) - gap;
    const half = Math.ceil((0.9 * reach) / this.step / 5) * 5;
    this.object.add(this.lines(half, (k) => k % 5 !== 0, this.thin));
    this.object.add(this.lines(half, (k) => k % 5 === 0, this.strong));
    const plane = new Mesh(new PlaneGeometry(4 * reach, 4 * reach), this.shadow);
    plane.position.z = -0.002 * reach;
    plane.receiveShadow = true;
    this.object.add(plane);
    this.object.quaternion.copy(turn);
    const middle = centre.addScaledVector(up, height - centre.dot(up));
    const local = middle.clone().applyQuaternion(turn.clone().invert());
    const snap = (v: number) => Math.round(v / (5 * this.step)) * 5 * this.step;
    this.object.position.set(snap(local.x), snap(local.y), local.z).applyQuaternion(turn);
  }

  private lines(
    half: number,
    pick: (k: number) => boolean,
    material: LineBasicMaterial,
  ): LineSegments {
    const points: number[] = [];
    const end = half * this.step;
    for (let k = -half; k <= half; k++) {
      const s = k * this.step;
      if (pick(k)) points.push(s, -end, 0, s, end, 0, -end, s, 0, end, s, 0);
    }
    const geometry = new BufferGeometry().setAttribute(
      "position",
      new Float32BufferAttribute(points, 3),
    );
    return new LineSegments(geometry, material);
  }

  update(): void {}

  paint(theme: Theme): void {
    this.thin.color.copy(theme.grid);
    this.strong.color.copy(theme.gridStrong);
    this.shadow.opacity = theme.dark ? 0.4 : 0.16;
  }
}

function absolute(v: Vector3): Vector3 {
  return new Vector3(Math.abs(v.x), Math.abs(v.y), Math.abs(v.z));
}
