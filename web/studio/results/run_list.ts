// The runs of this session: seen or not, what differs, away with it, back to its text.
import { h, icon, svg } from "../../src/ui/dom";
import type { RunData } from "../protocol";
import type { Studio } from "../studio";
import { duration } from "../run/remaining";
import { differences } from "./differences";
import type { Runs } from "./store";

/** Patterns of dashes to tell runs apart; the newest is a full line. */
export const DASHES = 5;

const EYE =
  "M12 5C6 5 2.5 10 1.5 12c1 2 4.5 7 10.5 7s9.5-5 10.5-7C21.5 10 18 5 12 5zm0 11.5A4.5 4.5 0 1 1 12 7.5a4.5 4.5 0 0 1 0 9zm0-2.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z";
const CLOSED =
  "M2 10.5l1.6-1.2C5.6 12 8.600 13.500 12 13.500s6.400-1.500 8.400-4.200L22 10.500c-.6.9-1.300 1.600-2.100 2.300l1.900 2.600-1.600 1.200-2-2.700c-.9.5-1.900.9-2.900 1.100l.5 3.200-2 .3-.5-3.200h-2.600l-.5 3.200-2-.3.5-3.200c-1-.200-2-.6-2.900-1.100l-2 2.700-1.600-1.200 1.900-2.600c-.8-.7-1.500-1.400-2.100-2.300z";

export class RunList {
  readonly element = h("ul", { class: "runs", "aria-label": "Runs" });

  private drawn = "";

  constructor(
    private readonly studio: Studio,
    private readonly runs: Runs,
  ) {}

  draw(): void {
    const all = this.runs.motions();
    const shown = this.runs.shown.value;
    const now = [all, shown?.draft ? null : shown?.id, all.map((r) => this.runs.isSeen(r.id))];
    const key = JSON.stringify(now);
    if (key === this.drawn) return;
    this.drawn = key;
    this.element.replaceChildren(
      ...[...all].reverse().map((run) => {
        const at = all.indexOf(run);
        return this.row(run, at > 0 ? all[at - 1] : null);
      }),
    );
    this.element.hidden = all.length === 0;
  }

  private row(run: RunData, before: RunData | null): HTMLElement {
    const seen = this.runs.isSeen(run.id);
    const dash = dashOf(this.runs.drawn(), run.id);
    const shown = this.runs.shown.value?.id === run.id && !this.runs.shown.value.draft;
    const what = differences(run, before) || (before ? "as before" : "");
    const facts = [
      run.analysis === "transient" ? "" : run.analysis,
      run.samples > 1 ? `${Number(run.t_end.toPrecision(5))} s` : "",
      run.seconds ? `in ${duration(run.seconds)}` : "",
    ].filter(Boolean);
    const state = run.failure
      ? h("span", { class: "bad", title: run.failure }, "⚠ stopped early")
      : run.warnings.length
        ? h("span", { class: "warn", title: run.warnings.join("\n") }, `⚠ ${run.warnings.length}`)
        : "";
    return h(
      "li",
      { class: `run${shown ? " shown" : ""}${seen ? "" : " unseen"}`, "data-run": run.id },
      this.eye(run, seen),
      svg(
        "svg",
        { class: "stroke", viewBox: "0 0 26 8", "aria-hidden": "true" },
        svg("path", { d: "M0 4H26", class: `curve dash-${dash}` }),
      ),
      h(
        "button",
        {
          type: "button",
          class: "link name",
          "aria-pressed": `${shown}`,
          title: "Show this run in the 3-D view",
          click: () => void this.runs.choose(run.id),
        },
        run.label,
      ),
      h("span", { class: "what", title: what }, what),
      h("span", { class: "muted facts-line" }, facts.join(", ")),
      state,
      this.button("reset", "Open the text as it was for this run", () => this.reopen(run)),
      this.button("close", `Forget ${run.label}`, () => this.forget(run)),
    );
  }

  private eye(run: RunData, seen: boolean): HTMLElement {
    return h(
      "button",
      {
        type: "button",
        class: "quiet eye",
        "aria-pressed": `${seen}`,
        "aria-label": `Curves of ${run.label}`,
        title: seen ? "Hide its curves" : "Show its curves",
        click: () => this.runs.toggleEye(run.id),
      },
      svg(
        "svg",
        { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
        svg("path", { d: seen ? EYE : CLOSED }),
      ),
    );
  }

  private button(name: "close" | "reset", label: string, act: () => void): HTMLElement {
    return h(
      "button",
      { type: "button", class: "quiet", title: label, "aria-label": label, click: act },
      icon(name),
    );
  }

  private reopen(run: RunData): void {
    this.studio.connection
      .ask("reopen", { run: run.id })
      .catch((error: unknown) => this.studio.complain(error));
  }

  private forget(run: RunData): void {
    this.studio.connection.tell("forget", { run: run.id });
  }
}

/** Dashes of one of the runs drawn: the newest has a full line. */
export function dashOf(drawn: readonly { id: number }[], id: number): number {
  const at = drawn.findIndex((r) => r.id === id);
  return at < 0 ? 0 : Math.min(drawn.length - 1 - at, DASHES - 1);
}
