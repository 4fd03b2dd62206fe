// What the 3-D view can do by name.
import { command, type Command } from "../command";

export const STAGE_COMMANDS: readonly Command[] = [
  command(
    "stage.start",
    "3-D: show the start",
    "Show the assembled start in place of the run.",
    {},
  ),
  command(
    "stage.modes",
    "3-D: play modes",
    "Play the mode shapes of the model with the selected flexible body, or end that.",
    { when: "selected" },
  ),
];
