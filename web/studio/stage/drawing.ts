// Small questions about what is to be drawn.
import type { SceneData } from "../../src/data/types";
import { h } from "../../src/ui/dom";
import type { OutlineData } from "../protocol";

/** Whether the processor draws: then shadows and smooth edges cost more than all else. */
export function drawnBySoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const info = context?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? `${context!.getParameter(info.UNMASKED_RENDERER_WEBGL)}` : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

const keys = new WeakMap<SceneData, string>();

export function sceneKey(scene: SceneData): string {
  const known = keys.get(scene) ?? JSON.stringify(scene);
  keys.set(scene, known);
  return known;
}

export function failureText(failure: unknown): string {
  if (typeof failure === "string") return failure;
  const { what, cure } = failure as { what?: string; cure?: string };
  return [what, cure].filter(Boolean).join("; ");
}

/** Whether there is no body yet. */
export function isBare(outline: OutlineData | null): boolean {
  return (
    outline !== null && !outline.sections.some((s) => s.section === "bodies" && s.items.length)
  );
}

/** Whether all there is are networks. */
export function isNetwork(outline: OutlineData | null): boolean {
  const has = (name: string) =>
    outline?.sections.some((s) => s.section === name && s.items.length > 0) ?? false;
  return isBare(outline) && has("networks");
}

/** How to begin, over a ground with nothing on it. */
export function beginning(add: () => void): HTMLElement {
  return h(
    "div",
    { class: "stage-hint", hidden: true },
    h("p", {}, "Nothing here yet but the ground."),
    h("button", { type: "button", class: "first", click: add }, "Add a body"),
    h("p", { class: "muted" }, "or press ", h("kbd", {}, "A"), " on the stage"),
  );
}
