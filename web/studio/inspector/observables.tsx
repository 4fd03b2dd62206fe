// Values of an element's observables at the time shown.
import { readable } from "../../src/plots/ticks";
import type { Studio } from "../studio";
import type { ObservableData } from "./inquiry";
import { valueSource } from "./values";

const MOST = 40;

export function Values({ studio, observables }: { studio: Studio; observables: ObservableData[] }) {
  if (observables.length === 0) return null;
  const source = valueSource.value;
  const time = studio.time.value;
  return (
    <section>
      <h3>{source ? `Values at ${readable(time)} s` : "Can be observed"}</h3>
      <table class="values">
        <tbody>
          {observables.slice(0, MOST).map(({ name, unit }) => {
            const found = source?.(name) ?? null;
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{found ? readable(found.value) : ""}</td>
                <td class="unit">{found ? found.unit : unit}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {observables.length > MOST && <p class="muted">and {observables.length - MOST} more</p>}
    </section>
  );
}
