// The script of the page of a sweep: no 3-D view, hence without three.js.
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    outDir: "../src/pliant/show/page",
    emptyOutDir: false,
    target: "es2022",
    lib: {
      entry: "src/sweeps/main.ts",
      formats: ["iife"],
      name: "pliantSweep",
      fileName: () => "sweep.js",
    },
    rolldownOptions: { output: { postBanner: "/*! Pliant, Apache-2.0. */" } },
  },
});
