import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

/** The programs that insert rows without Inlet. */
const programs = {
  sqlite: fileURLToPath(new URL("rawInserts.ts", import.meta.url)),
  postgres: fileURLToPath(new URL("rawPostgresInserts.ts", import.meta.url)),
}

const limitMs = 60_000

/**
 * Inserts rows into a directory or database without Inlet, in a process with these additional environment variables.
 * Returns the rows inserted per second.
 */
export const insertRate = async (
  database: keyof typeof programs,
  target: string,
  rowsPerCommit: number,
  milliseconds: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<number> => {
  const args = [programs[database], target, String(rowsPerCommit), String(milliseconds)]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    timeout: limitMs,
    env: { ...process.env, ...environment },
  })
  return Number(stdout)
}
