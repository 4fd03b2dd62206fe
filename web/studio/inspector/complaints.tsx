// What is wrong, below where it is: in words, with buttons for what can be done.
import type { FaultData, Fix } from "../protocol";

interface Props {
  id: string;
  faults: readonly FaultData[];
  fix: (fix: Fix) => void;
}

const MOST = 3;

export function Complaints({ id, faults, fix }: Props) {
  if (faults.length === 0) return null;
  return (
    <ul class="complaints" id={id}>
      {faults.slice(0, MOST).map((fault) => (
        <li key={`${fault.path.join("/")} ${fault.what}`}>
          <span>{fault.what}</span>
          {fault.cure && <span class="cure">{fault.cure}</span>}
          <Fixes fixes={fault.fixes} fix={fix} />
        </li>
      ))}
      {faults.length > MOST && <li class="muted">and {faults.length - MOST} more</li>}
    </ul>
  );
}

interface FixesProps {
  fixes: readonly Fix[];
  fix: (fix: Fix) => void;
}

/** A button for each cure that can be done. */
export function Fixes({ fixes, fix }: FixesProps) {
  if (fixes.length === 0) return null;
  return (
    <span class="fixes">
      {fixes.map((own) => (
        <button
          key={own.label}
          type="button"
          class="fix"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => fix(own)}
        >
          {own.label}
        </button>
      ))}
    </span>
  );
}
