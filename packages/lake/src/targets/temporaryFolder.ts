import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folderName = /^inlet-lake-(\d+)-/

let folder: string | null = null

/**
 * Returns a folder for files on their way to or from a bucket, which only this process and this user can read. Removes those of
 * servers that were killed, because their files contain data of people.
 */
export const temporaryFolder = (): string => {
  if (folder !== null) return folder
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(folderName.exec(name)?.[1] ?? process.pid)
    if (pid !== process.pid && !isRunning(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
  const made = mkdtempSync(join(tmpdir(), `inlet-lake-${process.pid}-`))
  process.once("exit", () => rmSync(made, { recursive: true, force: true }))
  folder = made
  return made
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // The process of another user runs, although it must not be signalled.
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}
