// The file behind the document: saving it, what happened to it on disk, changes left behind.
import { signal } from "@preact/signals";
import type { Notice, Studio } from "../studio";
import type { SharedText } from "../text/shared";
import { askForName, compareTexts } from "./dialogs";

type DiskState = "same" | "changed" | "gone";

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
    c.on<{ state: string }>("disk", ({ state }) => this.onDisk(state));
    c.on<{ when: number | null }>("journal", ({ when }) => {
      this.journal.value = when === null ? null : new Date(1000 * when).toLocaleString();
    });
    c.on<Notice>(
      "notice",
      ({ text: words, kind }) => (studio.notice.value = { text: words, kind }),
    );
    c.on("saved", () => this.onDisk("back"));
    studio.onChange(({ saved }) => {
      if (saved) this.onDisk("back");
    });
    c.on("open", () => {
      this.greeted.value = true;
      this.journal.value = null;
      this.onDisk("back");
    });
    c.on<CloseEvent>("lost", ({ code }) => {
      this.ended.value = code === NOT_WELCOME;
      this.greeted.value ||= this.ended.value;
    });
  }

  private onDisk(state: string): void {
    this.disk.value = state === "changed" || state === "gone" ? state : "same";
    if (this.disk.value !== "changed") this.theirs.value = null;
  }

  /** Write the file; `force`: over whatever is on disk. */
  async save(force = false): Promise<void> {
    await this.text.settled();
    const isNew = this.studio.document.peek()?.path === "" && !force;
    const as = isNew ? await askForName("Save as", "model.yaml") : null;
    if (isNew && as === null) return;
    await this.try(async () => {
      const content = { ...(force && { force }), ...(as !== null && { as }) };
      const answer = await this.studio.connection.ask<SaveAnswer>("save", content);
      if (answer.type !== "conflict") return;
      this.theirs.value = answer.text;
      this.disk.value = answer.state;
    });
  }

  keepMine(): Promise<void> {
    return this.save(true);
  }

  async takeTheirs(): Promise<void> {
    await this.try(async () => {
      await this.studio.connection.ask("disk", { choice: "theirs" });
      this.onDisk("back");
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
