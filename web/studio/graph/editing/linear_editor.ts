// The linear graph: a click on a joint moves it between tree and cotree, with what that costs; a
// drag from frame to frame makes a joint.
import type { Drag } from "../canvas/gestures";
import type { Item } from "../canvas/items";
import type { EdgeData, GraphData, Point } from "../data";
import { Edge } from "../drawing/edges";
import { Vertex } from "../drawing/vertices";
import type { Editing, GraphPane } from "../pane/pane";
import type { Studio } from "../../studio";
import { BondDrag, type Target } from "./bonding";
import { Handles } from "./handles";
import { bodyOf, exchanges, isJoint, stays, treeAfter, type Exchange } from "./loops";
import { QuickList } from "./quick_list";
import { isOver, moverOf } from "./targets";
import type { Choice } from "./typed";

/** Exchanges whose cost is worked out. */
const MOST = 8;
/** The tree in which it is said joint by joint which are cut. */
const OF_JOINTS = "joint";

type Offer = Choice & { exchange: Exchange };

export class LinearEditor implements Editing {
  private readonly list: QuickList;
  private readonly handles: Handles;
  private data: GraphData | null = null;

  constructor(
    private readonly studio: Studio,
    private readonly pane: GraphPane,
  ) {
    pane.editing = this;
    this.list = new QuickList(pane.surface);
    this.handles = new Handles(pane.surface);
    pane.element.append(this.list.element);
  }

  private get canEdit(): boolean {
    return this.studio.connected.peek() && this.studio.document.peek()?.readOnly === false;
  }

  shown(data: GraphData): void {
    this.data = data;
    this.handles.hide();
  }

  /** An edge is selected, and what its place in the tree could be is offered. */
  click(item: Item | null): boolean {
    this.pane.overlay.clear();
    if (this.canEdit && item instanceof Edge) this.offer(item);
    return false;
  }

  press(event: KeyboardEvent, item: Item | null): boolean {
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey);
    if (!this.canEdit || !isPlain || event.key.toLowerCase() !== "t") return false;
    if (item instanceof Edge) this.offer(item);
    else this.pane.announce("walk to an edge with the full stop key first");
    return true;
  }

  private offer(edge: Edge): void {
    const { surface, overlay } = this.pane;
    const edges = this.data?.edges ?? [];
    const at = surface.view.toScreen(edge.centre);
    if (isJoint(edge.data) && this.fact("tree") !== OF_JOINTS) return this.offerJoints(at);
    const found = exchanges(edges, edge.data).slice(0, MOST);
    if (!found.length) {
      const words = stays(edge.data);
      overlay.say(words, at, "bad");
      this.pane.announce(words);
      return;
    }
    const choices: Offer[] = found.map((exchange) => this.offered(edge.data, exchange, "…"));
    const where = edge.data.tree ? "tree" : "cotree";
    this.list.open({
      title: `${edge.owner} is in the ${where}: ${this.costOf(this.data)}`,
      choices,
      at,
      wide: true,
      take: ({ exchange }) => void this.take(exchange),
    });
    void this.price(edge.data, choices);
  }

  /** In another tree than that of the joints it does not matter which of them are cut. */
  private offerJoints(at: Point): void {
    const words = `The tree is ${this.fact("tree")}: to cut a joint changes nothing`;
    this.pane.announce(words);
    this.list.open({
      title: words,
      choices: [
        {
          kind: OF_JOINTS,
          label: "follow the joints",
          sentence: "leave simulate.tree out of the file; then joints can be cut",
        },
      ],
      at,
      wide: true,
      take: () => void this.studio.do("settings.set", { key: "tree", value: null }),
    });
  }

  private offered(edge: EdgeData, exchange: Exchange, sentence: string): Offer {
    const edges = this.data?.edges ?? [];
    const { leaves, enters } = exchange;
    const isLeaving = leaves === edge.owner;
    const label = !isLeaving
      ? `into the tree; cut ${leaves}`
      : enters
        ? `cut; ${enters} into the tree`
        : `cut; ${bodyOf(edges, edge)} moves freely`;
    return { kind: enters || leaves, label, sentence, exchange };
  }

  /** What each exchange gives: coordinates, constraints, cost; or why it cannot be. */
  private async price(edge: EdgeData, choices: readonly Offer[]): Promise<void> {
    const edges = this.data?.edges ?? [];
    const told: Offer[] = [...choices];
    for (const [k, { exchange }] of choices.entries()) {
      const tree = treeAfter(edges, exchange, bodyOf(edges, edge));
      try {
        const data = await this.studio.look<GraphData>("linear", { tree });
        told[k] = this.offered(edge, exchange, this.costOf(data));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        told[k] = { ...this.offered(edge, exchange, `cannot be: ${why}`), cannot: true };
      }
      this.list.renew(told);
    }
  }

  private costOf(data: GraphData | null): string {
    const fact = (label: string) => this.fact(label, data);
    const [coordinates] = fact("coordinates").split(":");
    const cost = fact("cost").replace(" per evaluation", "");
    return `${coordinates} coordinates, ${fact("constraint equations")} constraints, ${cost}`;
  }

  private fact(label: string, data = this.data): string {
    return data?.facts.find((own) => own.label === label)?.text ?? "?";
  }

  private async take({ leaves, enters }: Exchange): Promise<void> {
    const done = await this.studio.do("joint.tree", {
      cut: [leaves],
      uncut: enters ? [enters] : [],
    });
    if (done) this.studio.announce(done.label ?? `${leaves} is cut`);
  }

  // -- joints

  private vertices(): Vertex[] {
    const items = this.pane.surface.drawing?.items ?? [];
    const isFrame = (item: Item) => moverOf(this.studio, item.name)?.startsWith("frame:");
    return items.filter((item): item is Vertex => item instanceof Vertex && !!isFrame(item));
  }

  hover(item: Item | null, at: Point): void {
    if (item) this.pane.overlay.clear();
    const isThere = item !== null || at[0] !== 0 || at[1] !== 0;
    const start = this.canEdit && isThere ? this.handles.at(at, this.vertices()) : null;
    this.pane.surface.window.classList.toggle("at-rim", start !== null);
    if (start) this.handles.show(start, at, true);
    else this.handles.hide();
  }

  grasp(_: Item | null, at: Point): Drag | undefined {
    if (!this.canEdit) return undefined;
    const from = this.handles.at(at, this.vertices());
    return from ? this.jointDrag(from) : undefined;
  }

  private jointDrag(from: Item): Drag {
    const { surface, overlay } = this.pane;
    const objection = ({ name }: Target) =>
      name.split(".")[0] === from.name.split(".")[0] ? "both frames are of one body" : "";
    return new BondDrag(surface, overlay, {
      from: { name: from.name, label: from.name, at: from.centre, inward: false },
      targetAt: (p, event) => {
        if (!isOver(surface, event)) return null;
        const found = this.vertices().find((vertex) => vertex.distance(p) < 8);
        if (!found || found === from) return null;
        return { name: found.name, label: `${found.name}: a joint`, bounds: found.bounds };
      },
      objection,
      note: () => "",
      connect: (target) => {
        const why = objection(target);
        if (why) this.studio.announce(why);
        else void this.join(from.name, target);
      },
      free: () => {},
    });
  }

  /** Which kind of joint, then it is made. */
  private async join(a: string, { name: b, bounds }: Target): Promise<void> {
    type Answer = { items: (Choice & { section: string; title: string })[] };
    try {
      const { items } = await this.studio.connection.ask<Answer>("palette", {});
      const kinds = items.filter(({ section }) => section === "joints");
      this.list.open({
        title: `Joint between ${a} and ${b}`,
        choices: kinds.map((own) => ({ ...own, label: own.title })),
        at: this.pane.surface.view.toScreen([bounds![2], bounds![3]]),
        take: ({ kind }) =>
          void this.studio.do("joint.connect", { a, b, kind }).then((done) => {
            if (done) this.studio.announce(done.label ?? `joint between ${a} and ${b}`);
          }),
      });
    } catch (error) {
      this.studio.complain(error);
    }
  }
}
