// Commands of the graphs: how one goes about in them, and how networks are drawn.
import type { Command, Context } from "../command";

type Said = Partial<Pick<Command, "keys" | "when" | "context" | "own">>;

function command(name: string, title: string, sentence: string, said: Said = {}): Command {
  const context: Context = "graph";
  return { name, title, sentence, keys: [], context, when: "always", own: true, ...said };
}

/** A key of the canvas, which it handles by itself. */
const walking = (name: string, title: string, keys: string[], sentence: string): Command =>
  command(`graph.${name}`, `Graph: ${title}`, sentence, { keys });

const WALKING: readonly Command[] = [
  walking(
    "walk",
    "walk",
    ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
    "Go to the element in that direction, along a bond if there is one; from a bond to its end.",
  ),
  walking("next", "next element", ["N"], "Go to the next element in the order of reading."),
  walking("previous", "element before", ["Shift+N"], "Go to the element before."),
  walking("first", "first element", ["Home"], "Go to the first element."),
  walking(
    "line",
    "next bond",
    ["."],
    "Go to the next bond or edge at the element; Backspace goes back to the element.",
  ),
  walking("line.previous", "bond before", [","], "Go to the bond or edge before."),
  walking("out", "out of a box", ["PageUp"], "Go to the box around the element."),
  walking("in", "into a box", ["PageDown"], "Go to the first element in the box."),
  walking("select", "select", ["Enter"], "Select the element; with Shift add it or take it away."),
  walking("fold", "fold or unfold", ["H"], "Fold or unfold the box."),
  walking("open", "open a box", ["O"], "Show one box or part alone."),
  walking("back", "back", ["Backspace"], "Go back to the whole."),
  walking(
    "pan",
    "move the drawing",
    ["Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"],
    "Move the drawing.",
  ),
  walking("zoom", "larger or smaller", ["+", "-"], "Zoom."),
];

/** Something that changes the model; the active pane does it. */
const drawing = (name: string, title: string, keys: string[], sentence: string): Command =>
  command(name, title, sentence, { keys, when: "writable" });

const DRAWING: readonly Command[] = [
  drawing(
    "graph.type",
    "Network: add by typing",
    ["0", "1", "S", "R", "I", "C", "T", "M"],
    "Begin to type what is added: R, or R:ra 0.4 ohm. Letters that are no other key do so; A lists everything.",
  ),
  drawing(
    "graph.value",
    "Network: change the value",
    [],
    "Type the value of what is selected, upon it; Enter on what is selected does so too.",
  ),
  drawing("graph.group", "Network: group", ["G"], "Make a part with ports of what is selected."),
  drawing(
    "graph.ungroup",
    "Network: ungroup",
    ["Shift+G"],
    "Put the elements of a part in its place.",
  ),
  drawing(
    "graph.component",
    "Network: save as component…",
    [],
    "Save the sub-graph of the selected part, or the one that is drawn in, as a file that other networks can use.",
  ),
  drawing("graph.flip", "Network: flip the bond", ["X"], "Turn the half arrow of a bond round."),
  drawing(
    "graph.stroke",
    "Network: force the stroke",
    ["K"],
    "Want the causal stroke at the other end of a bond; once more: leave it free.",
  ),
  drawing("graph.tidy", "Graph: tidy", ["Y"], "Give all places back to the automatic layout."),
  drawing("graph.all", "Network: select all", ["Ctrl+A"], "Select everything in the network."),
  drawing(
    "graph.move",
    "Network: move",
    ["Alt+ArrowLeft", "Alt+ArrowRight", "Alt+ArrowUp", "Alt+ArrowDown"],
    "Move what is selected by one unit of the grid.",
  ),
  {
    ...drawing(
      "graph.tree",
      "Linear graph: tree or cotree",
      ["T"],
      "Move the edge between tree and cotree, with the coordinates and constraints that gives.",
    ),
    context: "linear",
  },
];

export const GRAPH_COMMANDS: readonly Command[] = [...WALKING, ...DRAWING];
