// The shape of a flexible body at a time, true or magnified.
//
// A place has p = p0 + L q - 1/2 q'H q and R = exp(psi q) exp(phi q about x), in the body frame.
// Magnified by a factor k it is drawn at c + k (p - c), where c is the place on the undeformed body.
// That lies along the chord if joints hold both ends of a beam (so that they stay together),
// otherwise in the floating frame. Angles follow: the tangent of an angle of bending grows by k.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Column, Table } from "../data/table";
import type { ElasticData, Load } from "../data/types";
import { unpackColumns } from "../data/unpack";
import { chordTurn, magnifyTurn, readCarried, Shape } from "./shape";

const X = new Vector3(1, 0, 0);
const ONE = new Vector3(1, 1, 1);
/** Deflections below this part of the length are rounding. */
const SMALLEST = 1e-12;

export class Deformation extends Shape {
  private readonly q: Float64Array;
  private curves: Column[];
  private readonly chord = { start: new Vector3(), end: new Vector3(), turn: new Quaternion() };
  private readonly bend = new Quaternion();
  private readonly twist = new Quaternion();
  private readonly axis = new Vector3();
  private readonly point = new Vector3();
  private readonly still = new Vector3();

  private constructor(
    readonly data: ElasticData,
    private readonly columns: Float32Array[],
    private readonly moments: Float32Array[],
    carried: ReadonlyMap<Load, Float32Array[]>,
    table: Table,
  ) {
    super(carried, table);
    this.curves = curvesOf(data, table);
    this.q = new Float64Array(data.coordinates.length);
  }

  static async read(data: ElasticData, table: Table): Promise<Deformation> {
    const n = data.coordinates.length;
    const columns = await unpackColumns(data.numbers, 3 + 7 * n + data.pairs.length);
    const moments = await unpackColumns(data.moments, 2 * n);
    const carried = await readCarried(data);
    return new Deformation(data, columns, moments, carried, table);
  }

  get drawn(): number {
    return this.data.drawn;
  }

  get byNodes(): boolean {
    return this.data.nodes;
  }

  get deforms(): boolean {
    return this.q.length > 0;
  }

  override take(table: Table): void {
    super.take(table);
    this.curves = curvesOf(this.data, table);
  }

  /** Take the elastic coordinates of a time, linear between samples. */
  show(time: number): void {
    const { index, fraction } = (this.time = this.table.timeline.place(time));
    this.curves.forEach((c, a) => {
      this.q[a] = fraction ? c[index] + fraction * (c[index + 1] - c[index]) : c[index];
    });
    if (this.data.held) this.holdEnds();
  }

  /** A place of the undeformed body. */
  undeformed(place: number, out: Vector3): Vector3 {
    return out.set(this.columns[0][place], this.columns[1][place], this.columns[2][place]);
  }

  /** How far along the undeformed axis a place is. */
  along(place: number): number {
    return this.columns[0][place];
  }

  /** Where a place is drawn, in the body frame. */
  position(place: number, out: Vector3): Vector3 {
    this.deformed(place, out);
    if (this.factor === 1) return out;
    return out.sub(this.reference(place, this.still)).multiplyScalar(this.factor).add(this.still);
  }

  /** Pose of the section or node as it is drawn, in the body frame. */
  pose(place: number, out: Matrix4): Matrix4 {
    const turn = this.rotation(place);
    return out.compose(this.position(place, this.point), turn, ONE);
  }

  override get loads(): Load[] {
    return this.tellsOfShapes && this.moments.length ? ["moment"] : super.loads;
  }

  /** Whether it tells no more than the moment of its shapes. */
  override get tellsOfShapes(): boolean {
    return !this.carried.size;
  }

  override load(load: Load, place: number): number {
    if (this.tellsOfShapes) return load === "moment" ? this.momentOfShapes(place) : 0;
    return super.load(load, place);
  }

  /** Size of the bending moment of the elastic coordinates. */
  private momentOfShapes(place: number): number {
    if (!this.moments.length) return 0;
    const n = this.q.length;
    let [y, z] = [0, 0];
    for (let a = 0; a < n; a++) {
      y += this.moments[a][place] * this.q[a];
      z += this.moments[n + a][place] * this.q[a];
    }
    return Math.hypot(y, z);
  }

  private deformed(place: number, out: Vector3): Vector3 {
    const { q, columns, data } = this;
    const n = q.length;
    const p = [columns[0][place], columns[1][place], columns[2][place]];
    for (let i = 0; i < 3; i++)
      for (let a = 0; a < n; a++) p[i] += columns[3 + i * n + a][place] * q[a];
    data.pairs.forEach(([i, a, b], k) => {
      p[i] -= 0.5 * columns[3 + 7 * n + k][place] * q[a] * q[b];
    });
    return out.set(p[0], p[1], p[2]);
  }

  private rotation(place: number): Quaternion {
    const { q, columns, factor } = this;
    const n = q.length;
    const psi = [0, 0, 0];
    let phi = 0;
    for (let a = 0; a < n; a++) {
      for (let i = 0; i < 3; i++) psi[i] += columns[3 + 3 * n + i * n + a][place] * q[a];
      phi += columns[3 + 6 * n + a][place] * q[a];
    }
    const angle = this.axis.set(psi[0], psi[1], psi[2]).length();
    if (angle > SMALLEST) this.axis.divideScalar(angle);
    this.bend.setFromAxisAngle(this.axis, angle);
    if (factor !== 1) this.magnify(this.bend);
    if (phi) this.bend.multiply(this.twist.setFromAxisAngle(X, factor * phi));
    return this.bend;
  }

  /** Magnify a rotation relative to that of the undeformed body. */
  private magnify(turn: Quaternion): void {
    const { chord, data } = this;
    if (data.held) turn.premultiply(this.twist.copy(chord.turn).conjugate());
    magnifyTurn(turn, this.factor);
    if (data.held) turn.premultiply(chord.turn);
  }

  /** The place on the undeformed body. */
  private reference(place: number, out: Vector3): Vector3 {
    if (!this.data.held) return this.undeformed(place, out);
    const { columns, data, chord } = this;
    const [first, last] = [columns[0][0], columns[0][data.drawn - 1]];
    return out.lerpVectors(chord.start, chord.end, (columns[0][place] - first) / (last - first));
  }

  /** Axes of the chord: x along it, z nearest to that of the body. */
  private holdEnds(): void {
    const { start, end, turn } = this.chord;
    this.deformed(0, start);
    this.deformed(this.data.drawn - 1, end);
    chordTurn(start, end, turn);
  }
}

function curvesOf(data: ElasticData, table: Table): Column[] {
  return data.coordinates.map((name) => table.columnsOf(name)[0]);
}
