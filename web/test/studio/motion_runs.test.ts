import { describe, expect, it } from "vitest";
import type { SceneData } from "../../src/data/types";
import type { Frame, JobData } from "../../studio/protocol";
import { joined, KEPT, strength } from "../../studio/results/fading";
import { Recording } from "../../studio/results/recording";
import { NewestNext } from "../../studio/run/queue";
import { duration, progressText, timeLeft } from "../../studio/run/remaining";

describe("time left", () => {
  it("is said in the largest units that matter", () => {
    expect([0.2, 3.21, 12.4, 80, 60, 7500, 3600].map(timeLeft)).toEqual([
      "less than 1 s left",
      "3.2 s left",
      "12 s left",
      "1 min 20 s left",
      "1 min left",
      "2 h 5 min left",
      "1 h left",
    ]);
    expect([null, NaN, -1].map(timeLeft)).toEqual(["", "", ""]);
    expect([0.012, 0.35].map(duration)).toEqual(["12 ms", "0.35 s"]);
  });

  it("stands beside phase and progress", () => {
    const job = { state: "running", phase: "integrating", progress: 0.419, remaining: 3 };
    expect(progressText(job as JobData)).toBe("integrating 41 %, 3 s left");
    expect(progressText({ ...job, progress: null, remaining: null } as JobData)).toBe(
      "integrating",
    );
    expect(progressText({ ...job, state: "queued" } as JobData)).toBe("waiting");
  });
});

describe("requests of a slider", () => {
  it("have one under way, the newest next, those between left out", async () => {
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const queue = new NewestNext<number>((value) => {
      begun.push(value);
      return new Promise((resolve) => ends.push(resolve));
    });
    for (const value of [1, 2, 3, 4]) queue.push(value);
    expect(begun).toEqual([1]);
    ends[0]();
    await Promise.resolve();
    await Promise.resolve();
    expect([begun, queue.busy]).toEqual([[1, 4], true]);
    queue.push(5);
    queue.clear();
    ends[1]();
    await new Promise((r) => setTimeout(r));
    expect([begun, queue.busy]).toEqual([[1, 4], false]);
  });
});

describe("drafts", () => {
  it("fade with age, and the oldest go", () => {
    let drafts: number[] = [];
    for (let k = 0; k < 10; k++) drafts = joined(drafts, k);
    expect(drafts).toEqual([6, 7, 8, 9]);
    const strengths = Array.from({ length: KEPT }, (_, k) => strength(k));
    expect(strengths[0]).toBe(1);
    expect(strengths).toEqual([...strengths].sort((a, b) => b - a));
    expect(strengths.at(-1)).toBeGreaterThan(0.05);
  });
});

describe("recording", () => {
  const frame = (offset: number, time: number[], values: number[]): Frame => ({
    header: {
      ...{ type: "samples", run: 1, draft: false, offset, count: time.length },
      series: [{ name: "I", unit: "A", labels: [], kind: "effort", column: 0, unique: [true] }],
    },
    time: Float64Array.from(time),
    columns: [Float64Array.from(values)],
  });

  it("grows with the frames that come", () => {
    const run = new Recording(1, false);
    expect(run.timeline.duration).toBe(0);
    run.append(frame(0, [0, 1], [5, 6]));
    run.append(frame(2, [2, 3, 4], [7, 8, 9]));
    expect([...run.line("I")!.values]).toEqual([5, 6, 7, 8, 9]);
    expect(run.timeline.end).toBe(4);
    expect(run.value("I", 2.5)).toEqual({ value: 7.5, unit: "A" });
    expect(run.line("V")).toBeNull();
  });

  it("takes more observables later, with their own samples", () => {
    const run = new Recording(1, false);
    run.append(frame(0, [0, 1], [5, 6]));
    const more = frame(0, [0, 0.5, 1], [1, 2, 3]);
    more.header.series = [{ ...more.header.series[0], name: "V", unit: "V" }];
    run.add(more);
    expect(run.value("V", 0.25)).toEqual({ value: 1.5, unit: "V" });
    expect(run.value("I", 0.5)).toEqual({ value: 5.5, unit: "A" });
  });

  it("keeps what it has when its motion comes again with a scene", () => {
    const run = new Recording(1, false);
    run.append(frame(0, [0, 1], [5, 6]));
    const again = frame(0, [0, 1], [8, 9]);
    again.header.series = [{ ...again.header.series[0], name: "rod.position" }];
    run.add({ ...again, header: { ...again.header, scene: {} as SceneData } });
    expect(run.value("I", 0.5)!.value).toBe(5.5);
    expect(run.table.has("rod.position")).toBe(true);
  });
});
