import { Context } from "effect"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/**
 * The folder with the built files of the console: `index.html`, and the folder `assets`. The names of assets contain a
 * hash of their content.
 */
export const ConsoleFolder = Context.Reference<string>("@inlet/http/console/ConsoleFolder", {
  defaultValue: () => {
    const manifest = createRequire(import.meta.url).resolve("@inlet/console/package.json")
    return join(dirname(manifest), "dist")
  },
})
