// Text typed here and changes of others: both ends always come to the same text.
import { ChangeSet } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import type { Splice } from "../../studio/protocol";
import { spliced } from "../../studio/studio";
import { changesOf, difference, Rebasing, splicesOf, textOf } from "../../studio/text/rebasing";

const typing = (length: number, from: number, to: number, insert: string) =>
  ChangeSet.of({ from, to, insert }, length);

/** A page whose editor holds `shown`. */
class Page {
  readonly state: Rebasing;

  constructor(text: string) {
    this.state = new Rebasing(0, textOf(text));
    this.shown = text;
  }

  shown: string;

  type(from: number, to: number, insert: string): void {
    this.state.typed(typing(this.shown.length, from, to, insert));
    this.shown = spliced(this.shown, [[from, to, insert]]);
  }

  receive(revision: number, splices: Splice[]): void {
    const changes = this.state.received({ revision, splices });
    this.shown = spliced(this.shown, splicesOf(changes));
  }
}

describe("typed text", () => {
  it("is sent one piece after the other", () => {
    const page = new Page("abc");
    page.type(3, 3, "d");
    expect(page.state.next()).toEqual({ revision: 0, splices: [[3, 3, "d"]] });
    page.type(4, 4, "e");
    page.type(5, 5, "f");
    expect(page.state.next()).toBeNull();
    page.state.acknowledged(1);
    expect(page.state.next()).toEqual({ revision: 1, splices: [[4, 4, "ef"]] });
    page.state.acknowledged(2);
    expect(page.state.isSettled).toBe(true);
    expect(page.state.local.toString()).toBe("abcdef");
  });

  it("moves when somebody else changes the text before it", () => {
    const page = new Page("a: 1\nb: 2\n");
    page.type(8, 9, "3");
    page.state.next();
    page.type(9, 9, " mm");
    page.receive(1, [[0, 0, "# head\n"]]);
    expect(page.shown).toBe("# head\na: 1\nb: 3 mm\n");
    expect(page.state.local.toString()).toBe(page.shown);
    page.state.refused();
    expect(page.state.next()).toEqual({ revision: 1, splices: [[15, 16, "3 mm"]] });
  });

  it("gives the same text as the server's, whatever comes between", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    for (let trial = 0; trial < 60; trial++) {
      let server = "one: 1\ntwo: 2\nthree: 3\n";
      let revision = 0;
      const page = new Page(server);
      let sent: { revision: number } | null = null;
      for (let step = 0; step < 40; step++) {
        const at = random(page.shown.length + 1);
        if (random(3))
          page.type(at, Math.min(page.shown.length, at + random(3)), "xy\n".slice(random(3)));
        sent ??= page.state.next();
        if (random(2)) {
          const from = random(server.length + 1);
          const splice: Splice = [from, Math.min(server.length, from + random(4)), "Z"];
          server = spliced(server, [splice]);
          page.receive(++revision, [splice]);
        }
        if (sent && random(2)) {
          // An old revision is refused; one that is up to date is taken.
          if (sent.revision !== revision) page.state.refused();
          else {
            server = spliced(server, (sent as unknown as { splices: Splice[] }).splices);
            page.state.acknowledged(++revision);
          }
          sent = null;
        }
        expect(page.state.local.toString()).toBe(page.shown);
      }
      if (sent) page.state.refused();
      const rest = page.state.next();
      if (rest) server = spliced(server, rest.splices);
      expect(server).toBe(page.shown);
    }
  });

  it("carries places of older revisions on", () => {
    const page = new Page("abcdef");
    page.receive(1, [[0, 0, "12"]]);
    page.receive(2, [[0, 0, "3"]]);
    page.type(0, 0, "!");
    expect(page.state.carried(4, 0)).toBe(8);
    expect(page.state.carried(4, 1)).toBe(6);
    expect(page.state.carried(4)).toBe(5);
  });
});

describe("after a lost connection", () => {
  it("what waits is sent again if the server has the same text", () => {
    const page = new Page("abc");
    page.type(3, 3, "d");
    page.state.next();
    page.type(4, 4, "e");
    expect(page.state.restarted(5, "abc")).toEqual({ differs: false });
    expect(page.state.next()).toEqual({ revision: 5, splices: [[3, 3, "de"]] });
  });

  it("what had arrived is not sent twice", () => {
    const page = new Page("abc");
    page.type(3, 3, "d");
    page.state.next();
    page.type(4, 4, "e");
    expect(page.state.restarted(1, "abcd")).toEqual({ differs: false });
    expect(page.state.next()).toEqual({ revision: 1, splices: [[4, 4, "e"]] });
  });

  it("one change makes the text typed here of another one, and that is told", () => {
    const page = new Page("a: 1\nb: 2\n");
    page.type(3, 4, "7");
    expect(page.state.restarted(9, "a: 1\nb: 5\n")).toEqual({ differs: true });
    expect(page.state.local.toString()).toBe("a: 7\nb: 2\n");
    const next = page.state.next()!;
    expect(next.splices).toHaveLength(1);
    expect(spliced("a: 1\nb: 5\n", next.splices)).toBe("a: 7\nb: 2\n");
  });

  it("without anything typed the server's text is taken", () => {
    const page = new Page("abc");
    expect(page.state.restarted(3, "xyz")).toEqual({ differs: false });
    expect(page.state.local.toString()).toBe("xyz");
    expect(page.state.isSettled).toBe(true);
  });
});

describe("differences", () => {
  it("are the smallest middle that differs", () => {
    expect(difference("abc", "abc")).toBeNull();
    expect(difference("abc", "abXc")).toEqual([2, 2, "X"]);
    expect(difference("aaa", "aa")).toEqual([2, 3, ""]);
    expect(difference("", "x")).toEqual([0, 0, "x"]);
  });

  it("round through change sets, lines and all", () => {
    const splices: Splice[] = [
      [0, 1, "x\ny"],
      [4, 4, "\n"],
    ];
    expect(splicesOf(changesOf(splices, 6))).toEqual(splices);
  });
});
