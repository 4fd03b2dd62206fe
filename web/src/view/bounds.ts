// The space the mechanism takes during the whole run.
import { Box3, Matrix4, Vector3 } from "three";
import { bodyOf, type Mechanism } from "../motion/mechanism";
import type { Bodies } from "./bodies";

const MOST_SAMPLES = 120;

export function boundsOf(mechanism: Mechanism, bodies: Bodies): Box3 {
  const box = new Box3();
  const part = new Box3();
  const { times } = mechanism.table.timeline;
  const count = Math.min(MOST_SAMPLES, times.length);
  for (let k = 0; k < count; k++) {
    mechanism.show(times[Math.round((k * (times.length - 1)) / Math.max(1, count - 1))]);
    for (const name of bodies.names) {
      if (!isFinite(mechanism.body(name))) continue;
      const inside = bodies.space(name, part);
      if (!inside) continue;
      if (Number.isFinite(inside.min.length()) && Number.isFinite(inside.max.length()))
        box.union(inside.applyMatrix4(mechanism.body(name)));
    }
  }
  const p = new Vector3();
  const { joints, symbols } = mechanism.scene;
  const ends = [
    ...joints.flatMap((j) => [j.parent, j.child]),
    ...symbols.flatMap((s) => [s.a, s.b]),
  ];
  for (const ref of ends) if (bodyOf(ref) === "ground") box.expandByPoint(mechanism.origin(ref, p));
  if (box.isEmpty()) box.set(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
  return box;
}

function isFinite(matrix: Matrix4): boolean {
  return matrix.elements.every(Number.isFinite);
}
