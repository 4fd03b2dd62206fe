// What tells one run from another, in words.
import type { RunData } from "../protocol";

/** "h = 12 mm, method radau": what a run has that another has not. */
export function differences(run: RunData, from: RunData | null): string {
  const parts: string[] = [];
  const before = from?.params ?? {};
  for (const [name, value] of Object.entries(run.params))
    if (before[name] !== value) parts.push(`${name} = ${value}`);
  for (const name of Object.keys(before))
    if (!(name in run.params)) parts.push(`${name} as in the file`);
  if (from) {
    if (run.analysis !== from.analysis) parts.push(run.analysis);
    for (const [name, value] of Object.entries(run.settings)) {
      const other = from.settings[name];
      if (JSON.stringify(other) !== JSON.stringify(value)) parts.push(`${name} ${text(value)}`);
    }
    if (run.t_end !== from.t_end) parts.push(`to ${Number(run.t_end.toPrecision(6))} s`);
    if (run.revision !== from.revision) parts.push("other text");
  }
  return parts.join(", ");
}

function text(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
