// Names of files: how they are listed, what a new one is called, what it can begin with.
import type { Choice } from "../commands";
import type { FilesData } from "../protocol";

/** Models to open: the name first, the folder beside it; the one that is open is left out. */
export function modelChoices(models: readonly string[], now: string): Choice[] {
  return models
    .filter((path) => path !== now)
    .map((path) => {
      const at = path.lastIndexOf("/") + 1;
      return {
        kind: "file",
        name: path,
        title: path.slice(at),
        text: path.slice(0, at),
        keys: [],
      };
    });
}

/** A name that no model has yet. */
export function freeName(models: readonly string[], like = "model"): string {
  const known = new Set(models);
  let name = `${like}.yaml`;
  for (let k = 2; known.has(name); k++) name = `${like}${k}.yaml`;
  return name;
}

/** What a new model can begin with, in groups. */
export function startsOf({
  templates,
  examples,
}: FilesData): { label: string; starts: string[] }[] {
  return [
    { label: "Templates", starts: Object.keys(templates) },
    { label: "Examples", starts: Object.keys(examples) },
  ].filter(({ starts }) => starts.length > 0);
}
