// What the tour says, part by part: about a minute to read.

export interface Step {
  /** The part that it points at; the window itself if there is none. */
  readonly at: string;
  readonly title: string;
  readonly text: string;
}

export const STEPS: readonly Step[] = [
  {
    at: "",
    title: "One model, seen in many ways",
    text: "Everything here is the model file: a change in any view changes its text, and all other views follow. Nothing is lost: every change can be undone, also after a crash.",
  },
  {
    at: ".side.left",
    title: "The tree",
    text: "All elements and parameters. A click selects one in every view; F2 renames it, Delete removes it, Enter changes a value where it stands.",
  },
  {
    at: ".desk",
    title: "The views",
    text: "3-D, bond graph, linear graph, text, equations, results. Choose what a pane shows by its title, and split it by the signs at its right.",
  },
  {
    at: ".side.right",
    title: "The inspector",
    text: "The fields of what is selected: numbers with units, or formulas. Faults are said where they are, often with a button that cures them.",
  },
  {
    at: ".run-controls",
    title: "Run",
    text: "Ctrl+Enter runs the model: the mechanism moves and curves grow while it computes. The arrow offers statics, modes, verification and more.",
  },
  {
    at: ".find",
    title: "Everything by name",
    text: "Ctrl+K finds elements and commands, and shows their keys. A adds anything by typing, J makes a joint, B a bond.",
  },
];
