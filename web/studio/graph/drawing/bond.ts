// The picture of a multibond graph: boxes behind bonds behind symbols.
import { svg } from "../../../src/ui/dom";
import { around, type Drawing, type Item } from "../canvas/items";
import type { Bounds } from "../canvas/viewport";
import type { GraphData, Point } from "../data";
import { plus } from "../geometry";
import { Box } from "./boxes";
import { BondLine } from "./lines";
import { Note } from "./notes";
import { Port } from "./ports";
import { Symbol } from "./symbols";
import { valuePlaces } from "./values";

const HERE: Point = [0, 0];

const keyOf = ({ rank, name }: Item): string => `${rank} ${name}`;

export class BondDrawing implements Drawing {
  readonly layer: SVGGElement;
  readonly items: readonly Item[];
  readonly bonds: readonly BondLine[];
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
  /** Told of the scale at which it is seen. */
  onScale: ((scale: number) => void) | null = null;
  private readonly moves = new Map<string, Point>();
  readonly symbols: ReadonlyMap<string, Symbol>;
  /** From the innermost to the outermost. */
  readonly boxes: readonly Box[];
  readonly ports: readonly Port[];
  /** Bonds at a symbol. */
  private readonly attached = new Map<Symbol, BondLine[]>();
  private readonly hanging = new Map<Symbol | Box, Note[]>();
  /** What stands in a box. */
  private readonly content = new Map<Box, (Symbol | Box)[]>();

  constructor(private readonly data: GraphData) {
    const values = valuePlaces(data);
    this.symbols = new Map(
      data.nodes.map((node) => [node.name, new Symbol(node, values.get(node.name))]),
    );
    const smallestFirst = [...data.boxes].sort((a, b) => a.at[2] * a.at[3] - b.at[2] * b.at[3]);
    this.boxes = smallestFirst.map((box) => new Box(box));
    this.bonds = this.lines();
    this.neighbours = this.links();
    this.ports = data.boxes.flatMap((box) => (box.ports ?? []).map((port) => new Port(box, port)));
    this.fill();
    const notes = this.notes();
    this.items = [...this.ports, ...this.symbols.values(), ...notes, ...this.bonds, ...this.boxes];
    const group = (name: string, items: Iterable<Item>) =>
      svg("g", { class: name, role: "presentation" }, ...[...items].map(({ element }) => element));
    this.layer = svg(
      "g",
      { class: "bond-drawing", role: "presentation" },
      group("boxes", [...this.boxes].reverse()),
      group("bonds", this.bonds),
      group("notes", notes),
      group("symbols", this.symbols.values()),
      group("ports", this.ports),
      svg("g", { class: "titles", role: "presentation" }, ...this.boxes.map(({ also }) => also)),
    );
  }

  get bounds(): Bounds {
    return around(this.items);
  }

  move(items: readonly Item[], shift: Point): void {
    const all = new Set<Symbol | Box>();
    for (const item of items) {
      if (!(item instanceof Symbol || item instanceof Box)) continue;
      all.add(item);
      if (item instanceof Box) for (const inner of this.content.get(item)!) all.add(inner);
      const key = keyOf(item);
      this.moves.set(key, plus(this.moves.get(key) ?? HERE, shift));
    }
    this.moveAll([...all], shift);
  }

  settled(items: readonly Item[]): void {
    for (const item of items) this.moves.delete(keyOf(item));
  }

  scaled(scale: number): void {
    for (const box of this.boxes) box.scaled(scale);
    this.onScale?.(scale);
  }

  private moveAll(items: readonly (Symbol | Box)[], shift: Point): void {
    const moved = new Set(items);
    const bonds = new Set<BondLine>();
    for (const item of items) {
      item.shift(shift);
      this.hanging.get(item)?.forEach((note) => note.shift(shift));
      if (item instanceof Box)
        for (const port of this.ports) if (port.box === item.data) port.shift(shift);
      if (item instanceof Symbol) this.attached.get(item)?.forEach((bond) => bonds.add(bond));
    }
    for (const bond of bonds) {
      const by = (end: Symbol) => (moved.has(end) ? shift : HERE);
      bond.stretch(by(bond.tail), by(bond.head));
    }
  }

  resume(previous: Drawing): void {
    if (!(previous instanceof BondDrawing) || this.elements !== previous.elements) return;
    const items = new Map(this.items.map((item) => [keyOf(item), item]));
    for (const [key, shift] of previous.moves) {
      const item = items.get(key);
      if (item) this.move([item], shift);
    }
  }

  private get elements(): string {
    return [...this.data.nodes, ...this.data.boxes].map(({ name }) => name).join(" ");
  }

  foldAt(p: Point): string | null {
    return this.boxes.find((box) => box.isOnFold(p))?.name ?? null;
  }

  boxAround(item: Item): Item | null {
    return this.boxes.find((box) => this.content.get(box)!.includes(item as Box)) ?? null;
  }

  linesAt(item: Item): readonly Item[] {
    if (!(item instanceof Box)) return this.attached.get(item as Symbol) ?? [];
    const within = new Set<unknown>(this.content.get(item));
    return this.bonds.filter(({ tail, head }) => within.has(tail) !== within.has(head));
  }

  endsOf(line: Item): readonly Item[] {
    return line instanceof BondLine ? [line.tail, line.head] : [];
  }

  private lines(): BondLine[] {
    const found: BondLine[] = [];
    for (const bond of this.data.bonds) {
      const [tail, head] = [this.symbols.get(bond.tail), this.symbols.get(bond.head)];
      if (!tail || !head) continue;
      const line = new BondLine(bond, tail, head);
      found.push(line);
      for (const end of new Set([tail, head]))
        this.attached.set(end, [...(this.attached.get(end) ?? []), line]);
    }
    return found;
  }

  private links(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const [symbol, bonds] of this.attached) {
      const others = bonds.map(({ tail, head }) => (tail === symbol ? head.name : tail.name));
      found.set(symbol.name, others);
    }
    return found;
  }

  /** Frames' names and what joints hold: each follows the symbol it stands at. */
  private notes(): Note[] {
    const { held = [], texts = [] } = this.data;
    const found = [...held.map((own) => new Note(own)), ...texts.map((own) => new Note(own))];
    for (const note of found) {
      let nearest: Symbol | null = null;
      for (const symbol of this.symbols.values())
        if (!nearest || symbol.distance(note.foot) < nearest.distance(note.foot)) nearest = symbol;
      if (nearest) this.hanging.set(nearest, [...(this.hanging.get(nearest) ?? []), note]);
    }
    return found;
  }

  /** What stands in which box, by its place. */
  private fill(): void {
    const all = [...this.symbols.values(), ...this.boxes];
    this.boxes.forEach((box, k) => {
      const outer = new Set<Symbol | Box>(this.boxes.slice(k));
      const within = all.filter((item) => !outer.has(item) && box.holds(item.centre));
      this.content.set(box, within);
    });
  }
}
