// The text of this window and the server's: what is sent when, and what comes back.
import { ChangeSet, Text } from "@codemirror/state";
import { beforeEach, describe, expect, it } from "vitest";
import { type Connection, Refused } from "../../studio/connection";
import type { Change, Splice } from "../../studio/protocol";
import { spliced, Studio } from "../../studio/studio";
import { type Editor, SharedText } from "../../studio/text/shared";

interface Asked {
  type: string;
  content: { revision: number; splices: Splice[]; group: string };
  resolve: (answer: object) => void;
  reject: (reason: unknown) => void;
}

/** A connection whose other end is the test. */
class FakeConnection {
  readonly window = "here";
  isOpen = true;
  asked: Asked[] = [];
  private readonly listeners = new Map<string, ((message: unknown) => void)[]>();

  on(type: string, listener: (message: unknown) => void): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  push(type: string, message: object = {}): void {
    for (const listener of this.listeners.get(type) ?? []) listener(message);
  }

  ask(type: string, content: Asked["content"]): Promise<object> {
    return new Promise((resolve, reject) => this.asked.push({ type, content, resolve, reject }));
  }

  tell(): void {}
}

/** An editor without a page. */
class PlainEditor implements Editor {
  constructor(
    readonly shared: SharedText,
    public text = shared.local.toString(),
  ) {
    shared.attach(this);
  }

  apply(changes: ChangeSet): void {
    this.text = changes.apply(Text.of(this.text.split("\n"))).toString();
  }

  replace(text: Text): void {
    this.text = text.toString();
  }

  type(at: number, insert: string): void {
    const changes = ChangeSet.of({ from: at, insert }, this.text.length);
    this.apply(changes);
    this.shared.typed(changes, this);
  }
}

const soon = () => new Promise((resolve) => setTimeout(resolve));

let line: FakeConnection;
let studio: Studio;
let shared: SharedText;
let editor: PlainEditor;

function open(revision: number, text: string, path = "a.yaml"): void {
  const facts = { name: path, format: "yaml", saved: true, readOnly: false };
  line.push("document", { revision, text, path, ...facts, canUndo: false, canRedo: false });
}

function changed(revision: number, splices: Splice[], window: string | null = null): void {
  const facts = { label: "", saved: false, canUndo: true, canRedo: false };
  line.push("changed", { revision, splices, window, ...facts } satisfies Change);
}

beforeEach(() => {
  line = new FakeConnection();
  studio = new Studio(line as unknown as Connection);
  shared = new SharedText(studio);
  open(1, "a: 1\n");
  editor = new PlainEditor(shared);
});

describe("typed text", () => {
  it("is acknowledged whether the change or the answer comes first", async () => {
    for (const changeFirst of [true, false]) {
      line.asked = [];
      const before = shared.revision;
      editor.type(0, "#\n");
      const [{ content, resolve }] = line.asked;
      const push = () => changed(before + 1, content.splices, "here");
      if (changeFirst) push();
      resolve({ revision: before + 1 });
      await soon();
      if (!changeFirst) push();
      expect(shared.revision).toBe(before + 1);
      expect(shared.unsent.value).toBe(false);
      expect(editor.text).toBe(studio.document.value!.text);
    }
  });

  it("is kept apart from what others do meanwhile", async () => {
    editor.type(0, "#\n");
    const [{ content, resolve }] = line.asked;
    changed(2, [[3, 4, "7"]], "elsewhere");
    expect(editor.text).toBe("#\na: 7\n");
    changed(3, content.splices, "here");
    changed(4, [[5, 6, "8"]], null);
    resolve({ revision: 3 });
    await soon();
    expect(editor.text).toBe("#\na: 8\n");
    expect(studio.document.value!.text).toBe(editor.text);
  });

  it("goes again, moved, when the server had another text by then", async () => {
    editor.type(4, "2");
    const [first] = line.asked;
    changed(2, [[0, 0, "# new\n"]], "elsewhere");
    first.reject(new Refused("the text has changed meanwhile"));
    await soon();
    expect(line.asked[1].content).toMatchObject({ revision: 2, splices: [[10, 10, "2"]] });
    expect(studio.notice.value).toBeNull();
  });

  it("stays here, and the user is told, if the server will not have it", async () => {
    editor.type(0, "x");
    line.asked[0].reject(new Refused("the file is read-only"));
    await soon();
    expect(studio.notice.value?.text).toBe("the file is read-only");
    expect(shared.unsent.value).toBe(true);
    expect(editor.text).toBe("xa: 1\n");
  });

  it("shows in every pane of the window at once", () => {
    const other = new PlainEditor(shared);
    editor.type(0, "x");
    expect(other.text).toBe("xa: 1\n");
  });

  it("has one name for its entry of the history until a pause", () => {
    editor.type(0, "x");
    editor.type(1, "y");
    line.asked[0].resolve({});
    return soon().then(() => {
      expect(line.asked[1].content.group).toBe(line.asked[0].content.group);
    });
  });

  it("is waited for by whoever needs the whole text", async () => {
    let isSettled = false;
    editor.type(0, "x");
    void shared.settled().then(() => (isSettled = true));
    await soon();
    expect(isSettled).toBe(false);
    changed(2, [[0, 0, "x"]], "here");
    line.asked[0].resolve({ revision: 2 });
    await soon();
    expect(isSettled).toBe(true);
  });
});

describe("a lost connection", () => {
  it("loses nothing: what was typed goes when the server is back", async () => {
    editor.type(0, "x");
    line.isOpen = false;
    line.asked[0].reject(new Refused("the studio does not answer"));
    line.push("lost");
    await soon();
    editor.type(1, "y");
    expect(line.asked).toHaveLength(1);
    line.isOpen = true;
    open(1, "a: 1\n");
    expect(line.asked[1].content).toMatchObject({ revision: 1, splices: [[0, 0, "xy"]] });
    expect(editor.text).toBe("xya: 1\n");
    expect(studio.notice.value).toBeNull();
  });

  it("tells when the text had changed behind it, and puts what was typed over it", () => {
    line.isOpen = false;
    line.push("lost");
    editor.type(0, "x");
    line.isOpen = true;
    open(5, "a: 2\n");
    expect(editor.text).toBe("xa: 1\n");
    expect(spliced("a: 2\n", line.asked[0].content.splices)).toBe("xa: 1\n");
    expect(studio.notice.value?.text).toContain("Undo");
  });

  it("takes the server's text if nothing was typed", () => {
    open(5, "a: 2\nb: 3\n");
    expect(editor.text).toBe("a: 2\nb: 3\n");
    expect(line.asked).toHaveLength(0);
  });

  it("of another file there is nothing to keep", () => {
    open(9, "b: 1\n", "b.yaml");
    expect(editor.text).toBe("b: 1\n");
    expect(shared.revision).toBe(9);
  });
});
