// Symbols of what acts between bodies: springs, dampers, actuators, bushings, rods, motors, wheels.
import {
  type BufferGeometry,
  Curve,
  CylinderGeometry,
  Group,
  Matrix4,
  SphereGeometry,
  TubeGeometry,
  Vector3,
} from "three";
import type { SymbolData, Triple } from "../data/types";
import type { Mechanism } from "../motion/mechanism";
import type { Layer } from "./layer";
import { type Ink, type Mark, Marks } from "./marks";
import { placed } from "./parts";
import { sweepGeometry } from "./sweep";
import type { Theme } from "./theme";

const TURNS = 9;
const TEETH = 24;
/** Of the shortest length of a damper or cylinder, what its housing takes. */
const HOUSING = 0.7;
const MOST_SAMPLES = 200;

/** A helix along y of radius one with straight ends. */
class Coil extends Curve<Vector3> {
  constructor(private readonly length: number) {
    super();
  }

  override getPoint(t: number, out = new Vector3()): Vector3 {
    const inside = Math.min(Math.max((t - 0.12) / 0.76, 0), 1);
    const width = Math.min(1, 12 * inside * (1 - inside));
    const angle = 2 * Math.PI * TURNS * inside;
    return out.set(width * Math.cos(angle), this.length * t, width * Math.sin(angle));
  }
}

/** Of length one; its wire is round where it is drawn about as long as `length` radii. */
const coil = (length: number) => () =>
  new TubeGeometry(new Coil(length), 360, 0.16, 8).scale(1, 1 / length, 1);

/** A flat spring about y, of radius one. */
class Spiral extends Curve<Vector3> {
  constructor() {
    super();
  }

  override getPoint(t: number, out = new Vector3()): Vector3 {
    const [radius, angle] = [0.3 + 0.7 * t, 7 * Math.PI * t];
    return out.set(radius * Math.cos(angle), 0, radius * Math.sin(angle));
  }
}

/** Places on the rim of a tooth, and whether they are at its top. */
const TOOTH: [part: number, isTop: boolean][] = [
  [0, false],
  [0.2, false],
  [0.32, true],
  [0.68, true],
  [0.8, false],
];
const teeth = Array.from({ length: TEETH }, (_, k) =>
  TOOTH.map(([part, isTop]): [number, boolean] => [(k + part) / TEETH, isTop]),
).flat();

/** An outline across y, of thickness one. */
function plate(outline: number[]): BufferGeometry {
  return sweepGeometry([-0.5, 0.5], [[outline]], false).rotateZ(Math.PI / 2);
}

/** About y, of radius one. */
class Circle extends Curve<Vector3> {
  constructor() {
    super();
  }

  override getPoint(t: number, out = new Vector3()): Vector3 {
    const angle = 2 * Math.PI * t;
    return out.set(Math.cos(angle), 0, Math.sin(angle));
  }
}

/** A toothed wheel about y, of radius and width one. */
function wheel(): BufferGeometry {
  const rim = teeth.flatMap(([part, isTop]) => {
    const [angle, radius] = [2 * Math.PI * part, isTop ? 1.05 : 0.93];
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  return plate(rim);
}

/** A straight one along y. */
function rack(): BufferGeometry {
  const edge = teeth.flatMap(([part, isTop]) => [isTop ? 0.5 : 0.1, part - 0.5]);
  return plate([-0.5, -0.5, 0.1, -0.5, ...edge, 0.1, 0.5, -0.5, 0.5]).rotateX(Math.PI / 2);
}

const tube = () => new CylinderGeometry(1, 1, 1, 24);

export class Symbols implements Layer {
  readonly object = new Group();
  private readonly marks = new Marks();
  private readonly follows: (() => void)[] = [];
  private readonly lines: Line[] = [];
  private readonly wheels: { symbol: SymbolData; mark: Mark; radius: number }[] = [];
  private readonly place = new Matrix4();
  private readonly scale: number;

  constructor(private readonly mechanism: Mechanism) {
    const { scale, symbols } = mechanism.scene;
    this.scale = scale;
    for (const symbol of symbols) DRAWN[symbol.kind](this, symbol);
    this.marks.build();
    this.object.add(this.marks.object);
    this.measure();
  }

  get solids() {
    return this.marks.solids;
  }

  mark(
    { name, kind }: SymbolData,
    key: string,
    shape: () => BufferGeometry,
    ink: Ink = "steel",
    isRubber = false,
  ): Mark {
    const named = { element: name, kind: kind.replace("_", " ") };
    return this.marks.add(key, shape, named, ink, isRubber);
  }

  /** Something from frame to frame, of a shape of length one along y; widths in sizes of a body. */
  stretch(
    symbol: SymbolData,
    key: string,
    shape: () => BufferGeometry,
    width: number,
    { ink = "steel" as Ink, share = 0 } = {},
  ): void {
    const mark = this.mark(symbol, key, shape, ink);
    this.lines.push(new Line(this.mechanism, symbol, mark, width * this.scale, share));
  }

  /** Something on a frame, `off` along its axis; sizes in sizes of a body. */
  fix(
    symbol: SymbolData,
    key: string,
    shape: () => BufferGeometry,
    [width, length]: [number, number],
    { off = 0, frame = symbol.b, ink = "steel" as Ink, isRubber = false } = {},
  ): void {
    const mark = this.mark(symbol, key, shape, ink, isRubber);
    const axis = symbol.direction ?? [0, 1, 0];
    const s = this.scale;
    const middle = axis.map((v) => v * off * s) as Triple;
    const local = placed(middle, axis, [width * s, length * s, width * s]);
    this.follows.push(() => mark.put(this.mechanism.frame(frame, this.place).multiply(local)));
  }

  coil(symbol: SymbolData, width: number): void {
    const [a, b] = [symbol.a, symbol.b].map((f) => this.mechanism.originAt(f, 0, new Vector3()));
    const slenderness = a.distanceTo(b) / (width * this.scale);
    const length = 2 ** Math.round(Math.log2(Math.min(Math.max(slenderness, 1), 256) || 8));
    this.stretch(symbol, `coil ${length}`, coil(length), width);
  }

  turning(symbol: SymbolData): void {
    const mark = this.mark(symbol, "wheel", wheel);
    this.wheels.push({ symbol, mark, radius: 0 });
  }

  /** Shortest lengths and sizes of wheels, for another motion. */
  measure(): void {
    for (const line of this.lines) line.measure();
    for (const own of this.wheels) own.radius = this.radius(own.symbol);
  }

  /** Of a wheel: its own, or its share of the way to its mate. */
  private radius({ b, radius, share = 0.5, mate }: SymbolData): number {
    if (radius) return radius;
    const usual = 0.4 * share * this.scale;
    if (!mate) return usual;
    const away = this.mechanism
      .originAt(b, 0, new Vector3())
      .distanceTo(this.mechanism.originAt(mate, 0, new Vector3()));
    return away > 0.05 * this.scale ? share * away : usual;
  }

  /** Light up some of them. */
  highlight(names: ReadonlySet<string>, hovered: string | null): void {
    this.marks.highlight(names, hovered);
  }

  update(): void {
    for (const follow of this.follows) follow();
    for (const line of this.lines) line.update();
    for (const { symbol, mark, radius } of this.wheels) {
      const local = placed([0, 0, 0], symbol.direction, [radius, 0.05 * this.scale, radius]);
      mark.put(this.mechanism.frame(symbol.b, this.place).multiply(local));
    }
    this.marks.moved();
  }

  paint(theme: Theme): void {
    this.marks.paint(theme);
  }
}

/** Something that reaches from frame to frame; `share`: a housing at the first one, as long as that
 *  part of the shortest way. */
class Line {
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private readonly matrix = new Matrix4();
  private least = Infinity;

  constructor(
    private readonly mechanism: Mechanism,
    private readonly symbol: SymbolData,
    private readonly mark: Mark,
    private readonly width: number,
    private readonly share: number,
  ) {}

  measure(): void {
    this.least = Infinity;
    if (!this.share) return;
    const { times } = this.mechanism.table.timeline;
    const step = Math.max(1, Math.ceil(times.length / MOST_SAMPLES));
    for (let k = 0; k < times.length; k += step) {
      this.mechanism.originAt(this.symbol.a, k, this.a);
      this.least = Math.min(
        this.least,
        this.mechanism.originAt(this.symbol.b, k, this.b).distanceTo(this.a) || Infinity,
      );
    }
  }

  update(): void {
    const { mechanism, symbol, a, b } = this;
    mechanism.origin(symbol.a, a);
    const way = mechanism.origin(symbol.b, b).sub(a).length();
    if (!(way > 1e-9)) return this.mark.hide();
    this.least = Math.min(this.least, way);
    const length = this.share ? this.share * this.least : way;
    const axis = b.divideScalar(way).toArray() as Triple;
    this.matrix.copy(placed(a.toArray() as Triple, axis, [this.width, length, this.width]));
    this.mark.put(this.matrix);
  }
}

/** Of length one from the origin along y. */
const upwards = (shape: () => BufferGeometry) => () => shape().translate(0, 0.5, 0);

function dashpot(all: Symbols, symbol: SymbolData, width: number, ink: Ink = "steel"): void {
  all.stretch(symbol, "rod", upwards(tube), 0.35 * width);
  all.stretch(symbol, "housing", upwards(tube), width, { ink, share: HOUSING });
}

const DRAWN: Record<SymbolData["kind"], (all: Symbols, symbol: SymbolData) => void> = {
  spring: (all, s) => all.coil(s, 0.05),
  damper: (all, s) => dashpot(all, s, 0.034),
  spring_damper: (all, s) => {
    all.coil(s, 0.055);
    dashpot(all, s, 0.026);
  },
  actuator: (all, s) => dashpot(all, s, 0.042, "force"),
  distance: (all, s) => all.stretch(s, "rod", upwards(tube), 0.012),
  bushing: (all, s) =>
    all.fix(s, "rubber", () => new SphereGeometry(1, 28, 18), [0.07, 0.07], {
      ...{ frame: s.a, isRubber: true },
    }),
  torsion_spring: (all, s) =>
    all.fix(s, "spiral", () => new TubeGeometry(new Spiral(), 200, 0.06, 8), [0.11, 0.11], {
      off: 0.07,
    }),
  brake: (all, s) =>
    all.fix(s, "ring", () => new TubeGeometry(new Circle(), 36, 0.2, 12, true), [0.075, 0.075], {
      off: -0.06,
    }),
  motor: (all, s) =>
    all.fix(s, "tube", tube, [0.075, 0.09], { off: 0.12, frame: s.a, ink: "force" }),
  rotor: (all, s) => all.fix(s, "tube", tube, [0.1, 0.03], { off: -0.1 }),
  wheel: (all, s) => all.turning(s),
  rack: (all, s) => all.fix(s, "rack", rack, [0.06, 1.2]),
};
