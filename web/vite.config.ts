// One script with everything in it, written beside the Python code that embeds it.
import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { leanThree } from "./lean_three";

const notice = readFileSync("node_modules/three/LICENSE", "utf8").trim();

export default defineConfig({
  plugins: [leanThree()],
  build: {
    outDir: "../src/pliant/show/page",
    emptyOutDir: false,
    target: "es2022",
    lib: { entry: "src/main.ts", formats: ["iife"], name: "pliantPage", fileName: () => "page.js" },
    rolldownOptions: {
      output: { postBanner: `/*! Pliant, Apache-2.0. Contains three.js:\n${notice}\n*/` },
    },
  },
  test: { include: ["test/**/*.test.ts"] },
});
