// The script and the style of the studio, written beside the server that hands them out.
import { readFileSync } from "node:fs";
import { defineConfig } from "vite";
import { leanThree } from "./lean_three";

const notices = ["three", "preact", "@preact/signals", "@codemirror/state"].map(
  (name) => `${name}:\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}`,
);

export default defineConfig({
  plugins: [leanThree()],
  build: {
    outDir: "../src/pliant/studio/page",
    emptyOutDir: false,
    target: "es2022",
    lib: {
      entry: "studio/main.tsx",
      formats: ["iife"],
      name: "pliantStudio",
      fileName: () => "studio.js",
      cssFileName: "studio",
    },
    rolldownOptions: {
      output: { postBanner: `/*! Pliant, Apache-2.0. Contains:\n${notices.join("\n")}\n*/` },
    },
  },
});
