import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"

const buildFile = join(import.meta.dirname, "../../../apps/console/build.ts")

/** Builds the console if its sources have changed since the last build. */
export const buildConsole = async (): Promise<void> => {
  await promisify(execFile)(process.execPath, [buildFile, "--if-changed"])
}
