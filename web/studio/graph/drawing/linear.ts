// The picture of a linear graph: bodies behind curved edges behind vertices; the tree is bold.
import { svg } from "../../../src/ui/dom";
import { around, type Drawing, type Item } from "../canvas/items";
import type { Bounds } from "../canvas/viewport";
import type { EdgeData, GraphData, HullData, Point, VertexData } from "../data";
import {
  curveOf,
  distanceToWay,
  flattened,
  hull,
  length,
  minus,
  onCurve,
  pathOf,
  plus,
  times,
} from "../geometry";

const RADIUS = 7;
const NOTHING: Point = [0, 0];

export class Vertex implements Item {
  readonly rank = "symbol";
  readonly focusable = true;
  readonly details = [] as const;
  readonly element: SVGGElement;
  at: Point;

  constructor(readonly data: VertexData) {
    this.at = data.at;
    this.element = svg(
      "g",
      {
        class: `vertex ${data.ground ? "ground" : ""}`,
        role: "option",
        "aria-label": this.sentence,
        "aria-selected": "false",
        "data-name": data.name,
        "data-owner": data.owner,
      },
      svg("circle", { class: "back", r: RADIUS + 5 }),
      svg("circle", { class: "dot", r: RADIUS }),
    );
    if (data.ground) {
      const hatches = [-9, -3, 3, 9, 15].map((x) => `M${x} 10l-6 7`).join("");
      this.element.append(
        svg("path", { class: "earth", d: `M-15 10h30${hatches}` }),
        svg("text", { class: "title", y: 27, dy: "0.35em" }, "ground"),
      );
    }
    this.shift(NOTHING);
  }

  get name(): string {
    return this.data.name;
  }

  get owner(): string {
    return this.data.owner || this.data.name;
  }

  get sentence(): string {
    const { name, owner, ground } = this.data;
    return ground ? "the ground" : owner && owner !== name ? `frame ${name} of ${owner}` : name;
  }

  get centre(): Point {
    return this.at;
  }

  get bounds(): Bounds {
    const [x, y] = this.at;
    return [x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS];
  }

  distance(p: Point): number {
    return Math.max(0, length(minus(p, this.at)) - RADIUS);
  }

  shift(by: Point): void {
    this.at = plus(this.at, by);
    this.element.setAttribute("transform", `translate(${this.at[0]} ${this.at[1]})`);
  }
}

export class Edge implements Item {
  readonly rank = "line";
  readonly focusable = false;
  readonly details: readonly (readonly [string, string])[];
  readonly element: SVGGElement;
  private curve: readonly Point[];
  private pieces: Point[] = [];
  private readonly paths = ["halo", "line"].map((name) => svg("path", { class: name }));
  private readonly arrow = svg("path", { class: "arrow" });
  private readonly label: SVGTextElement | null = null;
  private readonly beside: Point = [0, 0];

  constructor(readonly data: EdgeData) {
    this.curve = data.points;
    this.details = [["part of the", data.tree ? "tree" : "cotree"]];
    this.element = svg(
      "g",
      {
        class: `edge ${data.kind.replace(/ /g, "-")} ${data.tree ? "tree" : "cotree"}`,
        role: "img",
        "aria-label": data.sentence || data.name,
        "data-name": data.name,
        "data-owner": data.owner,
      },
      ...this.paths,
      this.arrow,
    );
    this.element.style.setProperty("--paint", data.colour);
    if (data.label) {
      this.beside = minus(data.label.at, onCurve(this.curve, 0.5).at);
      this.label = svg("text", { class: "name", dy: "0.35em" }, data.label.text);
      this.element.append(this.label);
    }
    this.draw();
  }

  get name(): string {
    return this.data.name;
  }

  get owner(): string {
    return this.data.owner || this.data.name;
  }

  get sentence(): string {
    return this.data.sentence || this.data.name;
  }

  get centre(): Point {
    return onCurve(this.curve, 0.5).at;
  }

  get bounds(): Bounds {
    const [xs, ys] = [this.pieces.map(([x]) => x), this.pieces.map(([, y]) => y)];
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }

  distance(p: Point): number {
    return distanceToWay(p, this.pieces);
  }

  /** Follow vertices that were moved. */
  stretch(tail: Point, head: Point): void {
    const [a, c, b] = this.curve;
    this.curve = [plus(a, tail), plus(c, times(plus(tail, head), 0.5)), plus(b, head)];
    this.draw();
  }

  private draw(): void {
    this.pieces = flattened(this.curve);
    const d = curveOf(this.curve);
    for (const path of this.paths) path.setAttribute("d", d);
    const { at, along } = onCurve(this.curve, 0.5);
    const size = this.data.tree ? 9 : 6.5;
    const ahead = times(along, 0.8 * size);
    const aside: Point = [-0.62 * size * along[1], 0.62 * size * along[0]];
    const corners = [
      plus(at, ahead),
      plus(minus(at, ahead), aside),
      minus(minus(at, ahead), aside),
    ];
    this.arrow.setAttribute("d", `${pathOf(corners)}Z`);
    if (this.label) {
      const [x, y] = plus(at, this.beside);
      this.label.setAttribute("x", `${x}`);
      this.label.setAttribute("y", `${y}`);
    }
  }
}

export class Hull implements Item {
  readonly rank = "area";
  readonly focusable = true;
  readonly details = [] as const;
  readonly element: SVGGElement;
  private corners: Point[];
  private readonly origin: Point;
  private readonly outline = svg("path", { class: "outline" });
  private readonly title: SVGTextElement;

  constructor(
    readonly data: HullData,
    readonly vertices: readonly Vertex[],
  ) {
    this.corners = data.points;
    this.origin = this.centre;
    this.title = svg("text", { class: "title", dy: "0.35em" }, data.owner);
    this.element = svg(
      "g",
      {
        class: `hull hull-${data.index % 6}`,
        role: "option",
        "aria-label": this.sentence,
        "aria-selected": "false",
        "data-name": data.owner,
        "data-owner": data.owner,
      },
      this.outline,
    );
    this.outline.style.strokeWidth = `${data.width}px`;
    this.draw();
  }

  get name(): string {
    return this.data.owner;
  }

  get owner(): string {
    return this.data.owner;
  }

  get sentence(): string {
    return `body ${this.data.owner}`;
  }

  get centre(): Point {
    const sum = this.corners.reduce(plus, NOTHING);
    return times(sum, 1 / this.corners.length);
  }

  get bounds(): Bounds {
    const [xs, ys] = [this.corners.map(([x]) => x), this.corners.map(([, y]) => y)];
    const w = this.data.width / 2;
    return [Math.min(...xs) - w, Math.min(...ys) - w, Math.max(...xs) + w, Math.max(...ys) + w];
  }

  distance(p: Point): number {
    const inside = this.corners.length > 2 && isInside(p, this.corners);
    const closed = [...this.corners, this.corners[0]];
    const off = closed.length > 2 ? distanceToWay(p, closed) : length(minus(p, this.corners[0]));
    return inside || off <= this.data.width / 2 ? 0 : Infinity;
  }

  /** Follow its vertices. */
  follow(): void {
    this.corners = hull(this.vertices.map(({ at }) => at));
    this.draw();
  }

  /** The name, which stands in front of all edges. */
  get heading(): SVGTextElement {
    return this.title;
  }

  private draw(): void {
    const { corners } = this;
    this.outline.setAttribute(
      "d",
      corners.length > 1 ? `${pathOf(corners)}Z` : `${pathOf(corners)}h0.01`,
    );
    const [x, y] = this.headingPlace();
    this.title.setAttribute("x", `${x}`);
    this.title.setAttribute("y", `${y}`);
  }

  /** Where its name stands: as far from its middle as it was. */
  private headingPlace(): Point {
    const given = this.data.label?.at;
    const [x0, y0, x1] = this.bounds;
    return given ? plus(given, minus(this.centre, this.origin)) : [(x0 + x1) / 2, y0 - 8];
  }
}

function isInside([x, y]: Point, corners: readonly Point[]): boolean {
  let inside = false;
  corners.forEach(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % corners.length];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  });
  return inside;
}

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

  move(item: Item, shift: Point): void {
    const moved = item instanceof Vertex ? [item] : item instanceof Hull ? item.vertices : [];
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
    for (const [name, shift] of previous.moves) this.move(this.vertices.get(name)!, shift);
  }

  foldAt(): null {
    return null;
  }

  boxAround(item: Item): Item | null {
    return this.hulls.find(({ vertices }) => vertices.includes(item as Vertex)) ?? null;
  }
}
