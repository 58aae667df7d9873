import { join } from "node:path"
import { defineConfig } from "tsdown"
import { loadedModules } from "./loadedModules.ts"

/**
 * Bundles the server into one file, which `pnpm start` makes and runs. The bundle starts sooner than the sources and
 * needs half the memory, because no types and no unused code are loaded.
 */
export default defineConfig({
  cwd: join(import.meta.dirname, "../.."),
  entry: {
    server: "apps/server/src/main.ts",
    ...loadedModules,
  },
  outDir: "dist",
  format: "esm",
  platform: "node",
  target: "node26",
  deps: { alwaysBundle: /./, onlyBundle: false },
  // The Kafka client reads a .wasm file beside its module. The alias selects a variant with the file's content in the
  // module.
  alias: { "@platformatic/wasm-utils": "@platformatic/wasm-utils/bundled" },
  outputOptions: { chunkFileNames: "[name].js" },
  // Otherwise the first start on a busy machine shows advice about the build.
  checks: { pluginTimings: false },
  fixedExtension: false,
  clean: false,
  report: false,
})
