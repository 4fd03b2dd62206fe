import { Matrix4, Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { Table } from "../src/data/table";
import type { PageData, SeriesData } from "../src/data/types";
import { Clock, suitableSpeed } from "../src/motion/clock";
import { Track } from "../src/motion/track";
import { Timeline } from "../src/motion/timeline";
import { pack } from "./pack";

describe("timeline", () => {
  const timeline = new Timeline([0, 0.1, 0.4, 0.5]);

  it("finds the sample before a time and the way to the next", () => {
    expect(timeline.place(0.25)).toEqual({ index: 1, fraction: expect.closeTo(0.5) });
    expect(timeline.place(0.05)).toEqual({ index: 0, fraction: expect.closeTo(0.5) });
    expect(timeline.place(0.4)).toEqual({ index: 2, fraction: 0 });
  });

  it("takes times outside the run to its ends", () => {
    expect(timeline.place(-1)).toEqual({ index: 0, fraction: 0 });
    expect(timeline.place(9)).toEqual({ index: 3, fraction: 0 });
  });

  it("gives the same place whatever was asked before", () => {
    for (const t of [0.45, 0.02, 0.39, 0.11, 0.5, 0]) {
      expect(timeline.place(t)).toEqual(new Timeline(timeline.times).place(t));
    }
  });
});

describe("clock", () => {
  const clock = () => new Clock(new Timeline([0, 1, 2, 3, 4]));

  it("plays in a loop, or stops at the end", () => {
    const c = clock();
    c.play();
    c.tick(5);
    expect([c.time, c.playing]).toEqual([1, true]);
    c.change({ loop: false });
    c.tick(5);
    expect([c.time, c.playing]).toEqual([4, false]);
    c.play();
    expect(c.time).toBe(0);
  });

  it("steps from sample to sample and stays inside the run", () => {
    const c = clock();
    c.seek(1.4);
    c.step(1);
    expect(c.time).toBe(2);
    c.step(-10);
    expect(c.time).toBe(0);
  });

  it("tells its followers at once and on every change", () => {
    const c = clock();
    const seen: number[] = [];
    c.follow(({ time }) => seen.push(time));
    c.seek(2);
    expect(seen).toEqual([0, 2]);
  });

  it("goes on with another run at the same time, and stops where there is no motion", () => {
    const c = clock();
    c.seek(3);
    c.play();
    c.take(new Timeline([0, 1, 2]));
    expect([c.time, c.playing, c.timeline.end]).toEqual([2, true, 2]);
    c.take(new Timeline([0]));
    expect([c.time, c.playing]).toEqual([0, false]);
  });

  it("suits its speed to the length of the run", () => {
    expect([10, 1, 0.02, 600].map(suitableSpeed)).toEqual([1, 0.2, 0.005, 50]);
  });
});

describe("poses between samples", () => {
  const series = (name: string, labels: string[], column: number): SeriesData => ({
    name,
    unit: "",
    labels,
    kind: "",
    column,
    unique: [],
  });
  const half = Math.SQRT1_2;
  const columns = [
    [0, 2],
    [0, 0],
    [0, 0],
    [1, -half],
    [0, 0],
    [0, 0],
    [0, -half],
  ];

  it("move along the line and turn along the shortest arc, whatever the sign of the quaternion", async () => {
    const data = {
      time: [0, 1],
      series: [
        series("b.position", ["x", "y", "z"], 0),
        series("b.orientation", ["w", "x", "y", "z"], 3),
      ],
      numbers: pack(columns),
    } as unknown as PageData;
    const track = new Track(await Table.read(data), "b");
    const [p, q] = [new Vector3(), new Quaternion()];
    track.at(0.5, new Matrix4()).decompose(p, q, new Vector3());
    expect(p.toArray()).toEqual([1, 0, 0]);
    expect(2 * Math.atan2(q.z, q.w)).toBeCloseTo(Math.PI / 4, 6);
  });
});
