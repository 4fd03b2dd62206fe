import { describe, expect, it } from "vitest";
import { fitting } from "../../studio/inspector/completion";
import {
  changeOf,
  entries,
  everyField,
  type FieldData,
  isMain,
  listed,
  partChange,
} from "../../studio/inspector/form";

const FIELD: FieldData = {
  ...{ name: "com", label: "com", about: "", unit: "m", input: "vector", value: "" },
  ...{ default: "[0, 0, 0]", given: false, required: false, path: ["bodies", "a", "rigid", "com"] },
  ...{ typed: true, faults: [], span: null },
};
const part = (k: number, value: string) => ({
  ...{ label: "xyz"[k], input: "number" as const, path: [...FIELD.path, `${k}`], value },
  ...{ unit: "m", typed: true },
});

describe("what leaving a field asks for", () => {
  it("types what is read as the file would be", () => {
    expect(changeOf({ path: ["a", "b"], typed: true }, "12 mm")).toEqual({
      operation: "element.type",
      arguments: { path: ["a", "b"], text: "12 mm" },
    });
  });
  it("sets words as they are", () => {
    expect(changeOf({ path: ["a"], typed: false }, " crank.A ")).toEqual({
      operation: "element.set",
      arguments: { path: ["a"], value: "crank.A" },
    });
  });
  it("takes away what is empty", () => {
    expect(changeOf({ path: ["a"], typed: true }, " ").operation).toBe("element.unset");
  });
});

describe("entries of lists", () => {
  it("writes all of a list that is not there", () => {
    const field = { ...FIELD, parts: [part(0, ""), part(1, ""), part(2, "")] };
    expect(partChange(field, 1, "L/2").arguments).toEqual({
      path: FIELD.path,
      text: "[0, L/2, 0]",
    });
  });
  it("writes one entry of a list that is there; an empty one is zero", () => {
    const field = { ...FIELD, given: true, parts: [part(0, "1"), part(1, "2"), part(2, "3")] };
    expect(partChange(field, 2, "max(a, 1)").arguments).toEqual({
      path: [...FIELD.path, "2"],
      text: "max(a, 1)",
    });
    expect(partChange(field, 2, "").arguments).toEqual({ path: [...FIELD.path, "2"], text: "0" });
  });
  it("quotes what would end an entry", () => {
    expect(listed(["1", "max(a, 1)", "2 m"])).toBe('[1, "max(a, 1)", 2 m]');
    expect(entries("[0, 1, 0]")).toEqual(["0", "1", "0"]);
    expect(entries("x")).toEqual([]);
  });
});

describe("which fields are shown", () => {
  it("shows what is given, needed, or has a default", () => {
    expect(isMain(FIELD)).toBe(true);
    expect(isMain({ ...FIELD, default: "" })).toBe(false);
    expect(isMain({ ...FIELD, default: "", required: true })).toBe(true);
  });
  it("finds fields within fields", () => {
    const nested = { ...FIELD, fields: [FIELD], others: [FIELD] };
    expect([...everyField([nested])]).toHaveLength(3);
  });
});

it("offers first what begins with what is typed", () => {
  const options = ["beam.tip", "tip", "top"].map((label) => ({
    ...{ label, type: "", detail: "", apply: label },
  }));
  expect(fitting(options, "tip").map(({ label }) => label)).toEqual(["tip", "beam.tip"]);
});
