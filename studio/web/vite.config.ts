import { defineConfig } from "vite";

import { licences } from "./licences.mjs";

export default defineConfig({
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [licences()],
  build: {
    outDir: "../../src/bielle/studio/static",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 2000, // three is most of it, and it is needed at once
  },
  server: { proxy: { "/live": { target: "ws://127.0.0.1:8765", ws: true }, "/open": "http://127.0.0.1:8765", "/download": "http://127.0.0.1:8765" } },
});
