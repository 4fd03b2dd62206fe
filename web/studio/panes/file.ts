// The file behind the document: saving it, what happened to it on disk, changes left behind.
import { effect, signal, untracked } from "@preact/signals";
import type { Notice, Studio } from "../studio";
import type { SharedText } from "../text/shared";
import { askForName, askToReplace, compareTexts } from "./dialogs";

type DiskState = "same" | "changed" | "gone";

interface SaveContent {
  force?: true;
  as?: string;
}

type SaveAnswer =
  { type: "saved"; saved: boolean } | { type: "conflict"; text: string | null; state: DiskState };

/** Close code of a socket whose token is not the server's. */
const NOT_WELCOME = 1008;

export class FileState {
  readonly disk = signal<DiskState>("same");
  /** Text on disk, if the server has told it. */
  readonly theirs = signal<string | null>(null);
  /** When changes were left behind; null: none. */
  readonly journal = signal<string | null>(null);
  /** Whether the server has ever answered; before that there is no connection to lose. */
  readonly greeted = signal(false);
  /** The server does not know this window: it is another one, or has ended. */
  readonly ended = signal(false);

  constructor(
    private readonly studio: Studio,
    private readonly text: SharedText,
  ) {
    const c = studio.connection;
    c.on<{ state: string; text?: string }>("disk", ({ state, text: theirs }) =>
      this.onDisk(state, theirs),
    );
    c.on<{ when: number | null }>("journal", ({ when }) => {
      this.journal.value = when === null ? null : new Date(1000 * when).toLocaleString();
    });
    c.on<Notice>(
      "notice",
      ({ text: words, kind }) => (studio.notice.value = { text: words, kind }),
    );
    c.on("saved", () => this.onDisk("back"));
    effect(() => {
      if (studio.others.value > 0) untracked(() => this.forget());
    });
    studio.onChange(({ saved }) => {
      if (saved) this.onDisk("back");
    });
    c.on("open", () => {
      this.greeted.value = true;
      this.forget();
    });
    c.on<CloseEvent>("lost", ({ code }) => {
      this.ended.value = code === NOT_WELCOME;
      this.greeted.value ||= this.ended.value;
    });
  }

  /** Another file: nothing is known of it yet. */
  private forget(): void {
    this.journal.value = null;
    this.onDisk("back");
  }

  /** `theirs`: the text on disk. */
  private onDisk(state: string, theirs?: string): void {
    this.disk.value = state === "changed" || state === "gone" ? state : "same";
    this.theirs.value = this.disk.value === "changed" ? (theirs ?? null) : null;
  }

  /** Write the file; `force`: over whatever is on disk. */
  async save(force = false): Promise<void> {
    await this.text.settled();
    const isNew = this.studio.document.peek()?.path === "";
    if (isNew && !force) await this.saveAs();
    else await this.write(force ? { force } : {});
  }

  /** Write another file, which becomes that of the document. */
  async saveAs(): Promise<void> {
    await this.text.settled();
    const now = this.studio.document.peek()?.path ?? "";
    const as = await askForName("Save as", now || "model.yaml");
    if (as === null) return;
    await this.write(as === now ? {} : { as });
  }

  private async write(content: SaveContent): Promise<void> {
    await this.try(async () => {
      const answer = await this.studio.connection.ask<SaveAnswer>("save", content);
      if (answer.type !== "conflict") return;
      if (content.as === undefined) this.onDisk(answer.state, answer.text ?? undefined);
      else if (await askToReplace(content.as)) await this.write({ ...content, force: true });
    });
  }

  keepMine(): Promise<void> {
    return this.save(true);
  }

  async takeTheirs(): Promise<void> {
    await this.try(async () => {
      const { type } = await this.studio.connection.ask<{ type: string }>("disk", {
        choice: "theirs",
      });
      if (type !== "nothing") this.onDisk("back");
    });
  }

  /** Both texts side by side. */
  compareTheirs(): void {
    if (this.theirs.value === null) return;
    compareTexts("Yours", this.text.local.toString(), "On disk", this.theirs.value);
  }

  async answerJournal(choice: "recover" | "discard"): Promise<void> {
    await this.try(async () => {
      await this.studio.connection.ask("journal", { choice });
      this.journal.value = null;
    });
  }

  async lookAtJournal(): Promise<void> {
    await this.try(async () => {
      const left = await this.studio.connection.ask<{ text: string }>("journal", {
        choice: "look",
      });
      compareTexts("The file", this.text.local.toString(), "Left behind", left.text);
    });
  }

  /** Put the text on the clipboard: what can be done without a server. */
  copy(): void {
    void navigator.clipboard.writeText(this.text.local.toString());
  }

  private async try(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.studio.complain(error);
    }
  }
}
