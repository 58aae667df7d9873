import { createRequire } from "node:module"
import { join } from "node:path"
import { programsVariable } from "./bundlePrograms.ts"

const bundles = process.env[programsVariable]

// Vite runs the global setup and does not provide `import.meta.resolve`. Therefore `require.resolve` finds the files.
const require = createRequire(import.meta.url)

/**
 * The source of the server. A test can make Node load a module before this source, which changes modules that the
 * server imports.
 */
export const serverSource = require.resolve("@inlet/server/main")

/** The file of the server: its bundle, or its source if the test run has not bundled it. */
export const serverFile = bundles === undefined ? serverSource : join(bundles, "server.js")

/** The file of the `inlet` command: its bundle, or its source if the test run has not bundled it. */
export const cliFile = bundles === undefined ? require.resolve("@inlet/cli/main") : join(bundles, "inlet.js")

/** Caches compiled code between starts, which saves CPU time when a program starts. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(bundles ?? join(import.meta.dirname, "../node_modules/.cache"), "compiled"),
}
