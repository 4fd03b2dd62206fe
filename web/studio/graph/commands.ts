// What the graphs can do by name.
import type { Command } from "../command";

export const GRAPH_COMMANDS: readonly Command[] = [];
