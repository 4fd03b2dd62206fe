// Space plays, arrows step through the samples, Home and End go to the ends.
import type { Clock } from "../motion/clock";

export function listenToKeys(clock: Clock, escape: () => void, signal?: AbortSignal): void {
  const listener = (e: KeyboardEvent) => {
    const target = e.target as HTMLElement;
    const isText = target.matches('input:not(.scrub):not([type="checkbox"]), select, textarea');
    if (isText || e.ctrlKey || e.metaKey || e.altKey) return;
    const many = e.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      ArrowRight: () => clock.step(many),
      ArrowLeft: () => clock.step(-many),
      Home: () => clock.seek(clock.timeline.start),
      End: () => clock.seek(clock.timeline.end),
      Escape: escape,
    };
    const isButton = target.matches("button, summary, input[type=checkbox]");
    if (e.key === " " && !isButton) actions[" "] = () => clock.toggle();
    const act = actions[e.key];
    if (!act) return;
    e.preventDefault();
    act();
  };
  document.addEventListener("keydown", listener, { signal });
}
