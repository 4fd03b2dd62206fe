// Runs that followed a slider: the newest is strong, older ones fade, the oldest go.

export const KEPT = 4;

/** How strong a draft is drawn; `age` 0 is the newest. */
export function strength(age: number): number {
  return age === 0 ? 1 : 0.5 * 0.68 ** (age - 1);
}

/** With a new one; those that are too old are left out. */
export function joined<T>(drafts: readonly T[], draft: T): T[] {
  return [...drafts, draft].slice(-KEPT);
}
