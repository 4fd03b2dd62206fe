// What the 3-D view can do by name.
import type { Command } from "../command";

export const STAGE_COMMANDS: readonly Command[] = [];
