import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const rawFile = fileURLToPath(new URL("rawInserts.ts", import.meta.url))

const limitMs = 60_000

/** Returns the rows per second that SQLite alone inserts in a process with additional environment variables. */
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
