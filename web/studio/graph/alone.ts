// One box of a bond graph, without the rest.
import type { GraphData, Point } from "./data";

export function alone(data: GraphData, name: string): GraphData {
  const box = data.boxes.find((known) => known.name === name)!;
  const [x, y, width, height] = box.at;
  const within = ([px, py]: Point) => px >= x && px <= x + width && py >= y && py <= y + height;
  const nodes = data.nodes.filter(({ at }) => within(at));
  const names = new Set(nodes.map((node) => node.name));
  const bonds = data.bonds.filter(({ tail, head }) => names.has(tail) && names.has(head));
  const boxes = data.boxes.filter(
    ({ at: [bx, by, w, h] }) => within([bx + w / 2, by + h / 2]) && w <= width,
  );
  const findings = data.findings.filter(({ elements }) =>
    elements.some((known) => names.has(known)),
  );
  const inside = <T extends { at: Point }>(all: T[] = []) => all.filter(({ at }) => within(at));
  return {
    ...data,
    title: box.label,
    bounds: [x, y, x + width, y + height],
    boxes,
    nodes,
    bonds,
    findings,
    held: inside(data.held),
    texts: inside(data.texts),
  };
}
