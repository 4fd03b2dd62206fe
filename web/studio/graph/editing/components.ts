// Own components: a sub-graph of the model saved as a file, which any network below the same folder
// can then take from its palette.
import { askForName } from "../../panes/dialogs";
import type { NetworkEditor } from "./network_editor";

const SUBGRAPHS = "subgraphs.";

/** The sub-graph that is meant: what the selected part is a copy of, else what is drawn in. */
function meant(editor: NetworkEditor): string {
  const sources = editor.selected.map(({ name }) => editor.sourceOf(name));
  const own = [...sources, editor.network].find((source) => source.startsWith(SUBGRAPHS));
  return own?.slice(SUBGRAPHS.length) ?? "";
}

/** Save the sub-graph that is meant into a file below the folder of the studio. */
export async function saveComponent(editor: NetworkEditor): Promise<void> {
  const { studio } = editor;
  const subgraph = meant(editor);
  if (!subgraph)
    return studio.complain(new Error("select a part of this model, or group elements into one"));
  const path = await askForName(`Save ${subgraph} as a component`, `${subgraph}.yaml`);
  if (path === null) return;
  try {
    type Saved = { path: string; reads: string[] };
    const saved = await studio.connection.ask<Saved>("component", { subgraph, path });
    const needs = saved.reads.length ? `; it reads ${saved.reads.join(", ")} of the model` : "";
    const text = `${subgraph} is saved in ${saved.path}, and in the palette${needs}`;
    studio.notice.value = { text, kind: "remark" };
    await editor.refresh(true);
  } catch (error) {
    studio.complain(error);
  }
}
