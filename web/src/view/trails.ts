// Paths of chosen frames: the whole path faint, what has been travelled strong.
import { Color, Group, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { bodyOf, type Mechanism } from "../motion/mechanism";
import type { Layer } from "./layer";
import type { Theme } from "./theme";

interface Trail {
  strong: Line2;
  faint: Line2;
}

export class Trails implements Layer {
  readonly object = new Group();
  private readonly trails = new Map<string, Trail>();
  private theme: Theme | null = null;

  constructor(private readonly mechanism: Mechanism) {}

  get chosen(): Set<string> {
    return new Set(this.trails.keys());
  }

  toggle(reference: string): void {
    const known = this.trails.get(reference);
    if (known) {
      this.object.remove(known.strong, known.faint);
      known.strong.geometry.dispose();
      this.trails.delete(reference);
      return;
    }
    const geometry = new LineGeometry().setPositions(this.path(reference));
    const faint = new Line2(
      geometry,
      new LineMaterial({ linewidth: 1.5, transparent: true, opacity: 0.3 }),
    );
    const strong = new Line2(
      new LineGeometry().copy(geometry),
      new LineMaterial({ linewidth: 2.5 }),
    );
    this.trails.set(reference, { strong, faint });
    this.object.add(faint, strong);
    if (this.theme) this.paint(this.theme);
  }

  /** Follow frames that are drawn elsewhere than before. */
  measure(): void {
    for (const [reference, { strong, faint }] of this.trails) {
      const path = this.path(reference);
      strong.geometry.setPositions(path);
      faint.geometry.setPositions(path);
    }
  }

  private path(reference: string): Float32Array {
    const count = this.mechanism.table.timeline.times.length;
    const path = new Float32Array(3 * Math.max(2, count));
    const p = new Vector3();
    for (let k = 0; 3 * k < path.length; k++) {
      this.mechanism.originAt(reference, Math.min(k, count - 1), p).toArray(path, 3 * k);
    }
    return path;
  }

  update(time: number): void {
    const { index } = this.mechanism.table.timeline.place(time);
    for (const { strong } of this.trails.values()) {
      strong.geometry.instanceCount = index;
      strong.visible = index > 0;
    }
  }

  paint(theme: Theme): void {
    this.theme = theme;
    const bodies = this.mechanism.scene.bodies.map((b) => b.name);
    for (const [reference, { strong, faint }] of this.trails) {
      const color: Color = theme.bodies[bodies.indexOf(bodyOf(reference)) % theme.bodies.length];
      strong.material.color.copy(color);
      faint.material.color.copy(color);
    }
  }
}
