// What minifiers leave of three.js although no page needs it: blanks of its shaders, which are texts,
// what they do for textures and materials that no page has, and classes of key-frame animation, held by
// statements about them.
import type { Plugin } from "vite";

const TEXT = /"(?:[^"\\\n]|\\.)*"/g;
/** Signs beside which a blank separates nothing; not in lines of the preprocessor, where it may. */
const BESIDE = /\s*([(){},;=*/<>?:&|!+])\s*/g;

function shorter(line: string): string {
  const plain = line.replaceAll("\\t", " ").trim();
  return plain.startsWith("#") ? plain : plain.replace(/\/\/.*$/, "").replace(BESIDE, "$1");
}

/** Defined by textures (but for shadows), and by materials and geometries that nothing is made of. */
const NEVER =
  /^USE_(?!SHADOWMAP$)(\w*MAP|\w*MAP_\w+SPACE|CLEARCOAT|SHEEN|IRIDESCENCE|ANISOTROPY|TRANSMISSION|DISPERSION|RETROREFLECTION|DIFFUSE_ROUGHNESS|ALPHAHASH|BATCHING|BATCHING_COLOR|SKINNING|MORPH\w+|INSTANCING_MORPH|TANGENT|FOG|LOGARITHMIC_DEPTH_BUFFER|REVERSED_DEPTH_BUFFER)$/;
const OPENS = /^#if(n?)(?:def\s+(\w+)|\s+defined\(\s*(\w+)\s*\))$/;

/** Lines of a shader without what stands under conditions that never hold. */
export function withoutNever(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => NEVER.test(OPENS.exec(line)?.slice(2).join("") ?? ""));
  if (start < 0) return lines;
  let depth = 1;
  let other = -1;
  let end = start + 1;
  for (; end < lines.length; end++) {
    if (lines[end].startsWith("#if")) depth++;
    else if (lines[end].startsWith("#endif") && --depth === 0) break;
    else if (depth === 1 && lines[end].startsWith("#el")) {
      if (lines[end] !== "#else" || other >= 0)
        return [...lines.slice(0, end), ...rest(lines, end)];
      other = end;
    }
  }
  if (end === lines.length) return lines;
  const split = other < 0 ? end : other;
  const isNegated = OPENS.exec(lines[start])![1] === "n";
  const kept = isNegated ? lines.slice(start + 1, split) : lines.slice(split + 1, end);
  return [...lines.slice(0, start), ...withoutNever([...kept, ...lines.slice(end + 1)])];
}

/** What comes behind a condition of several cases, which stays as it is. */
const rest = (lines: readonly string[], from: number) => [
  lines[from],
  ...withoutNever(lines.slice(from + 1)),
];

/** A shader within quotes, as it stands in a script. */
export function shorterShader(text: string): string {
  const isShader = text.length > 60 && text.includes("\\n") && !text.includes("\\\\");
  if (!isShader) return text;
  const lines = text.slice(1, -1).split("\\n").map(shorter);
  return `"${withoutNever(lines.filter(Boolean)).join("\\n")}"`;
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
