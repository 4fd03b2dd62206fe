// Bands of energy of a power audit: sources at the left, stores and sinks at the right, in between
// who passes it on. Places are those of `pliant audit -o`, in inches.
import { svg } from "../../src/ui/dom";

export interface Spot {
  name: string;
  role: "source" | "group" | "sink" | "bend";
  kind: string;
  domain: string;
  energy: number;
  column: number;
  y: number;
}

export interface Band {
  /** Numbers of spots. */
  source: number;
  target: number;
  energy: number;
  kind: string;
}

export interface Flow {
  spots: Spot[];
  bands: Band[];
}

const INCH = 76;
const COLUMN = 1.4 * INCH;
const BAR = 0.14 * INCH;
/** Height of the column with the most energy. */
const TALLEST = 3.2 * INCH;
const ABOVE = 0.18 * INCH;
const SIDE = 140;

/** A number of joules of three digits. */
export function joules(energy: number): string {
  const size = Math.abs(energy);
  const [scale, unit] =
    size >= 1e6
      ? [1e-6, "MJ"]
      : size >= 1e3
        ? [1e-3, "kJ"]
        : size >= 1 || size === 0
          ? [1, "J"]
          : size >= 1e-3
            ? [1e3, "mJ"]
            : [1e6, "µJ"];
  return `${Number((scale * energy).toPrecision(3))} ${unit}`.replace("-", "−");
}

const WORDS: Record<string, string> = {
  "supplied source": "supplied",
  "supplied sink": "took",
  "kinetic sink": "kinetic energy +",
  "kinetic source": "kinetic energy −",
  "potential sink": "potential energy +",
  "potential source": "potential energy −",
  "dissipated sink": "dissipated",
  "lifted sink": "lifted,",
  "lifted source": "fell,",
};

/** "dissipated 977 J". */
export function words({ kind, role, energy }: Spot): string {
  const begin = WORDS[`${kind} ${role}`] ?? "in small amounts";
  return `${begin}${/[+−]$/.test(begin) ? "" : " "}${joules(energy)}`;
}

/** Energy through each spot, and pixels for a joule. */
export function measured({ spots, bands }: Flow): { sizes: number[]; scale: number } {
  const sizes = spots.map((_, k) =>
    Math.max(
      total(bands.filter((b) => b.source === k)),
      total(bands.filter((b) => b.target === k)),
    ),
  );
  const columns = new Map<number, number>();
  spots.forEach((s, k) => columns.set(s.column, (columns.get(s.column) ?? 0) + sizes[k]));
  return { sizes, scale: TALLEST / (Math.max(...columns.values()) || 1) };
}

function total(bands: Band[]): number {
  return bands.reduce((sum, b) => sum + b.energy, 0);
}

/** The picture; a click on a bar or its name calls `select` with the element. */
export function sankey(flow: Flow, select: (element: string) => void): SVGSVGElement {
  const { spots, bands } = flow;
  const { sizes, scale } = measured(flow);
  const columns = Math.max(0, ...spots.map((s) => s.column));
  const x = (s: Spot) => SIDE + COLUMN * s.column;
  const middle = (s: Spot) => INCH * s.y + (s.role === "group" ? ABOVE : 0) + 24;
  const half = (s: Spot) => (s.role === "bend" ? 0 : BAR / 2);
  const low = Math.max(0, ...spots.map((s, k) => middle(s) + (scale * sizes[k]) / 2));
  const width = 2 * SIDE + COLUMN * columns;
  const picture = svg("svg", {
    ...{ class: "sankey", viewBox: `0 0 ${width} ${low + 16}`, role: "img" },
    "aria-label": `Energies: ${spots
      .filter((s) => s.kind)
      .map((s) => `${s.name} ${words(s)}`)
      .join(", ")}`,
  });
  const starts = tops(flow, scale, middle, "source");
  const ends = tops(flow, scale, middle, "target");
  bands.forEach((band, k) => {
    const [from, to] = [spots[band.source], spots[band.target]];
    const h = Math.max(scale * band.energy, 0.75);
    const d = ribbon(x(from) + half(from), starts[k], x(to) - half(to), ends[k], h);
    picture.append(
      svg(
        "path",
        { d, class: `ribbon energy-${colour(from, to, band)}` },
        svg("title", {}, joules(band.energy)),
      ),
    );
  });
  spots.forEach((spot, k) => {
    if (spot.role !== "bend")
      picture.append(bar(spot, x(spot), middle(spot), Math.max(scale * sizes[k], 1), select));
  });
  return picture;
}

/** What is lost is coloured as such, all else by its domain. */
function colour(from: Spot, to: Spot, band: Band): string {
  return band.kind === "dissipated" ? "dissipated" : to.domain || from.domain || "other";
}

/** Upper edges of bands at one of their ends, in the order of the other end. */
function tops(
  { spots, bands }: Flow,
  scale: number,
  middle: (s: Spot) => number,
  end: "source" | "target",
): number[] {
  const other = end === "source" ? "target" : "source";
  const found = new Array<number>(bands.length).fill(0);
  spots.forEach((spot, k) => {
    const own = bands
      .map((band, number) => ({ band, number }))
      .filter(({ band }) => band[end] === k)
      .sort((a, b) => spots[a.band[other]].y - spots[b.band[other]].y);
    let top = middle(spot) - (scale * total(own.map((o) => o.band))) / 2;
    for (const { band, number } of own) {
      found[number] = top;
      top += scale * band.energy;
    }
  });
  return found;
}

function bar(
  spot: Spot,
  x: number,
  y: number,
  height: number,
  select: (element: string) => void,
): SVGElement {
  const isElement = spot.role !== "group" && !/ elements$/.test(spot.name);
  const chosen = {
    ...{ tabindex: 0, role: "button", "aria-label": `${spot.name} ${words(spot)}` },
    click: () => select(spot.name),
    keydown: (e: KeyboardEvent) => e.key === "Enter" && select(spot.name),
  };
  return svg(
    "g",
    { class: `spot energy-${spot.kind || spot.domain}`, ...(isElement ? chosen : {}) },
    svg("rect", { x: x - BAR / 2, y: y - height / 2, width: BAR, height }),
    ...label(spot, x, y, height),
  );
}

function label(spot: Spot, x: number, y: number, height: number): SVGElement[] {
  const line = (text: string, at: number, px: number, anchor: string, kind: string) =>
    svg("text", { x: px, y: at, "text-anchor": anchor, class: kind }, text);
  if (spot.role === "group") return [line(spot.name, y - height / 2 - 5, x, "middle", "who")];
  const isLeft = spot.role === "source";
  const px = isLeft ? x - BAR / 2 - 6 : x + BAR / 2 + 6;
  const anchor = isLeft ? "end" : "start";
  return [
    line(short(spot.name), y - 2, px, anchor, "who"),
    line(words(spot), y + 10, px, anchor, "how"),
  ];
}

function ribbon(x: number, y: number, x2: number, y2: number, h: number): string {
  const c = (x + x2) / 2;
  const there = `M${x} ${y}C${c} ${y} ${c} ${y2} ${x2} ${y2}`;
  return `${there}V${y2 + h}C${c} ${y2 + h} ${c} ${y + h} ${x} ${y + h}Z`;
}

function short(name: string): string {
  return name.length > 22 ? `…${name.slice(-21)}` : name;
}
