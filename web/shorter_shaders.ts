// Shaders of three.js are texts, which minifiers leave as they are: blanks that mean nothing go.
import type { Plugin } from "vite";

const TEXT = /"(?:[^"\\\n]|\\.)*"/g;
/** Signs beside which a blank separates nothing; not in lines of the preprocessor, where it may. */
const BESIDE = /\s*([(){},;=*/<>?:&|!+])\s*/g;

function shorter(line: string): string {
  const plain = line.replaceAll("\\t", " ").trim();
  return plain.startsWith("#") ? plain : plain.replace(/\/\/.*$/, "").replace(BESIDE, "$1");
}

/** A shader within quotes, as it stands in a script. */
export function shorterShader(text: string): string {
  const isShader = text.length > 60 && text.includes("\\n") && !text.includes("\\\\");
  if (!isShader) return text;
  const lines = text.slice(1, -1).split("\\n").map(shorter);
  return `"${lines.filter(Boolean).join("\\n")}"`;
}

export function shorterShaders(): Plugin {
  return {
    name: "shorter-shaders",
    transform: (code, id) =>
      id.endsWith("three.module.js")
        ? { code: code.replace(TEXT, shorterShader), map: null }
        : null,
  };
}
