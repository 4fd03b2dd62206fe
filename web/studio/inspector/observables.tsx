// Values of an element's observables at the time shown.
import { useEffect } from "preact/hooks";
import { readable } from "../../src/plots/ticks";
import type { Studio } from "../studio";
import { components, componentsAt } from "./known";
import { valueSource, valuesWanted } from "./values";

const MOST = 40;

export function Values({ studio, name }: { studio: Studio; name: string }) {
  const all = componentsAt(components.value, name);
  const listed = all.slice(0, MOST);
  const wanted = listed.map((c) => c.name).join(" ");
  useEffect(() => {
    valuesWanted.value = wanted ? wanted.split(" ") : [];
  }, [wanted]);
  if (listed.length === 0) return null;
  const source = valueSource.value;
  return (
    <section>
      <h3>{source ? `Values at ${readable(studio.time.value)} s` : "Can be observed"}</h3>
      <table class="values">
        <tbody>
          {listed.map((component) => {
            const found = source?.(component.name) ?? null;
            return (
              <tr key={component.name}>
                <th scope="row" title={component.name}>
                  {component.name.startsWith(`${name}.`)
                    ? component.name.slice(name.length + 1)
                    : component.name}
                </th>
                <td>{found ? readable(found.value) : ""}</td>
                <td class="unit">{found ? found.unit : component.unit}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {all.length > MOST && <p class="sentence muted">and {all.length - MOST} more</p>}
    </section>
  );
}
