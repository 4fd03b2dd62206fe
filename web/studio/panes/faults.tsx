// The list of faults, and going from one to the next.
import type { FaultData } from "../protocol";
import type { Studio } from "../studio";
import { goTo } from "../text/place";
import type { Arrangement } from "./arrangement";
import { Sign } from "./sign";

/** Goes through the faults, in the order of the text. */
export class FaultWalk {
  private last: { start: number; what: string } | null = null;

  constructor(private readonly studio: Studio) {}

  /** To the next fault, or the one before. */
  step(by: 1 | -1): void {
    const { faults } = this.studio.faults.peek();
    if (faults.length === 0) return;
    const at = faults.findIndex((f) => f.what === this.last?.what && f.span[0] === this.last.start);
    const start = at < 0 && by < 0 ? 0 : at;
    this.show(faults[(start + by + faults.length) % faults.length]);
  }

  show(fault: FaultData): void {
    this.last = { start: fault.span[0], what: fault.what };
    goTo(fault.span, { focus: true });
    if (fault.name) this.studio.select([fault.name]);
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
        {faults.map((fault, k) => (
          <li key={k}>
            <button type="button" class="fault" onClick={() => walk.show(fault)}>
              <span class="sign-bad" aria-hidden="true">
                !
              </span>
              <span class="element">{fault.element || fault.name || "model"}</span>
              <span class="what">
                {fault.what}
                {fault.cure && <span class="cure">{fault.cure}</span>}
              </span>
            </button>
          </li>
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
