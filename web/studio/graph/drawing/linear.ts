// The picture of a linear graph: bodies behind curved edges behind vertices; the tree is bold.
import { svg } from "../../../src/ui/dom";
import { around, type Drawing, type Item } from "../canvas/items";
import type { Bounds } from "../canvas/viewport";
import type { GraphData, Point } from "../data";
import { plus } from "../geometry";
import { Edge } from "./edges";
import { Hull } from "./hulls";
import { Vertex } from "./vertices";

const NOTHING: Point = [0, 0];

export class LinearDrawing implements Drawing {
  readonly layer: SVGGElement;
  readonly items: readonly Item[];
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
  private readonly vertices: ReadonlyMap<string, Vertex>;
  private readonly edges: readonly Edge[];
  private readonly hulls: readonly Hull[];
  private readonly moves = new Map<string, Point>();

  constructor(data: GraphData) {
    this.vertices = new Map(data.vertices.map((vertex) => [vertex.name, new Vertex(vertex)]));
    this.edges = data.edges.map((edge) => new Edge(edge));
    this.hulls = data.hulls.map((own) => {
      const vertices = [...this.vertices.values()].filter(
        ({ name }) => name.split(".")[0] === own.owner,
      );
      return new Hull(own, vertices);
    });
    const links = new Map<string, string[]>();
    for (const { tail, head } of data.edges) {
      links.set(tail, [...(links.get(tail) ?? []), head]);
      links.set(head, [...(links.get(head) ?? []), tail]);
    }
    this.neighbours = links;
    this.items = [...this.vertices.values(), ...this.edges, ...this.hulls];
    const group = (name: string, elements: SVGElement[]) =>
      svg("g", { class: name, role: "presentation" }, ...elements);
    this.layer = svg(
      "g",
      { class: "linear-drawing", role: "presentation" },
      group("hulls", this.hulls.map(({ element }) => element)), // prettier-ignore
      group("edges", this.edges.map(({ element }) => element)), // prettier-ignore
      group("vertices", [...this.vertices.values()].map(({ element }) => element)), // prettier-ignore
      group("headings", this.hulls.map(({ heading }) => heading)), // prettier-ignore
    );
  }

  get bounds(): Bounds {
    const [x0, y0, x1, y1] = around(this.items);
    return [x0 - 30, y0 - 20, x1 + 30, y1 + 30];
  }

  move(items: readonly Item[], shift: Point): void {
    const own = (item: Item) =>
      item instanceof Vertex ? [item] : item instanceof Hull ? item.vertices : [];
    const moved = [...new Set(items.flatMap(own))];
    for (const vertex of moved) {
      vertex.shift(shift);
      this.moves.set(vertex.name, plus(this.moves.get(vertex.name) ?? NOTHING, shift));
    }
    const names = new Set(moved.map(({ name }) => name));
    for (const edge of this.edges) {
      const [tail, head] = [names.has(edge.data.tail), names.has(edge.data.head)];
      if (tail || head) edge.stretch(tail ? shift : NOTHING, head ? shift : NOTHING);
    }
    for (const body of this.hulls)
      if (body.vertices.some((vertex) => names.has(vertex.name))) body.follow();
  }

  resume(previous: Drawing): void {
    if (!(previous instanceof LinearDrawing)) return;
    const names = (drawing: LinearDrawing) => [...drawing.vertices.keys()].join(" ");
    if (names(this) !== names(previous)) return;
    for (const [name, shift] of previous.moves) this.move([this.vertices.get(name)!], shift);
  }

  settled(items: readonly Item[]): void {
    for (const { name } of items) this.moves.delete(name);
  }

  linesAt(item: Item): readonly Item[] {
    const at = item instanceof Hull ? item.vertices.map(({ name }) => name) : [item.name];
    const names = new Set(at);
    return this.edges.filter(({ data }) => names.has(data.tail) !== names.has(data.head));
  }

  endsOf(line: Item): readonly Item[] {
    if (!(line instanceof Edge)) return [];
    const { tail, head } = line.data;
    return [this.vertices.get(tail), this.vertices.get(head)].filter((end) => end !== undefined);
  }

  foldAt(): null {
    return null;
  }

  boxAround(item: Item): Item | null {
    return this.hulls.find(({ vertices }) => vertices.includes(item as Vertex)) ?? null;
  }
}
