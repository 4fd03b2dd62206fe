// What the equations' pane asks for and copies.
import { expect, it } from "vitest";
import { asked } from "../../studio/equations/choices";
import { latexOf } from "../../studio/equations/copying";
import type { EquationsData } from "../../studio/equations/data";

it("asks only for what was chosen, orders as numbers", () => {
  expect(asked({ formulation: "", form: "", tree: "", truncate: "" })).toEqual({});
  expect(asked({ formulation: "lagrange", form: "", tree: "joint", truncate: "0" })).toEqual({
    formulation: "lagrange",
    tree: "joint",
    truncate: 0,
  });
});

it("copies every row as a display under the title of its section", () => {
  const row = { label: "O", owner: "O", mathml: "", latex: "0 = m \\ddot{q}" };
  const data = {
    heading: ["pendulum: recursive"],
    sections: [{ title: "Equations of motion", rows: [row] }],
  } as unknown as EquationsData;
  expect(latexOf(data)).toBe(
    "% pendulum: recursive\n\n% Equations of motion\n\\[\n  0 = m \\ddot{q}\n\\]\n",
  );
});
