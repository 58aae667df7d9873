import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const fileName = "management-token"
const ownerOnly = 0o600

/** Returns the management token in a data directory, or null. */
export const readToken = (directory: string): string | null => {
  const file = join(directory, fileName)
  const token = existsSync(file) ? readFileSync(file, "utf8").trim() : ""
  return token === "" ? null : token
}

export const writeToken = (directory: string, token: string): void =>
  writeFileSync(join(directory, fileName), `${token}\n`, { mode: ownerOnly })
