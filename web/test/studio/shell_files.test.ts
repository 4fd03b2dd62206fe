// Files: what is listed to open, names of new models, what another document takes away.
import { beforeEach, describe, expect, it } from "vitest";
import type { Connection } from "../../studio/connection";
import { matching } from "../../studio/commands";
import { freeName, modelChoices, startsOf } from "../../studio/panes/naming";
import type { DocumentData } from "../../studio/protocol";
import { isOther, Studio } from "../../studio/studio";

const document = (path: string, revision: number): DocumentData => ({
  ...{ path, revision, name: path, text: "", format: "yaml", saved: true, readOnly: false },
  ...{ canUndo: false, canRedo: false },
});

describe("models to open", () => {
  const models = ["crank.yaml", "press/crank.yaml", "press/slider.json"];

  it("are listed by name with their folder, without the one that is open", () => {
    const [first, second] = modelChoices(models, "crank.yaml");
    expect(first).toMatchObject({ name: "press/crank.yaml", title: "crank.yaml", text: "press/" });
    expect(second.name).toBe("press/slider.json");
  });

  it("are found by name and by folder", () => {
    const found = (typed: string) =>
      matching(modelChoices(models, ""), typed).map(({ name }) => name);
    expect(found("sli")).toEqual(["press/slider.json"]);
    expect(found("press cr")).toEqual(["press/crank.yaml"]);
  });
});

describe("a new model", () => {
  it("gets a name that none has", () => {
    expect(freeName([])).toBe("model.yaml");
    expect(freeName(["model.yaml", "model2.yaml"])).toBe("model3.yaml");
  });

  it("begins with a template or an example", () => {
    const files = { models: [], results: [], templates: { empty: "Nothing." }, examples: {} };
    expect(startsOf(files)).toEqual([{ label: "Templates", starts: ["empty"] }]);
  });
});

describe("another document", () => {
  const listeners = new Map<string, (message: object) => void>();
  const told: object[] = [];
  const line = {
    on: (type: string, listener: (message: object) => void) => listeners.set(type, listener),
    tell: (type: string, content: object) => told.push({ type, ...content }),
  };
  let studio: Studio;
  const push = (type: string, message: object) => listeners.get(type)!(message);

  beforeEach(() => {
    told.length = 0;
    studio = new Studio(line as unknown as Connection);
    push("document", document("a.yaml", 3));
    studio.selection.value = new Set(["crank"]);
    studio.hovered.value = "crank";
    studio.overrides.value = { h: "12 mm" };
    push("faults", { revision: 3, faults: [], remarks: ["odd"], unreadable: true });
    push("outline", { data: { revision: 3, sections: [] } });
  });

  it("is one with another path and another revision", () => {
    const before = document("a.yaml", 3);
    expect(isOther(before, document("b.yaml", 4))).toBe(true);
    expect(isOther(before, document("b.yaml", 3))).toBe(false);
    expect(isOther(before, document("a.yaml", 9))).toBe(false);
  });

  it("takes away what was selected, changed by sliders and found", () => {
    push("document", document("b.yaml", 4));
    expect(studio.others.value).toBe(1);
    expect(studio.selection.value.size).toBe(0);
    expect(studio.hovered.value).toBeNull();
    expect(studio.overrides.value).toEqual({});
    expect(studio.outline.value).toBeNull();
    expect(studio.faults.value.unreadable).toBe(false);
    expect(told).toEqual([{ type: "select", names: [] }]);
  });

  it("is not the same one under another name, nor after a pause", () => {
    push("document", document("b.yaml", 3));
    push("document", document("b.yaml", 7));
    expect(studio.others.value).toBe(0);
    expect([...studio.selection.value]).toEqual(["crank"]);
    expect(studio.overrides.value).toEqual({ h: "12 mm" });
  });

  it("is checked when its faults are those of its revision", async () => {
    let isChecked = false;
    push("document", document("b.yaml", 4));
    const done = studio.checked().then(() => (isChecked = true));
    push("faults", { revision: 3, faults: [], remarks: [], unreadable: false });
    await Promise.resolve();
    expect(isChecked).toBe(false);
    push("faults", { revision: 4, faults: [], remarks: [], unreadable: false });
    await done;
    expect(isChecked).toBe(true);
  });
});
