// What the editor asks the server: what there is to add, what may follow an element, what a bond
// may lead to.
import type { Studio } from "../../studio";
import type { Choice } from "./typed";

export interface PaletteItem extends Choice {
  /** Of parts: "model", "file" or "shipped". */
  source?: string;
  arguments?: Record<string, unknown>;
}

export interface PaletteGroup {
  title: string;
  items: PaletteItem[];
}

type Told = PaletteItem & { title: string };

/** Something that may come behind an element, bonded to it. */
export interface Follower extends Choice {
  /** What `network.element` is told besides its kind. */
  arguments: Record<string, unknown>;
}

/** Where a bond may lead, by local name. */
export type Bondable = ReadonlyMap<string, Judged>;

export interface Judged {
  name: string;
  may: boolean;
  why: string;
  /** What the bond will be, where that is not plain. */
  note: string;
}

export class Questions {
  private known: { key: string; palette: Promise<PaletteGroup[]> } | null = null;

  constructor(private readonly studio: Studio) {}

  /** Files of parts have changed. */
  forget(): void {
    this.known = null;
  }

  /** What networks are made of: the same until the model has other sub-graphs. */
  palette(network: string): Promise<PaletteGroup[]> {
    const sections = this.studio.outline.peek()?.sections ?? [];
    const own = sections.find(({ section }) => section === "subgraphs")?.items ?? [];
    const key = [network, ...own.map(({ name }) => name)].join(" ");
    if (this.known?.key !== key) {
      const palette = this.groups(network);
      this.known = { key, palette };
      palette.catch(() => (this.known = null));
    }
    return this.known.palette;
  }

  async follow(network: string, name: string): Promise<Follower[]> {
    type Followers = { choices: (Follower & { title: string })[] };
    const { choices } = await this.ask<Followers>("follow", { network, name });
    return choices.map((choice) => ({ ...choice, label: choice.title }));
  }

  async bondable(network: string, a: string): Promise<Bondable> {
    const { elements } = await this.ask<{ elements: Judged[] }>("bondable", { network, a });
    return new Map(elements.map((element) => [element.name, element]));
  }

  /** Domains that a network can be of. */
  async domains(): Promise<string[]> {
    return (await this.ask<{ names: string[] }>("domains", {})).names;
  }

  private async groups(network: string): Promise<PaletteGroup[]> {
    type Answer = { kinds: Told[]; parts: Told[] };
    const { kinds, parts } = await this.ask<Answer>("network_palette", { network });
    const elements = kinds.map((own) => ({ ...own, label: own.kind }));
    return [
      { title: "Elements", items: elements },
      { title: "Parts", items: parts.map((own) => ({ ...own, label: own.title })) },
    ];
  }

  private ask<T>(type: string, content: object): Promise<T> {
    return this.studio.connection.ask<T>(type, content);
  }
}
