// A beam that was taken apart, drawn whole.
//
// Bodies of its parts carry sections. Between neighbouring ones, A and B, the axis has constant strain:
// it is the helix that joins them, X(s) = A exp(s log(A⁻¹ B)). Magnified by a factor k a section is
// drawn at c + k (p - c) as other flexible bodies are; c is its place on the stress-free beam, which
// moves with the first body, or lies between the ends if joints hold both.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Table } from "../data/table";
import type { Load, PiecesData } from "../data/types";
import { unpackColumns } from "../data/unpack";
import { chordTurn, magnifyTurn, readCarried, Shape } from "./shape";
import { Track } from "./track";

const ONE = new Vector3(1, 1, 1);

interface Section {
  p: Vector3;
  q: Quaternion;
}

export class Pieces extends Shape {
  private tracks: Track[];
  private readonly rest: Section[];
  /** Sections and carriers of the stress-free beam, and those now, in the body frame. */
  private readonly still: Section[];
  private readonly now: Section[];
  private readonly knots: Section[];
  private readonly local: Section[];
  private readonly owner: Float32Array;
  private readonly base = new Matrix4();
  private readonly pose4 = new Matrix4();
  private readonly spare = new Vector3();
  private readonly turn = new Quaternion();
  private readonly c: Section = section();
  private readonly chord = { rest: new Quaternion(), now: new Quaternion(), stretch: 1 };

  private constructor(
    readonly data: PiecesData,
    rest: Float32Array[],
    on: Float32Array[],
    private readonly places: Float32Array[],
    carried: ReadonlyMap<Load, Float32Array[]>,
    table: Table,
  ) {
    super(carried, table);
    this.tracks = data.carriers.map((name) => new Track(table, name));
    this.rest = data.carriers.map((_, k) => sectionOf(rest, k));
    this.owner = on[0];
    this.local = Array.from({ length: data.knots }, (_, k) => sectionOf(on.slice(1), k));
    this.knots = this.local.map(section);
    const all = () => Array.from({ length: data.drawn + data.carriers.length }, section);
    [this.still, this.now] = [all(), all()];
    this.place(this.rest, this.still);
    chordTurn(this.still[0].p, this.still[data.drawn - 1].p, this.chord.rest);
  }

  static async read(data: PiecesData, table: Table): Promise<Pieces> {
    const rest = await unpackColumns(data.rest, 7);
    const on = await unpackColumns(data.on, 8);
    const places = await unpackColumns(data.places, 3);
    return new Pieces(data, rest, on, places, await readCarried(data), table);
  }

  get drawn(): number {
    return this.data.drawn;
  }

  get byNodes(): boolean {
    return false;
  }

  get deforms(): boolean {
    return true;
  }

  override take(table: Table): void {
    super.take(table);
    for (const track of this.tracks) track.take(table);
  }

  show(time: number): void {
    this.time = this.table.timeline.place(time);
    this.tracks[0].at(time, this.base).invert();
    const carriers = this.tracks.map((track) => {
      const own = section();
      this.pose4.multiplyMatrices(this.base, track.at(time, this.pose4));
      this.pose4.decompose(own.p, own.q, this.spare);
      return own;
    });
    this.place(carriers, this.now);
    if (!this.data.held) return;
    const { chord, still, now } = this;
    const last = this.drawn - 1;
    chordTurn(now[0].p, now[last].p, chord.now);
    chord.now.multiply(this.turn.copy(chord.rest).conjugate());
    chord.stretch = now[0].p.distanceTo(now[last].p) / still[0].p.distanceTo(still[last].p);
  }

  /** Drawn sections, then carriers, of bodies with these poses. */
  private place(carriers: Section[], out: Section[]): void {
    const { knots, local, owner, drawn } = this;
    knots.forEach((knot, k) => after(carriers[owner[k]], local[k], knot));
    const [, first, share] = this.places;
    let from = -1;
    for (let k = 0; k < drawn; k++) {
      if (first[k] !== from) {
        from = first[k];
        helix.join(knots[from], knots[from + 1]);
      }
      helix.at(share[k], out[k]);
    }
    carriers.forEach((carrier, k) => {
      out[drawn + k].p.copy(carrier.p);
      out[drawn + k].q.copy(carrier.q);
    });
  }

  undeformed(place: number, out: Vector3): Vector3 {
    return out.set(this.places[0][place], 0, 0);
  }

  along(place: number): number {
    return this.places[0][place];
  }

  position(place: number, out: Vector3): Vector3 {
    out.copy(this.now[place].p);
    if (this.factor === 1) return out;
    const { p } = this.reference(place);
    return out.sub(p).multiplyScalar(this.factor).add(p);
  }

  pose(place: number, out: Matrix4): Matrix4 {
    const turn = this.turn.copy(this.now[place].q);
    if (this.factor !== 1) {
      const { q } = this.reference(place);
      turn.premultiply(q.conjugate());
      magnifyTurn(turn, this.factor);
      turn.premultiply(q.conjugate());
    }
    return out.compose(this.position(place, this.spare), turn, ONE);
  }

  /** The place on the stress-free beam. */
  private reference(place: number): Section {
    const { c, chord, still, now } = this;
    c.p.copy(still[place].p);
    c.q.copy(still[place].q);
    if (!this.data.held) return c;
    const x = AXIS.set(1, 0, 0).applyQuaternion(chord.rest);
    c.p.sub(still[0].p);
    c.p.addScaledVector(x, (chord.stretch - 1) * c.p.dot(x));
    c.p.applyQuaternion(chord.now).add(now[0].p);
    c.q.premultiply(chord.now);
    return c;
  }
}

const AXIS = new Vector3();

function section(): Section {
  return { p: new Vector3(), q: new Quaternion() };
}

function sectionOf([x, y, z, e0, e1, e2, e3]: Float32Array[], k: number): Section {
  const q = new Quaternion(e1[k], e2[k], e3[k], e0[k]).normalize();
  return { p: new Vector3(x[k], y[k], z[k]), q };
}

/** X_AC = X_AB X_BC. */
function after(a: Section, b: Section, out: Section): void {
  out.p.copy(b.p).applyQuaternion(a.q).add(a.p);
  out.q.multiplyQuaternions(a.q, b.q);
}

/** The curve of constant strain from one section to another. */
class Helix {
  private readonly from = section();
  private readonly theta = new Vector3();
  private readonly d = new Vector3();
  private readonly one = new Vector3();
  private readonly two = new Vector3();
  private readonly turned = new Vector3();
  private readonly turn = new Quaternion();

  /** log(A⁻¹ B) = θ + ε d with d = p - θ x p / 2 + (1 - ϑ/2 cot ϑ/2) / ϑ² θ x (θ x p). */
  join(a: Section, b: Section): void {
    const { theta, d, one, two } = this;
    this.from.p.copy(a.p);
    this.from.q.copy(a.q);
    const back = this.turn.copy(a.q).conjugate();
    d.copy(b.p).sub(a.p).applyQuaternion(back);
    const turn = back.multiply(b.q);
    const sign = turn.w < 0 ? -1 : 1;
    const sine = theta.set(turn.x, turn.y, turn.z).multiplyScalar(sign).length();
    const angle = 2 * Math.atan2(sine, sign * turn.w);
    theta.multiplyScalar(sine > 1e-9 ? angle / sine : 2);
    const factor = angle > 1e-3 ? (1 - angle / 2 / Math.tan(angle / 2)) / angle ** 2 : 1 / 12;
    one.crossVectors(theta, d);
    two.crossVectors(theta, one);
    d.addScaledVector(one, -0.5).addScaledVector(two, factor);
  }

  /** A exp(s log(A⁻¹ B)). */
  at(share: number, out: Section): void {
    const { theta, d, one, two, from } = this;
    const angle = share * theta.length();
    const isSmall = angle < 1e-3;
    const first = isSmall ? 0.5 : (1 - Math.cos(angle)) / angle ** 2;
    const second = isSmall ? 1 / 6 : (angle - Math.sin(angle)) / angle ** 3;
    one.crossVectors(theta, d);
    two.crossVectors(theta, one);
    out.p.copy(d).multiplyScalar(share);
    out.p.addScaledVector(one, first * share ** 2).addScaledVector(two, second * share ** 3);
    out.p.applyQuaternion(from.q).add(from.p);
    const whole = theta.length();
    const axis = this.turned.copy(theta).divideScalar(whole || 1);
    out.q.multiplyQuaternions(from.q, this.turn.setFromAxisAngle(axis, angle));
  }
}

const helix = new Helix();
