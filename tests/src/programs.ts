import { join } from "node:path"
import { programsVariable } from "./bundlePrograms.ts"

const bundles = process.env[programsVariable]

const apps = join(import.meta.dirname, "../../apps")

/** The file of the server: its bundle, or its source if the test run has not bundled it. */
export const serverFile =
  bundles === undefined ? join(apps, "server/src/main.ts") : join(bundles, "server.js")

/** The file of the `inlet` command: its bundle, or its source if the test run has not bundled it. */
export const cliFile = bundles === undefined ? join(apps, "cli/src/main.ts") : join(bundles, "inlet.js")

/** Caches compiled code between starts, which saves CPU time when a program starts. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(bundles ?? join(import.meta.dirname, "../node_modules/.cache"), "compiled"),
}
