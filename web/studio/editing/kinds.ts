// What can be added, as the server lists it from its registries.
import type { Choice } from "../commands";
import type { Connection } from "../connection";

/** One kind of element. */
export interface Kind {
  /** "bodies", "joints", ...; "elements": of a network; "frames"; "networks". */
  readonly section: string;
  /** As the operation takes it. */
  readonly kind: string;
  readonly title: string;
  readonly sentence: string;
  /** What it stands on. */
  readonly ends: "frames" | "frame" | "joint" | "none";
}

interface NetworkKind {
  readonly kind: string;
  readonly title: string;
  readonly sentence: string;
}

const FRAME: Kind = {
  section: "frames",
  kind: "frame",
  title: "frame",
  sentence: "A place on a body or on the ground, with axes",
  ends: "none",
};

/** Bodies, joints, forces, drivers, ...: all but what networks are drawn of. */
export async function modelKinds(connection: Connection): Promise<Kind[]> {
  const { items } = await connection.ask<{ items: Kind[] }>("palette");
  return items;
}

/** Everything that can be added; `network`: one whose elements are offered too, "" for none. */
export async function allKinds(connection: Connection, network: string): Promise<Kind[]> {
  const [own, { names }] = await Promise.all([
    modelKinds(connection),
    connection.ask<{ names: string[] }>("domains"),
  ]);
  const networks = names.map((domain): Kind => ({
    section: "networks",
    kind: domain,
    title: `network, ${domain}`,
    sentence: "A bond graph to be drawn",
    ends: "none",
  }));
  return [...own, FRAME, ...networks, ...(network ? await networkKinds(connection, network) : [])];
}

async function networkKinds(connection: Connection, network: string): Promise<Kind[]> {
  const { kinds, parts } = await connection.ask<{ kinds: NetworkKind[]; parts: NetworkKind[] }>(
    "network_palette",
    { network },
  );
  return [...kinds, ...parts].map(({ kind, title, sentence }) => ({
    section: "elements",
    kind,
    title,
    sentence,
    ends: "none",
  }));
}

const NOUNS: Record<string, string> = { elements: "network", frames: "bodies" };

/** Kinds as a list offers them; an answer is the place of the kind among them. */
export function kindChoices(kinds: readonly Kind[]): Choice[] {
  return kinds.map(({ section, title, sentence }, k) => ({
    kind: "answer",
    name: `${k}`,
    title,
    text: [(NOUNS[section] ?? section).replaceAll("_", " "), sentence].filter(Boolean).join(" · "),
    keys: [],
  }));
}
