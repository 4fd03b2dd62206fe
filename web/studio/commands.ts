// Everything the studio can do by name: what the palette lists, keys call and the manual prints.
// Plain data: who carries a command out is said where the parts are put together (main.tsx).
import { type Command, command, type Context } from "./command";
import { GRAPH_COMMANDS } from "./graph/commands";
import { STAGE_COMMANDS } from "./stage/commands";

export type { Command, Condition, Context } from "./command";

const FILE: readonly Command[] = [
  command("open", "Open…", "List the models below the folder of the studio, to open one.", {
    keys: ["Ctrl+O"],
    when: "connected",
  }),
  command("new", "New…", "Begin a model under a name, from a template or an example.", {
    when: "writable",
  }),
  command("undo", "Undo", "Take back the last change, whichever view made it.", {
    keys: ["Ctrl+Z"],
    when: "undoable",
  }),
  command("redo", "Redo", "Do again what was taken back.", {
    keys: ["Ctrl+Shift+Z", "Ctrl+Y"],
    when: "redoable",
  }),
  command("save", "Save", "Write the model into its file.", {
    keys: ["Ctrl+S"],
    when: "writable",
  }),
  command("save.as", "Save as…", "Write the model into another file, which becomes its own.", {
    keys: ["Ctrl+Shift+S"],
    when: "writable",
  }),
];

const WORK: readonly Command[] = [
  command("find", "Find or do", "List elements and commands, narrowed by typing.", {
    keys: ["Ctrl+K"],
  }),
  command("run", "Run", "Start the analysis that the run button names.", {
    keys: ["Ctrl+Enter"],
    when: "connected",
  }),
  command("stop", "Stop or leave", "Stop the run; without one, select nothing.", {
    keys: ["Escape"],
  }),
  command("play", "Play or pause", "Let the time shown run, or hold it.", {
    keys: ["Space"],
    context: "views",
  }),
  command("fault.next", "Next fault", "Go to the next fault: its text and its element.", {
    keys: ["F8"],
    when: "faulty",
  }),
  command("fault.previous", "Previous fault", "Go to the fault before.", {
    keys: ["Shift+F8"],
    when: "faulty",
  }),
  command("faults", "Show or hide faults", "Open or close the list of faults.", {}),
];

/** A command that changes the model. */
const edits = (name: string, title: string, keys: string[], sentence: string): Command =>
  command(name, title, sentence, { keys, context: "views", when: "writable" });
/** One that changes what is selected. */
const changes = (name: string, title: string, keys: string[], sentence: string): Command =>
  command(name, title, sentence, { keys, context: "views", when: "editable" });

const EDIT: readonly Command[] = [
  edits("add", "Add…", ["A"], "Add anything: a list of what there is, narrowed by typing."),
  edits("joint", "Joint…", ["J"], "Join two frames, which are chosen by typing."),
  edits("bond", "Bond…", ["B"], "Bond what is selected to something else, chosen by typing."),
  edits("frame", "Add a frame…", [], "Add a frame to a body or to the ground."),
  edits("parameter", "Define a parameter…", [], "Give a name to a number or a formula."),
  edits("network", "New network…", [], "Add a network to draw a bond graph in."),
  changes(
    "rename",
    "Rename",
    ["F2"],
    "Give it another name; everything that refers to it follows.",
  ),
  changes("remove", "Remove", ["Delete"], "Remove it, with what cannot be without it."),
  changes("duplicate", "Duplicate", ["Ctrl+D"], "Make it twice, under a new name."),
  command("copy", "Copy", "Put it on the clipboard, as text of the file.", {
    keys: ["Ctrl+C"],
    context: "views",
    when: "selected",
  }),
  changes("cut", "Cut", ["Ctrl+X"], "Put it on the clipboard and remove it."),
  command("paste", "Paste", "Add copies of what is on the clipboard, under new names.", {
    keys: ["Ctrl+V"],
    context: "views",
    when: "writable",
    own: true,
  }),
  changes("kind", "Change its kind…", [], "Make another kind of it; fields of the same name stay."),
  command("inspect", "Its fields", "Move the focus to the fields of what is selected.", {
    keys: ["Alt+Enter"],
    when: "selected",
  }),
  changes(
    "field",
    "Set a field…",
    ["E"],
    "Choose a field of what is selected, then type its value.",
  ),
  edits("settings", "Set a setting of the run…", [], "Choose a setting, then type its value."),
  edits("plots.keep", "Keep these plots in the file", [], "The next window shows them at once."),
  edits("end", "End of the run…", [], "Say in the file until when a run goes."),
];

const HELP: readonly Command[] = [
  command("start", "Templates and examples", "Show what a new model can begin with.", {
    when: "connected",
  }),
  command("tour", "Tour", "Show the parts of the window, one after the other.", {}),
];

const VIEW: readonly Command[] = [
  command("fit", "Fit", "Show all of the active pane's picture.", {
    keys: ["F"],
    context: "views",
  }),
  command("reveal", "Reveal selection", "Bring what is selected into sight in every pane.", {
    keys: ["Ctrl+E"],
    when: "selected",
  }),
  command("pane.next", "Next pane", "Move the focus to the next part of the window.", {
    keys: ["F6"],
  }),
  command("pane.previous", "Previous pane", "Move the focus to the part before.", {
    keys: ["Shift+F6"],
  }),
  command("pane.right", "Split right", "Put a second pane at the right of the active one.", {}),
  command("pane.below", "Split below", "Put a second pane below the active one.", {}),
  command("pane.close", "Close pane", "Close the active pane.", {}),
  command(
    "pane.window",
    "Pane in a window of its own",
    "Open the active pane in a new window.",
    {},
  ),
  command("preset.model", "Layout: Model", "3-D and text side by side.", { keys: ["Alt+1"] }),
  command("preset.graph", "Layout: Graph", "Bond graph, 3-D and equations.", { keys: ["Alt+2"] }),
  command("preset.text", "Layout: Text", "Text alone, wide.", { keys: ["Alt+3"] }),
  command("preset.results", "Layout: Results", "Results, 3-D and bond graph.", { keys: ["Alt+4"] }),
  command("tree", "Show or hide the tree", "Open or close the tree at the left.", {
    keys: ["Ctrl+B"],
  }),
  command("inspector", "Show or hide the inspector", "Open or close the inspector at the right.", {
    keys: ["Ctrl+I"],
  }),
];

const TREE: readonly Command[] = [
  command("tree.down", "Tree: down", "Go to the next item.", {
    keys: ["ArrowDown"],
    context: "tree",
    own: true,
  }),
  command("tree.up", "Tree: up", "Go to the item before.", {
    keys: ["ArrowUp"],
    context: "tree",
    own: true,
  }),
  command("tree.open", "Tree: unfold", "Unfold an item, or go to its first child.", {
    keys: ["ArrowRight"],
    context: "tree",
    own: true,
  }),
  command("tree.close", "Tree: fold", "Fold an item, or go to its parent.", {
    keys: ["ArrowLeft"],
    context: "tree",
    own: true,
  }),
  command("tree.select", "Tree: select", "Select the item; with Ctrl add it or take it away.", {
    keys: ["Enter", "Space"],
    context: "tree",
    own: true,
  }),
  command("tree.pin", "Tree: pin", "Make a slider of a number, or take it away.", {
    keys: ["P"],
    context: "tree",
    own: true,
  }),
];

const TEXT: readonly Command[] = [
  command("text.complete", "Text: complete", "List what may stand at the caret.", {
    keys: ["Ctrl+Space"],
    context: "text",
    own: true,
  }),
  command("text.search", "Text: search", "Search and replace in the text.", {
    keys: ["Ctrl+F"],
    context: "text",
    own: true,
  }),
  command("text.fold", "Text: fold", "Fold the entry that the caret stands in.", {
    keys: ["Ctrl+Shift+["],
    context: "text",
    own: true,
  }),
  command("text.unfold", "Text: unfold", "Unfold it.", {
    keys: ["Ctrl+Shift+]"],
    context: "text",
    own: true,
  }),
];

export const COMMANDS: readonly Command[] = [
  ...FILE,
  ...WORK,
  ...EDIT,
  ...VIEW,
  ...STAGE_COMMANDS,
  ...GRAPH_COMMANDS,
  ...TREE,
  ...TEXT,
  ...HELP,
];

const CONTEXTS: Record<Context, string> = {
  everywhere: "Everywhere",
  views: "In the tree, and in panes other than the text",
  graph: "On the canvas of a graph",
  linear: "On the canvas of the linear graph",
  tree: "In the tree alone",
  text: "In the text",
};

/** The manual's page of keys, as Markdown. */
export function keysPage(commands: readonly Command[] = COMMANDS): string {
  const parts = (Object.keys(CONTEXTS) as Context[]).map((context) => {
    const rows = commands
      .filter((c) => c.context === context)
      .map((c) => `| ${c.title} | ${c.keys.map((k) => `\`${k}\``).join(", ")} | ${c.sentence} |`);
    return [`## ${CONTEXTS[context]}`, "", "| command | keys | what it does |", "|---|---|---|"]
      .concat(rows)
      .join("\n");
  });
  return `# Keys of the studio

Everything the studio does is a command. \`Ctrl+K\` lists commands and elements; typing narrows the
list, Enter takes the first. On a Mac the command key stands for Ctrl. This page is made from the
list of commands: \`npm run keys\`.

${parts.join("\n\n")}
`;
}

export interface Choice {
  readonly kind: "command" | "element" | "file" | "answer" | "typed";
  /** Of the command or the element; path of the file; what an answer is sent as. */
  readonly name: string;
  readonly title: string;
  /** What it is, shown beside it. */
  readonly text: string;
  readonly keys: readonly string[];
}

/** How well typed text fits a title; null: not at all. All words must occur, beginnings are better,
 *  and the title itself is best. */
export function score(title: string, typed: string): number | null {
  const text = title.toLowerCase();
  if (title === typed.trim()) return -1;
  let total = 0;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const at = text.indexOf(word);
    if (at < 0) return null;
    const isStart = at === 0 || !/[a-z0-9]/.test(text[at - 1]);
    total += (isStart ? 0 : 20) + at * 0.1;
  }
  return total + text.length * 0.01;
}

/** The best choices for typed text, best first; without text as they are given. */
export function matching(choices: readonly Choice[], typed: string, most = 60): Choice[] {
  if (!typed.trim()) return choices.slice(0, most);
  const found: { choice: Choice; value: number }[] = [];
  for (const choice of choices) {
    const own = score(choice.title, typed);
    const wide = own ?? score(`${choice.title} ${choice.text}`, typed);
    if (wide !== null) found.push({ choice, value: own === null ? wide + 100 : wide });
  }
  found.sort((a, b) => a.value - b.value);
  return found.slice(0, most).map(({ choice }) => choice);
}
