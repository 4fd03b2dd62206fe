// Commands and their keys; the manual's page of them.
import { describe, expect, it } from "vitest";
import { COMMANDS, keysPage, matching, score, type Choice } from "../../studio/commands";
import { commandOf, keyText } from "../../studio/keys";

const pressed = (key: string, more: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

describe("commands", () => {
  it("have a name of their own, a title and a sentence", () => {
    expect(new Set(COMMANDS.map((c) => c.name)).size).toBe(COMMANDS.length);
    for (const { title, sentence } of COMMANDS) {
      expect(title).toMatch(/^\S.*\S$/);
      expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
    }
  });

  it("have no key twice where both would be heard", () => {
    for (const command of COMMANDS)
      for (const key of command.keys) {
        const rivals = COMMANDS.filter(
          (c) =>
            c !== command &&
            c.keys.includes(key) &&
            (c.context === command.context || c.context === "everywhere"),
        );
        expect(
          rivals.map((c) => c.name),
          `${key} of ${command.name}`,
        ).toEqual([]);
      }
  });

  it("are listed in the manual (npm run keys writes it anew)", async () => {
    await expect(keysPage()).toMatchFileSnapshot("../../../docs/reference/studio-keys.md");
  });
});

describe("keys", () => {
  it("are written as commands write them", () => {
    expect(keyText(pressed("z", { ctrlKey: true }))).toBe("Ctrl+Z");
    expect(keyText(pressed("Z", { metaKey: true, shiftKey: true }))).toBe("Ctrl+Shift+Z");
    expect(keyText(pressed(" "))).toBe("Space");
    expect(keyText(pressed("F8", { shiftKey: true }))).toBe("Shift+F8");
    expect(keyText(pressed("¡", { altKey: true, code: "Digit1" }))).toBe("Alt+1");
  });

  it("mean what the part with the focus means, else what holds everywhere", () => {
    expect(commandOf(pressed("f"), "views")?.name).toBe("fit");
    expect(commandOf(pressed("f"), "text")).toBeUndefined();
    expect(commandOf(pressed("z", { ctrlKey: true }), "text")?.name).toBe("undo");
    expect(commandOf(pressed(" "), "tree")?.name).toBe("tree.select");
    expect(commandOf(pressed("Enter", { ctrlKey: true }), "tree")?.name).toBe("run");
    expect(commandOf(pressed("a"), "tree")?.name).toBe("add");
    expect(commandOf(pressed("Delete"), "views")?.name).toBe("remove");
    expect(commandOf(pressed("Delete"), "text")).toBeUndefined();
    expect(commandOf(pressed("j"), "graph")?.name).toBe("joint");
  });
});

describe("the palette", () => {
  const choice = (title: string, text = ""): Choice => ({
    kind: "element",
    name: title,
    title,
    text,
    keys: [],
  });
  const choices = [
    choice("Split below"),
    choice("coupler", "beam"),
    choice("coupler.tip"),
    choice("C", "revolute"),
  ];
  const titles = (typed: string) => matching(choices, typed).map((c) => c.title);

  it("shows everything before anything is typed", () => {
    expect(titles("")).toHaveLength(4);
    expect(matching(choices, "", 2)).toHaveLength(2);
  });

  it("puts what begins so first, and finds words in any order", () => {
    expect(titles("c")[0]).toBe("C");
    expect(titles("coup")).toEqual(["coupler", "coupler.tip"]);
    expect(titles("below sp")).toEqual(["Split below"]);
    expect(titles("tip")).toEqual(["coupler.tip"]);
    expect(titles("nothing")).toEqual([]);
  });

  it("looks at what an element is after its name", () => {
    expect(titles("revolute")).toEqual(["C"]);
    expect(score("coupler", "beam")).toBeNull();
  });
});
