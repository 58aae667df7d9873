import { Context } from "effect"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** The folder of the console's built files: `index.html`, and `assets` with names that contain a hash of the content. */
export const ConsoleFolder = Context.Reference<string>("@inlet/server/console/ConsoleFolder", {
  defaultValue: () => {
    const manifest = createRequire(import.meta.url).resolve("@inlet/console/package.json")
    return join(dirname(manifest), "dist")
  },
})
