// What minifiers leave of three.js although no page needs it: blanks of its shaders, which are texts,
// and classes of key-frame animation, held by statements about them.
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

const ANIMATION = /^(?:\w*KeyframeTrack|PropertyBinding)\.[\w.]+ = [^;]*;$/gm;

/** A script without the statements that hold classes of key-frame animation. */
export function withoutAnimation(code: string): string {
  return code.replace(ANIMATION, "");
}

export function leanThree(): Plugin {
  return {
    name: "lean-three",
    transform(code, id) {
      if (id.endsWith("three.module.js"))
        return { code: code.replace(TEXT, shorterShader), map: null };
      return id.endsWith("three.core.js") ? { code: withoutAnimation(code), map: null } : null;
    },
  };
}
