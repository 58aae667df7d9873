import { join } from "node:path"
import { defineConfig } from "tsdown"
import { loadedModules } from "./loadedModules.ts"

/** The `inlet` command as a bundle without node_modules, for container images. */
export default defineConfig({
  cwd: join(import.meta.dirname, "../.."),
  entry: {
    inlet: "apps/cli/src/main.ts",
    ...loadedModules,
  },
  outDir: "dist/image",
  format: "esm",
  platform: "node",
  target: "node26",
  deps: { alwaysBundle: /./, onlyBundle: false },
  // Otherwise the Kafka client looks for a .wasm file beside the bundle (see tsdown.start.ts).
  alias: { "@platformatic/wasm-utils": "@platformatic/wasm-utils/bundled" },
  outputOptions: { chunkFileNames: "[name].js" },
  fixedExtension: false,
  report: false,
})
