import type { ChildProcess } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const processes = new Set<ChildProcess>()
const directories = new Set<string>()

/** A new empty directory, gone when its test file ends. */
export const freshDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "inlet-test-"))
  directories.add(directory)
  return directory
}

/** Sees to it that a process does not outlive its test file. */
export const keepTrackOf = (child: ChildProcess): void => {
  processes.add(child)
  child.once("close", () => processes.delete(child))
}

/** Ends what a test file has left running, and removes its directories. */
export const clearUp = async (): Promise<void> => {
  const ended = [...processes].map((child) => new Promise((resolve) => child.once("close", resolve)))
  for (const child of processes) child.kill("SIGKILL")
  await Promise.all(ended)
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
}

process.once("exit", () => {
  for (const child of processes) child.kill("SIGKILL")
})
