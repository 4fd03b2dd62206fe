// How far a job is, in words.
import type { JobData } from "../protocol";

/** "12 s left", "1 min 20 s left". */
export function timeLeft(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds) || seconds < 0) return "";
  if (seconds < 1) return "less than 1 s left";
  return `${duration(seconds)} left`;
}

/** "0.35 s", "12 s", "1 min 20 s", "2 h 5 min". */
export function duration(seconds: number): string {
  if (seconds < 0.0995) return `${Math.max(1, Math.round(1000 * seconds))} ms`;
  if (seconds < 9.95) return `${Number(seconds.toPrecision(2))} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return join(Math.floor(whole / 60), "min", whole % 60, "s");
  return join(Math.floor(whole / 3600), "h", Math.round((whole % 3600) / 60), "min");
}

function join(large: number, unit: string, small: number, fine: string): string {
  return small ? `${large} ${unit} ${small} ${fine}` : `${large} ${unit}`;
}

/** "integrating 40 %, 3 s left". */
export function progressText(job: JobData): string {
  if (job.state === "queued") return "waiting";
  const share = job.progress === null ? "" : ` ${Math.floor(100 * job.progress)} %`;
  const left = timeLeft(job.remaining);
  return `${job.phase || "working"}${share}${left ? `, ${left}` : ""}`;
}

export function isUnderWay(job: JobData): boolean {
  return job.state === "queued" || job.state === "running";
}
