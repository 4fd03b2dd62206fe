// Text typed here while the server's text goes on: what is on its way, what waits, and how both
// move when somebody else changes the text.
//
// `base` is the server's text at `revision`; base + sent + waiting is what the editor shows.
import { ChangeSet, Text, type ChangeDesc } from "@codemirror/state";
import type { Change, Splice } from "../protocol";

export const textOf = (text: string): Text => Text.of(text.split("\n"));

export function changesOf(splices: readonly Splice[], length: number): ChangeSet {
  return ChangeSet.of(
    splices.map(([from, to, insert]) => ({ from, to, insert: textOf(insert) })),
    length,
    "\n",
  );
}

export function splicesOf(changes: ChangeSet): Splice[] {
  const splices: Splice[] = [];
  changes.iterChanges((from, to, _a, _b, inserted) => {
    splices.push([from, to, inserted.sliceString(0, inserted.length, "\n")]);
  });
  return splices;
}

/** The one splice that makes one text of another: what lies between equal beginning and equal end. */
export function difference(old: string, fresh: string): Splice | null {
  if (old === fresh) return null;
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old.charCodeAt(start) === fresh.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < most - start &&
    old.charCodeAt(old.length - 1 - end) === fresh.charCodeAt(fresh.length - 1 - end)
  )
    end++;
  return [start, old.length - end, fresh.slice(start, fresh.length - end)];
}

const written = (text: Text): string => text.sliceString(0, text.length, "\n");

const MOST_REMEMBERED = 400;

export class Rebasing {
  private sent: ChangeSet | null = null;
  private waiting: ChangeSet | null = null;
  /** Changes of the server's text, to carry older places on. */
  private log: { revision: number; changes: ChangeDesc }[] = [];

  constructor(
    public revision: number,
    private base: Text,
  ) {}

  /** What the editor shows. */
  get local(): Text {
    let text = this.base;
    for (const changes of this.own) text = changes.apply(text);
    return text;
  }

  /** Nothing typed here that the server does not have. */
  get isSettled(): boolean {
    return this.sent === null && this.waiting === null;
  }

  get isWaiting(): boolean {
    return this.waiting !== null;
  }

  get isSent(): boolean {
    return this.sent !== null;
  }

  private get own(): ChangeSet[] {
    return [this.sent, this.waiting].filter((c) => c !== null);
  }

  /** Something was typed. */
  typed(changes: ChangeSet): void {
    this.waiting = this.waiting ? this.waiting.compose(changes) : changes;
  }

  /** What is to be sent now; null while something is on its way or nothing waits. */
  next(): { revision: number; splices: Splice[] } | null {
    if (this.sent || !this.waiting) return null;
    this.sent = this.waiting;
    this.waiting = null;
    return { revision: this.revision, splices: splicesOf(this.sent) };
  }

  /** What was sent is part of the server's text now. */
  acknowledged(revision: number): void {
    if (!this.sent) return;
    this.advance(this.sent, revision);
    this.sent = null;
  }

  /** What was sent was not taken: it waits again. */
  refused(): void {
    if (!this.sent) return;
    this.waiting = this.waiting ? this.sent.compose(this.waiting) : this.sent;
    this.sent = null;
  }

  /** Somebody else's change, as the editor has to make it. */
  received(change: Pick<Change, "revision" | "splices">): ChangeSet {
    const theirs = changesOf(change.splices, this.base.length);
    let shown = theirs;
    if (this.sent) [this.sent, shown] = [this.sent.map(shown), shown.map(this.sent, true)];
    if (this.waiting)
      [this.waiting, shown] = [this.waiting.map(shown), shown.map(this.waiting, true)];
    this.advance(theirs, change.revision);
    return shown;
  }

  private advance(changes: ChangeSet, revision: number): void {
    this.base = changes.apply(this.base);
    this.revision = revision;
    this.log.push({ revision, changes: changes.desc });
    if (this.log.length > MOST_REMEMBERED) this.log.shift();
  }

  /** A place of the text at a revision, in what the editor shows. */
  carried(position: number, revision = this.revision): number {
    let at = position;
    for (const entry of this.log)
      if (entry.revision > revision) at = entry.changes.mapPos(Math.min(at, entry.changes.length));
    for (const changes of this.own) at = changes.mapPos(Math.min(at, changes.length));
    return at;
  }

  /**
   * The whole text comes anew, as after a lost connection. What was typed here stays: as it was if
   * the server still has the text known here, else as one change that replaces what differs.
   */
  restarted(revision: number, text: string): { differs: boolean } {
    const fresh = textOf(text);
    const arrived = this.sent !== null && fresh.eq(this.sent.apply(this.base));
    if (arrived) this.sent = null;
    else this.refused();
    const differs = this.waiting !== null && !arrived && !fresh.eq(this.base);
    if (differs) {
      const splice = difference(text, written(this.waiting!.apply(this.base)));
      this.waiting = splice && changesOf([splice], fresh.length);
    }
    this.base = fresh;
    this.revision = revision;
    this.log = [];
    return { differs };
  }
}
