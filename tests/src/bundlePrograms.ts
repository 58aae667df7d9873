import { execFile } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { freshDirectory } from "./cleanup.ts"

/** The environment variable that holds the folder of the bundled programs of this test run. */
export const programsVariable = "INLET_TEST_PROGRAMS"

const root = join(import.meta.dirname, "../..")

/**
 * Bundles the server and the command line into a folder of this test run, and names the folder in the environment. A
 * bundle starts with a quarter of the CPU time that the sources need.
 */
export const bundlePrograms = async (): Promise<void> => {
  const dist = join(root, "dist")
  mkdirSync(dist, { recursive: true })
  // The folder is inside the repository, so that the bundled server finds the console and the browser library in the
  // repository's node_modules.
  const folder = freshDirectory(dist)
  const tsdown = join(root, "node_modules/tsdown/dist/run.mjs")
  const options = ["--config", "tools/build/tsdown.tests.ts", "--log-level", "warn", "--out-dir", folder]
  await promisify(execFile)(process.execPath, [tsdown, ...options], { cwd: root })
  process.env[programsVariable] = folder
}
