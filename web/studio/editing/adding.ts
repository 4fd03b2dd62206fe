// Adding by typing: what it is, what it stands on, what it is called.
import type { Choice } from "../commands";
import { answer, type Ask, type Asker } from "../panes/asker";
import type { Done } from "../protocol";
import type { Studio } from "../studio";
import { allKinds, type Kind, kindChoices, modelKinds } from "./kinds";

/** The world, to which frames are added as to a body. */
const GROUND = "ground";

export class Adding {
  constructor(
    private readonly studio: Studio,
    private readonly asker: Asker,
    /** The network that is selected; "" for none. */
    private readonly network: () => string,
    /** What follows when something was added: its fields. */
    private readonly added: (done: Done) => void,
  ) {}

  /** Anything that may be added; of one section, if it is said. */
  async add(section = ""): Promise<void> {
    if (section === GROUND) return this.frame(GROUND);
    const [first] = this.items("networks");
    const network = this.network() || first?.name || "";
    const all = await this.asked(() => allKinds(this.studio.connection, network));
    if (!all) return;
    const kinds = all.filter((k) => !section || k.section === section);
    if (this.network()) kinds.sort((a, b) => inNetwork(b) - inNetwork(a));
    const choice = await this.choose({
      label: section ? `Add to ${section.replaceAll("_", " ")}` : "Add",
      placeholder: "Type what to add: rigid, revolute, spring, R, parameter …",
      nothing: "There is nothing like that to add.",
      choices: kindChoices(kinds),
    });
    const kind = choice && kinds[Number(choice.name)];
    if (kind) await this.addKind(kind);
  }

  private async addKind(kind: Kind): Promise<void> {
    switch (kind.section) {
      case "parameters":
        return this.parameter();
      case "networks":
        return this.addNetwork(kind.kind);
      case "elements":
        return this.networkElement(kind);
      case "frames":
        return this.frame();
      default:
        return kind.ends === "frames" ? this.between(kind) : this.element(kind);
    }
  }

  /** A body, a force, a driver, ...: the frame or joint that it acts on is asked for. */
  private async element(kind: Kind): Promise<void> {
    const args: Record<string, unknown> = { section: kind.section, kind: kind.kind };
    if (kind.ends === "frame" || kind.ends === "joint") {
      const end = await (kind.ends === "frame" ? this.frameNamed : this.jointNamed).call(
        this,
        `${kind.title}: at which ${kind.ends}?`,
      );
      if (end === null) return;
      args.frame = end;
    }
    await this.named(kind.title, "element.add", args);
  }

  /** A joint, a spring, ... between two frames. */
  private async between(kind: Kind): Promise<void> {
    const ends = await this.pair(kind.title);
    if (!ends) return;
    const { section } = kind;
    await this.named(kind.title, "element.add", { section, kind: kind.kind, between: ends });
  }

  /** A joint: two frames, then its kind. */
  async joint(): Promise<void> {
    const all = await this.asked(() => modelKinds(this.studio.connection));
    const ends = all && (await this.pair("joint"));
    if (!ends) return;
    const kinds = all.filter((k) => k.section === "joints");
    const [a, b] = ends;
    const choice = await this.choose({
      label: `Joint between ${a} and ${b}: which kind?`,
      choices: kindChoices(kinds),
    });
    const kind = choice && kinds[Number(choice.name)];
    if (kind) await this.named("joint", "joint.connect", { a, b, kind: kind.kind });
  }

  private async pair(what: string): Promise<[string, string] | null> {
    const a = await this.frameNamed(`${what}: from which frame?`);
    if (a === null) return null;
    const b = await this.frameNamed(`${what} from ${a}: to which frame?`, a.split(".")[0]);
    return b === null ? null : [a, b];
  }

  /** A frame of a body: which body, its name, its place. */
  async frame(given?: string): Promise<void> {
    const bodies = [
      answer(GROUND, "the world"),
      ...this.items("bodies")
        .filter((b) => b.name !== GROUND)
        .map((b) => answer(b.name, b.kind)),
    ];
    const body =
      given ?? (await this.choose({ label: "Frame of which body?", choices: bodies }))?.name;
    if (body === undefined) return;
    const name = await this.asker.type(`Frame of ${body}: its name`, "", "A letter, or a word");
    if (name === null) return;
    const place = await this.asker.type(
      `${body}.${name}: its place`,
      "[0, 0, 0]",
      "[x, y, z]: numbers, with units, or formulas",
    );
    if (place === null) return;
    await this.studio.do("body.frame", { body, name, at: listOf(place) });
  }

  /** A parameter: its name, its value. */
  async parameter(): Promise<void> {
    const name = await this.asker.type("Parameter: its name", "", "A letter, or a word");
    if (name === null) return;
    const value = await this.asker.type(
      `${name}: its value`,
      "",
      "A number, with its unit, or a formula",
    );
    if (value !== null) await this.studio.do("parameter.set", { name, value: scalar(value) });
  }

  /** A network: its domain, its name. */
  async addNetwork(given?: string): Promise<void> {
    const { connection } = this.studio;
    const found = await this.asked(() => connection.ask<{ names: string[] }>("domains"));
    const domain =
      given ??
      (
        await this.choose({
          label: "Network: of which domain?",
          choices: (found?.names ?? []).map((name) => answer(name)),
        })
      )?.name;
    if (domain !== undefined) await this.named("network", "network.add", { domain });
  }

  /** An element of a network: which network, what it is on, its name. */
  private async networkElement(kind: Kind): Promise<void> {
    const network = await this.networkNamed(kind.title);
    if (network === null) return;
    const on = await this.choose({
      label: `${kind.title} in ${network}: on what?`,
      placeholder: "A junction, a port, a joint or a frame",
      choices: [answer("", "bond it later", "nothing yet"), ...(await this.ends(network))],
    });
    if (!on) return;
    await this.named(kind.title, "network.element", { network, kind: kind.kind, on: on.name });
  }

  /** A bond: from what is selected, or from what is chosen, to what may follow. */
  async bond(): Promise<void> {
    const network = await this.networkNamed("bond");
    if (network === null) return;
    const ends = await this.ends(network);
    const selected = [...this.studio.selection.peek()]
      .filter((name) => name.startsWith(`${network}.`))
      .map((name) => name.slice(network.length + 1));
    const a = selected[0] ?? (await this.choose({ label: "Bond from what?", choices: ends }))?.name;
    if (a === undefined) return;
    const others = await this.bondable(network, a, ends);
    const b =
      selected[1] ??
      (await this.choose({ label: `Bond from ${a} to what?`, choices: others }))?.name;
    if (b !== undefined) await this.studio.do("bond.connect", { network, a, b });
  }

  /** What a bond from an end may go to: elements and ports of the network, joints and frames. */
  private async bondable(network: string, a: string, ends: Choice[]): Promise<Choice[]> {
    const found = await this.asked(() =>
      this.studio.connection.ask<{ elements: Bondable[] }>("bondable", { network, a }),
    );
    if (!found) return [];
    const own = found.elements.filter((e) => e.may).map((e) => answer(e.name, e.note ?? ""));
    return [...own, ...ends.filter((end) => end.name.includes(":") && end.name !== a)];
  }

  /** What a bond of a network may end at: its elements, ports, joints and frames. */
  private async ends(network: string): Promise<Choice[]> {
    const items = this.items("networks").find((n) => n.name === network)?.children ?? [];
    const own = items
      .filter((item) => item.path.includes("elements"))
      .map((item) => answer(item.label, [item.kind, item.text].filter(Boolean).join(" · ")));
    const joints = this.items("joints").map((j) =>
      answer(`joint:${j.name}`, j.kind, `joint ${j.name}`),
    );
    const frames = (await this.frames()).map((f) => answer(`frame:${f}`, "", `frame ${f}`));
    return [...own, ...joints, ...frames];
  }

  private async networkNamed(what: string): Promise<string | null> {
    const all = this.items("networks");
    const selected = this.network();
    if (selected) return selected;
    if (all.length === 1) return all[0].name;
    if (all.length === 0) {
      this.studio.complain(new Error("there is no network yet; add one first (A, network)"));
      return null;
    }
    const choices = all.map((n) => answer(n.name, n.kind));
    return (await this.choose({ label: `${what}: in which network?`, choices }))?.name ?? null;
  }

  /** Do it under a name, which the server chooses if none is typed. */
  private async named(what: string, operation: string, args: object): Promise<void> {
    const found = await this.choose({
      label: `${what}: its name`,
      placeholder: "Its name; Enter alone takes a free one",
      choices: [answer("", "", "a name that is free")],
      free: (typed) => ({ kind: "typed", name: typed, title: typed, text: "Enter", keys: [] }),
    });
    if (found) await this.do(operation, { ...args, name: found.name });
  }

  private async do(operation: string, args: Record<string, unknown>): Promise<void> {
    const done = await this.studio.do(operation, args);
    if (done) this.added(done);
  }

  private async frameNamed(label: string, but = ""): Promise<string | null> {
    const names = (await this.frames()).filter((name) => name.split(".")[0] !== but);
    const choice = await this.choose({
      label,
      placeholder: "ground, or a frame of a body",
      nothing: "No frame is called so.",
      choices: names.map((name) => answer(name)),
    });
    return choice?.name ?? null;
  }

  private async jointNamed(label: string): Promise<string | null> {
    const choice = await this.choose({
      label,
      nothing: "There is no joint yet; add one first (J).",
      choices: this.items("joints").map((j) => answer(j.name, j.kind)),
    });
    return choice?.name ?? null;
  }

  private choose(ask: Ask): Promise<Choice | null> {
    return this.asker.choose(ask);
  }

  private items(section: string) {
    return this.studio.outline.peek()?.sections.find((s) => s.section === section)?.items ?? [];
  }

  private async frames(): Promise<string[]> {
    const { connection } = this.studio;
    return (await this.asked(() => connection.ask<{ names: string[] }>("frames")))?.names ?? [];
  }

  /** What the server answers; null if it refuses, which is said. */
  private async asked<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      return await ask();
    } catch (error) {
      this.studio.complain(error);
      return null;
    }
  }
}

/** Whether an end may be bonded to, and what is to be said of it. */
interface Bondable {
  readonly name: string;
  readonly may: boolean;
  readonly note?: string;
}

const inNetwork = ({ section }: Kind): number => (section === "elements" ? 1 : 0);

/** What was typed as a list: "[a1, 0, 20 mm]" or "a1, 0, 20 mm". */
export function listOf(typed: string): (string | number)[] {
  return typed
    .replace(/^\s*\[|\]\s*$/g, "")
    .split(",")
    .map((part) => scalar(part));
}

/** A number if it is one, else the words. */
export function scalar(typed: string): string | number {
  const text = typed.trim();
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
