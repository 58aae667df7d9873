import { defineConfig } from "tsdown"
import { loadedModules } from "./loadedModules.ts"
import start from "./tsdown.start.ts"

/**
 * Bundles the `inlet` command of a clone. It has a folder of its own, so that a command that is built again replaces no file of a
 * server that runs.
 */
export default defineConfig({
  ...start,
  entry: { inlet: "apps/cli/src/main.ts", ...loadedModules },
  outDir: "dist/command",
})
