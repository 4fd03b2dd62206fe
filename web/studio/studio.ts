// What all views share: the document, what is selected, the runs, the clock. Views read signals and
// call methods; nobody else talks to the server about these things.
import { batch, computed, effect, signal } from "@preact/signals";
import { type Answer, type Connection, Refused } from "./connection";
import type {
  Change,
  Done,
  DocumentData,
  FaultsData,
  JobData,
  OutlineData,
  OutlineItem,
  RunData,
  Tried,
} from "./protocol";

/** One pane's content. */
export interface View {
  readonly element: HTMLElement;
  /** Something for the pane's own bar, beside its title. */
  readonly tools?: HTMLElement;
  /** Bring what is selected into sight. */
  reveal?(names: ReadonlySet<string>): void;
  /** Show all of its picture. */
  fit?(): void;
  /** What it does itself of the commands, by their names: those of the active pane come first. */
  readonly actions?: Readonly<Record<string, () => void>>;
  /** The network or sub-graph that is drawn in it, into which things are pasted. */
  readonly network?: string;
  dispose?(): void;
}

export type ViewKind =
  "stage" | "bond" | "linear" | "text" | "equations" | "results" | "tree" | "inspector";

export interface Notice {
  text: string;
  kind: "error" | "remark";
}

/** Milliseconds to wait for the checks of a text. */
const PATIENCE = 3000;

const NO_FAULTS: FaultsData = { revision: 0, faults: [], remarks: [], unreadable: false };

export class Studio {
  readonly document = signal<DocumentData | null>(null);
  /** Counts up when another document takes the place of the one that was open. */
  readonly others = signal(0);
  readonly faults = signal(NO_FAULTS);
  readonly outline = signal<OutlineData | null>(null);
  readonly selection = signal<ReadonlySet<string>>(new Set());
  /** The element under the pointer, whichever view it is in. */
  readonly hovered = signal<string | null>(null);
  readonly jobs = signal<ReadonlyMap<number, JobData>>(new Map());
  readonly runs = signal<readonly RunData[]>([]);
  readonly connected = signal(false);
  readonly notice = signal<Notice | null>(null);
  /** Seconds of simulated time that stage, plots, bonds and inspector show. */
  readonly time = signal(0);
  /** Values of sliders that differ from the file, as texts for `params`. */
  readonly overrides = signal<Readonly<Record<string, string>>>({});
  /** Outline items by name. */
  readonly items = computed(() => indexed(this.outline.value));
  /** What assistive technology is told last: what happened, and where it cannot be seen. */
  readonly said = signal("");
  /** What a drag may be let go on: views that know the element at a place of the window. */
  readonly dropTargets: ((x: number, y: number) => string | null)[] = [];
  /** Changes of the text as they come. */
  private readonly followers: ((change: Change) => void)[] = [];

  constructor(readonly connection: Connection) {
    const c = connection;
    c.on<unknown>("open", () => (this.connected.value = true));
    c.on<unknown>("lost", () => (this.connected.value = false));
    c.on<DocumentData>("document", (data) => batch(() => this.take(data)));
    c.on<Change>("changed", (change) => this.changed(change));
    c.on<{ saved: boolean }>("saved", ({ saved }) => this.patch({ saved }));
    c.on<FaultsData>("faults", (data) => (this.faults.value = data));
    c.on<{ data: OutlineData }>("outline", ({ data }) => (this.outline.value = data));
    c.on<{ names: string[] }>("selected", ({ names }) => (this.selection.value = new Set(names)));
    c.on<{ runs: RunData[] }>("runs", ({ runs }) => (this.runs.value = runs));
    c.on<{ job: JobData }>("job", ({ job }) => {
      this.jobs.value = new Map(this.jobs.value).set(job.id, job);
    });
    c.on<{ what: string; cure: string }>("refused", ({ what, cure }) =>
      this.complain(new Error(cure ? `${what}; ${cure}` : what)),
    );
  }

  /** The whole document came; of another one nothing is selected or changed by sliders yet. */
  private take(data: DocumentData): void {
    const before = this.document.value;
    this.document.value = data;
    if (!before || !isOther(before, data)) return;
    this.others.value++;
    this.outline.value = null;
    this.faults.value = NO_FAULTS;
    this.hovered.value = null;
    this.overrides.value = {};
    this.select([]);
  }

  private changed(change: Change): void {
    const { revision, saved, canUndo, canRedo } = change;
    const text = spliced(this.document.value?.text ?? "", change.splices);
    this.patch({ revision, saved, canUndo, canRedo, text });
    for (const follower of this.followers) follower(change);
    if (change.selection) this.selection.value = new Set(change.selection);
  }

  private patch(part: Partial<DocumentData>): void {
    if (this.document.value) this.document.value = { ...this.document.value, ...part };
  }

  /** Call `follower` with every change of the text. */
  onChange(follower: (change: Change) => void): void {
    this.followers.push(follower);
  }

  /** Select elements, in all windows. */
  select(names: Iterable<string>): void {
    const own = [...new Set(names)];
    this.selection.value = new Set(own);
    this.connection.tell("select", { names: own });
  }

  /** Ask a worker for a view of the document as it is. */
  async look<T>(what: string, args: object = {}): Promise<T> {
    const answer = await this.connection.ask<{ data: T }>("look", { what, arguments: args });
    return answer.data;
  }

  /** Write a value into the file: one undoable entry. */
  set(path: string[], value: unknown, label = ""): Promise<unknown> {
    const revision = this.document.value?.revision ?? 0;
    return this.connection.ask("set", { revision, path, value, label });
  }

  /** Puts a question of an operation to the user: the answer, or null to leave it. Set by the shell. */
  asks: (what: string, answers: readonly Answer[]) => Promise<Answer | null> = async () => null;
  /** When everything that was typed is with the server. Set by the shell. */
  settled: () => Promise<void> = async () => {};
  /** Operations that were asked for are done one after the other. */
  private last: Promise<unknown> = Promise.resolve();

  /** Do an operation (pliant.studio.operations): one undoable entry. What must be asked is asked; null
   *  if the user thinks better of it, or if it was refused (which is said). */
  do(operation: string, args: Record<string, unknown> = {}): Promise<Done | null> {
    const done = this.last.then(() => this.done(operation, args));
    this.last = done;
    return done;
  }

  private async done(operation: string, args: Record<string, unknown>): Promise<Done | null> {
    try {
      await this.settled();
      const revision = this.document.value?.revision ?? 0;
      return await this.connection.ask<Done>("do", { revision, operation, arguments: args });
    } catch (error) {
      if (!(error instanceof Refused) || !error.choices?.length) {
        this.complain(error);
        return null;
      }
      const answer = await this.asks(error.message, error.choices);
      return answer && this.done(operation, { ...args, ...answer.arguments });
    }
  }

  /** What an operation would do; nothing is changed. Rejects with `Refused`. */
  try(operation: string, args: Record<string, unknown> = {}): Promise<Tried> {
    return this.connection.ask<Tried>("try", { operation, arguments: args });
  }

  /** When the text as it is now was checked; in any case after a while. */
  async checked(): Promise<void> {
    let end = () => {};
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, PATIENCE);
      const stop = effect(() => {
        if (this.faults.value.revision >= (this.document.value?.revision ?? 0)) resolve();
      });
      end = () => {
        clearTimeout(late);
        stop();
      };
    });
    end();
  }

  undo(): void {
    this.connection.tell("undo");
  }

  redo(): void {
    this.connection.tell("redo");
  }

  /** Tell assistive technology what happened; the same words twice are two announcements. */
  announce(text: string): void {
    this.said.value = this.said.peek() === text ? `${text}\u00a0` : text;
  }

  /** The element at a place of the window, whichever view shows it. */
  droppedOn(x: number, y: number): string | null {
    for (const target of this.dropTargets) {
      const name = target(x, y);
      if (name !== null) return name;
    }
    return null;
  }

  complain(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.notice.value = { text, kind: "error" };
  }
}

/** Whether it is another document: one saved under another name keeps its revision. */
export function isOther(before: DocumentData, after: DocumentData): boolean {
  const isElsewhere = before.path !== after.path || before.name !== after.name;
  return isElsewhere && before.revision !== after.revision;
}

function indexed(outline: OutlineData | null): ReadonlyMap<string, OutlineItem> {
  const found = new Map<string, OutlineItem>();
  const add = (items: OutlineItem[]) => {
    for (const item of items) {
      if (!found.has(item.name)) found.set(item.name, item);
      add(item.children);
    }
  };
  for (const { items } of outline?.sections ?? []) add(items);
  return found;
}

/** A text with splices, which are given in the order of the text and do not overlap. */
export function spliced(text: string, splices: Change["splices"]): string {
  let out = "";
  let at = 0;
  for (const [start, end, insert] of splices) {
    out += text.slice(at, start) + insert;
    at = end;
  }
  return out + text.slice(at);
}
