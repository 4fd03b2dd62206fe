// Energies of a power audit as bands: sources at the left, what they became at the right.
import { svg } from "../../src/ui/dom";

export interface AuditEntry {
  element: string;
  kind: string;
  domain: string;
  energy: number;
}

export interface Band {
  name: string;
  kind: string;
  energy: number;
}

const NOISE = 1e-4;
const WORDS: Record<string, string> = {
  supplied: "supplied",
  dissipated: "dissipated",
  kinetic: "kinetic energy",
  potential: "potential energy",
  thermal: "heat stored",
  held: "constraints",
  lifted: "lifted",
};
const WIDTH = 560;
const HALF = WIDTH / 2;
const TALL = 220;
const GAP = 10;
const BAR = 12;

/** What gave energy and what took it, without what is only rounding; largest first. */
export function bands(entries: readonly AuditEntry[]): { gave: Band[]; took: Band[] } {
  const given: Band[] = [];
  const taken: Band[] = [];
  for (const { element, kind, energy } of entries) {
    const gives = kind === "supplied" ? energy > 0 : energy < 0;
    (gives ? given : taken).push({ name: element, kind, energy: Math.abs(energy) });
  }
  const total = Math.max(sum(given), sum(taken));
  const clean = (all: Band[]) =>
    all.filter((b) => b.energy > NOISE * total).sort((a, b) => b.energy - a.energy);
  return { gave: clean(given), took: clean(taken) };
}

function sum(all: readonly Band[]): number {
  return all.reduce((total, b) => total + b.energy, 0);
}

/** A number of joules of three digits. */
export function joules(energy: number): string {
  const size = Math.abs(energy);
  if (size >= 1e6) return `${Number((energy / 1e6).toPrecision(3))} MJ`;
  if (size >= 1e3) return `${Number((energy / 1e3).toPrecision(3))} kJ`;
  if (size >= 1 || size === 0) return `${Number(energy.toPrecision(3))} J`;
  return `${Number((1e3 * energy).toPrecision(3))} mJ`;
}

/** The picture; a click on a band calls `select` with the element. */
export function sankey(
  entries: readonly AuditEntry[],
  select: (element: string) => void,
): SVGSVGElement {
  const { gave, took } = bands(entries);
  const total = Math.max(sum(gave), sum(took)) || 1;
  const tall = TALL + GAP * Math.max(gave.length, took.length);
  const height = (energy: number) => (TALL * energy) / total;
  const picture = svg("svg", {
    ...{ class: "sankey", viewBox: `0 0 ${WIDTH} ${tall + 24}`, role: "img" },
    "aria-label": `Energies: ${[...gave, ...took].map((b) => `${b.name} ${b.kind} ${joules(b.energy)}`).join(", ")}`,
  });
  const middle = (tall - TALL) / 2 + 12;
  const side = (all: Band[], isLeft: boolean) => {
    const room = (tall - height(sum(all))) / Math.max(all.length, 1);
    let [edge, inner] = [room / 2 + 12, middle];
    for (const band of all) {
      const h = Math.max(height(band.energy), 1);
      const x = isLeft ? 130 : WIDTH - 130 - BAR;
      const from = isLeft ? x + BAR : x;
      picture.append(
        svg(
          "g",
          {
            ...{ class: `band energy-${band.kind}`, tabindex: 0, role: "button" },
            click: () => select(band.name),
            keydown: (e: KeyboardEvent) => e.key === "Enter" && select(band.name),
          },
          svg("title", {}, `${band.name}: ${joules(band.energy)} ${WORDS[band.kind] ?? band.kind}`),
          svg("path", { d: ribbon(from, edge, HALF, inner, h) }),
          svg("rect", { x, y: edge, width: BAR, height: h }),
          label(isLeft ? x - 6 : x + BAR + 6, edge + h / 2, band, isLeft),
        ),
      );
      edge += h + room;
      inner += height(band.energy);
    }
  };
  side(gave, true);
  side(took, false);
  return picture;
}

function ribbon(x: number, y: number, x2: number, y2: number, h: number): string {
  const c = (x + x2) / 2;
  return `M${x} ${y}C${c} ${y} ${c} ${y2} ${x2} ${y2}V${y2 + h}C${c} ${y2 + h} ${c} ${y + h} ${x} ${y + h}Z`;
}

function label(x: number, y: number, band: Band, isLeft: boolean): SVGTextElement {
  const anchor = isLeft ? "end" : "start";
  const line = (text: string, dy: number, kind: string) =>
    svg("tspan", { x, y: y + dy, class: kind }, text);
  return svg(
    "text",
    { x, y, "text-anchor": anchor, "dominant-baseline": "central" },
    line(short(band.name), -6, "who"),
    line(`${joules(band.energy)} ${WORDS[band.kind] ?? band.kind}`, 7, "how"),
  );
}

function short(name: string): string {
  return name.length > 20 ? `…${name.slice(-19)}` : name;
}
