import { join } from "node:path"
import { defineConfig } from "tsdown"
import { writeLicences } from "./licences.ts"
import { loadedModules } from "./loadedModules.ts"
import start from "./tsdown.start.ts"

/**
 * The published `inlet` command with all that it imports. `npx` then downloads one package instead of ninety, and a start loads a
 * dozen files instead of six hundred. The container image has the same files.
 */
export default defineConfig({
  ...start,
  entry: { main: "apps/cli/src/main.ts", ...loadedModules },
  outDir: join(start.cwd ?? "", "apps/cli/dist"),
  target: "node22.19",
  clean: true,
  plugins: [writeLicences],
})
