// The list of faults, going from one to the next, and doing what cures them.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Fixes } from "../inspector/complaints";
import type { FaultData, Fix } from "../protocol";
import type { Studio } from "../studio";
import { goTo } from "../text/place";
import type { Arrangement } from "./arrangement";
import { Sign } from "./sign";

/** Goes through the faults, in the order of the text. */
export class FaultWalk {
  /** The fault gone to last; every step is a new object. */
  readonly at = signal<{ fault: FaultData; inList: boolean } | null>(null);

  constructor(
    private readonly studio: Studio,
    private readonly open: () => void = () => {},
  ) {}

  /** To the next fault, or the one before: in the text if that is typed into, else in the list. */
  step(by: 1 | -1): void {
    const { faults } = this.studio.faults.peek();
    if (faults.length === 0) return;
    const last = this.at.peek()?.fault;
    const at = faults.findIndex((f) => f.what === last?.what && f.span[0] === last.span[0]);
    const start = at < 0 && by < 0 ? 0 : at;
    const isTyping = document.activeElement?.classList.contains("text-view") ?? false;
    this.show(faults[(start + by + faults.length) % faults.length], !isTyping);
  }

  /** Select what has the fault and bring it into sight; in the list it can be cured by Enter. */
  show(fault: FaultData, inList = false): void {
    if (inList) this.open();
    this.at.value = { fault, inList };
    goTo(fault.span, { focus: !inList });
    if (fault.name) this.studio.select([fault.name]);
  }

  /** Do a cure; the fault that follows is the next one. */
  async cure(fix: Fix, inList: boolean): Promise<void> {
    const done = await this.studio.do(fix.operation, fix.arguments);
    if (done === null || !inList) return;
    await this.studio.checked();
    const last = this.at.peek()?.fault;
    const { faults } = this.studio.faults.peek();
    const next = faults.find((f) => f.span[0] >= (last?.span[0] ?? 0)) ?? faults[0];
    if (next) this.show(next, true);
  }
}

interface Props {
  studio: Studio;
  walk: FaultWalk;
  arrangement: Arrangement;
}

export function FaultList({ studio, walk, arrangement }: Props) {
  if (!arrangement.faults.value) return null;
  const { faults, remarks } = studio.faults.value;
  const close = () => (arrangement.faults.value = false);
  return (
    <section class="fault-list" aria-label="Faults">
      <header>
        <h2>{faults.length === 1 ? "1 fault" : `${faults.length} faults`}</h2>
        <button type="button" class="quiet" aria-label="Close the list of faults" onClick={close}>
          <Sign name="close" />
        </button>
      </header>
      <ul>
        {faults.map((fault) => (
          <Row key={`${fault.path.join("/")} ${fault.what}`} fault={fault} walk={walk} />
        ))}
        {remarks.map((remark) => (
          <li key={remark} class="remark">
            <span class="sign-remark" aria-hidden="true">
              i
            </span>
            <span>{remark}</span>
          </li>
        ))}
        {faults.length + remarks.length === 0 && <li class="none">The model has no faults.</li>}
      </ul>
    </section>
  );
}

/** One fault: a click goes to its text, Enter does the first cure. */
function Row({ fault, walk }: { fault: FaultData; walk: FaultWalk }) {
  const button = useRef<HTMLButtonElement>(null);
  const gone = walk.at.value;
  const isHere =
    gone !== null && gone.fault.what === fault.what && gone.fault.path.join() === fault.path.join();
  useEffect(() => {
    if (isHere && gone.inList) button.current?.focus();
  }, [gone]);
  const [first] = fault.fixes;
  return (
    <li class={isHere ? "here" : undefined}>
      <button
        ref={button}
        type="button"
        class="fault"
        aria-description={first ? `Enter: ${first.label}` : undefined}
        onClick={() => walk.show(fault)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey || !first) return;
          event.preventDefault();
          void walk.cure(first, true);
        }}
      >
        <span class="sign-bad" aria-hidden="true">
          !
        </span>
        <span class="element">{fault.element || fault.name || "model"}</span>
        <span class="what">
          {fault.what}
          {fault.cure && <span class="cure">{fault.cure}</span>}
        </span>
      </button>
      <Fixes fixes={fault.fixes} fix={(fix) => void walk.cure(fix, false)} />
    </li>
  );
}
