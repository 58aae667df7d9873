import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const rawFile = fileURLToPath(new URL("rawInserts.ts", import.meta.url))

const limitMs = 60_000

/**
 * Inserts rows into SQLite without Inlet, in a process with these additional environment variables. Returns the rows
 * inserted per second.
 */
export const insertRate = async (
  directory: string,
  rowsPerCommit: number,
  milliseconds: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<number> => {
  const args = [rawFile, directory, String(rowsPerCommit), String(milliseconds)]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    timeout: limitMs,
    env: { ...process.env, ...environment },
  })
  return Number(stdout)
}
