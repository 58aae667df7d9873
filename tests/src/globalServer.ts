import { setTimeout as pause } from "node:timers/promises"
import type { TestProject } from "vitest/node"
import { bundlePrograms } from "./bundlePrograms.ts"
import { buildConsole } from "./console/buildConsole.ts"
import { cleanUp, stillRunning, nameRun } from "./cleanup.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly serverUrl: string
  }
}

/**
 * Bundles the programs, builds the console, and starts one server for all tests that need only their own workspace. The
 * test run fails if tests leave processes running.
 */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const run = nameRun()
  // Test files cannot build the console, because a build empties the folder from which the servers of other files serve it.
  await Promise.all([bundlePrograms(), buildConsole()])
  // `bundlePrograms` sets an environment variable that programs.ts reads when it is loaded. Inlet.ts imports
  // programs.ts, so Inlet.ts must not be imported before this line.
  const { Inlet } = await import("./Inlet.ts")
  const inlet = await Inlet.start()
  provide("serverUrl", inlet.url)
  return async () => {
    await inlet.stop()
    await cleanUp()
    await expectNothingLeft(run)
  }
}

/** The longest wait, in milliseconds, for killed processes to exit. */
const disappearMsMax = 60_000

const expectNothingLeft = async (run: string): Promise<void> => {
  const deadline = performance.now() + disappearMsMax
  while (stillRunning(run).length > 0 && performance.now() < deadline) await pause(100)
  const left = stillRunning(run)
  for (const line of left) process.kill(Number.parseInt(line, 10), "SIGKILL")
  if (left.length > 0) throw new Error(`tests left processes running, now killed:\n${left.join("\n")}`)
}
