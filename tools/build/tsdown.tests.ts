import { defineConfig } from "tsdown"
import { loadedModules } from "./loadedModules.ts"
import start from "./tsdown.start.ts"

/** Bundles the server and the command line for tests, which start them hundreds of times. */
export default defineConfig({
  ...start,
  entry: {
    server: "apps/server/src/main.ts",
    inlet: "apps/cli/src/main.ts",
    ...loadedModules,
  },
})
