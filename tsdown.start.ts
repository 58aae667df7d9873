import { defineConfig } from "tsdown"

/**
 * The server as one file, which `pnpm start` makes and runs: it starts sooner than from source, and in half the memory,
 * since nothing of its types or of unused code is loaded.
 */
export default defineConfig({
  entry: {
    server: "apps/server/src/main.ts",
    checkpointThread: "packages/storage-sqlite/src/engine/checkpointThread.ts",
  },
  outDir: "dist",
  format: "esm",
  platform: "node",
  target: "node26",
  deps: { alwaysBundle: /./, onlyBundle: false },
  // The Kafka client reads a .wasm file beside its module. This variant has the file's content in the module.
  alias: { "@platformatic/wasm-utils": "@platformatic/wasm-utils/bundled" },
  outputOptions: { chunkFileNames: "[name].js" },
  fixedExtension: false,
  clean: false,
  report: false,
})
