// LaTeX for the clipboard.
import type { EquationsData } from "./data";

/** All rows, each a display of its own, under the titles of their sections. */
export function latexOf({ heading, sections }: EquationsData): string {
  const parts = heading.map((line) => `% ${line}`);
  for (const { title, rows } of sections) {
    if (title) parts.push("", `% ${title}`);
    for (const { latex } of rows) parts.push("\\[", `  ${latex}`, "\\]");
  }
  return parts.join("\n") + "\n";
}

/** Put a text on the clipboard; whether that was possible. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

/** Where the page may not write to the clipboard: as if the user had selected and copied. */
function copiedBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "equations-clipboard";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
