// The text that all text panes of this window show, kept equal to the server's: typed changes go
// there one after the other, changes of others come in between, and nothing typed is lost with the
// connection.
import { signal } from "@preact/signals";
import type { ChangeSet, Text } from "@codemirror/state";
import { Refused } from "../connection";
import type { Change, DocumentData } from "../protocol";
import type { Studio } from "../studio";
import { changesOf, difference, Rebasing, textOf } from "./rebasing";

/** A pause in typing that ends an entry of the history, in milliseconds. */
const PAUSE = 500;

export interface Editor {
  /** The text changed somewhere else; `follow`: put the caret there. */
  apply(changes: ChangeSet, follow: boolean): void;
  /** Another text altogether. */
  replace(text: Text): void;
}

export class SharedText {
  /** Typed here and not yet with the server. */
  readonly unsent = signal(false);
  private state = new Rebasing(0, textOf(""));
  /** Documents that others took the place of, when the one shown came; null: none came yet. */
  private others: number | null = null;
  private readonly editors = new Set<Editor>();
  private readonly patient: (() => void)[] = [];
  /** Changes that came while it was not known which of them is the one sent. */
  private held: Change[] = [];
  private answered: number | null = null;
  private group = 0;
  private lastTyped = 0;
  private follows = false;

  constructor(private readonly studio: Studio) {
    studio.onChange((change) => this.changed(change));
    studio.connection.on<DocumentData>("document", (data) => this.opened(data));
    studio.connection.on("lost", () => this.lost());
  }

  get local(): Text {
    return this.state.local;
  }

  get revision(): number {
    return this.state.revision;
  }

  /** Show the text in an editor; returns how to stop. */
  attach(editor: Editor): () => void {
    this.editors.add(editor);
    return () => this.editors.delete(editor);
  }

  /** Something was typed in one of the editors. */
  typed(changes: ChangeSet, from: Editor): void {
    this.state.typed(changes);
    for (const editor of this.editors) if (editor !== from) editor.apply(changes, false);
    const now = performance.now();
    if (now - this.lastTyped > PAUSE) this.group++;
    this.lastTyped = now;
    this.unsent.value = true;
    this.send();
  }

  /** A place of the server's text at a revision, in the text shown. */
  carried(position: number, revision?: number): number {
    return Math.min(this.state.carried(position, revision), this.state.local.length);
  }

  /** When everything typed here is with the server. */
  settled(): Promise<void> {
    if (this.state.isSettled) return Promise.resolve();
    return new Promise((resolve) => this.patient.push(resolve));
  }

  /** Put the caret where the next change of the text is: after undo. */
  followNext(): void {
    this.follows = true;
  }

  private send(): void {
    if (!this.studio.connection.isOpen) return;
    const edit = this.state.next();
    if (!edit) return;
    this.answered = null;
    const group = `${this.studio.connection.window}/${this.group}`;
    this.studio.connection
      .ask<{ revision?: number }>("edit", { ...edit, group })
      .then(({ revision }) => this.accept(revision))
      .catch((reason: unknown) => this.refuse(edit.revision, reason));
  }

  /** The server took it, as the change of a revision; without one it changed nothing. */
  private accept(revision: number | undefined): void {
    if (revision === undefined) this.state.acknowledged(this.state.revision);
    else this.answered = revision;
    this.drain();
  }

  /** The server did not take it. An old revision mends itself: what came meanwhile is known now. */
  private refuse(revision: number, reason: unknown): void {
    this.state.refused();
    this.drain();
    if (!this.studio.connection.isOpen) return;
    const isOld = this.state.revision > revision;
    if (isOld) this.send();
    else if (reason instanceof Refused) this.studio.complain(reason);
  }

  private changed(change: Change): void {
    this.held.push(change);
    const mayBeOwn = change.window === this.studio.connection.window;
    const isAnswered = !this.state.isSent || this.answered !== null;
    if (isAnswered || (!mayBeOwn && this.held.length === 1)) this.drain();
  }

  /** Make every change that is held, in their order. */
  private drain(): void {
    const held = this.held;
    this.held = [];
    for (const change of held) {
      if (change.revision <= this.state.revision) continue;
      if (this.state.isSent && change.revision === this.answered)
        this.state.acknowledged(change.revision);
      else this.show(this.state.received(change));
    }
    this.send();
    this.tellSettled();
  }

  private show(changes: ChangeSet): void {
    for (const editor of this.editors) editor.apply(changes, this.follows);
    this.follows = false;
  }

  private tellSettled(): void {
    this.unsent.value = !this.state.isSettled;
    if (this.state.isSettled) for (const resolve of this.patient.splice(0)) resolve();
  }

  private lost(): void {
    this.held = [];
    this.answered = null;
    this.state.refused();
  }

  /** The whole text came: another file, or the same after a pause. */
  private opened({ revision, text }: DocumentData): void {
    this.held = [];
    this.answered = null;
    const others = this.studio.others.peek();
    const isOther = this.others !== others;
    this.others = others;
    if (isOther) {
      this.state = new Rebasing(revision, textOf(text));
      for (const editor of this.editors) editor.replace(this.state.local);
    } else this.restart(revision, text);
    this.send();
    this.tellSettled();
  }

  private restart(revision: number, text: string): void {
    const before = this.state.local;
    const { differs } = this.state.restarted(revision, text);
    const after = this.state.local;
    if (differs)
      this.studio.notice.value = {
        text: "The file changed while the connection was lost. What you typed was put over it as one change; Undo brings the other text back.",
        kind: "remark",
      };
    if (after.eq(before)) return;
    const splice = difference(before.toString(), after.toString());
    if (splice) this.show(changesOf([splice], before.length));
  }
}
