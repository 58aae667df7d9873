import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** Returns the folder with the built files of the console. */
export const consoleFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve("@inlethq/console/package.json")), "dist")
