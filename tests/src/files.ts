import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs"
import { join } from "node:path"

/** Returns every regular file below a directory. */
export const filesOf = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Returns what is in a file, nothing if it was removed since it was listed. */
const bytesOf = (file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0)
    throw error
  }
}

/** Returns the files below a directory that contain at least one of these texts. */
export const filesContaining = (directory: string, ...texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  filesOf(directory).filter((file) => {
    const bytes = bytesOf(file)
    return texts.some((text) => bytes.includes(text))
  })

/** Returns the SQLite databases below a directory, found by their header. */
export const databasesOf = (directory: string): ReadonlyArray<string> =>
  filesOf(directory).filter((file) => {
    const magic = Buffer.alloc(16)
    const open = openSync(file, "r")
    readSync(open, magic)
    closeSync(open)
    return magic.toString("latin1") === "SQLite format 3\u0000"
  })

/** Returns the permission bits of a file. */
export const modeOf = (file: string): number => statSync(file).mode & 0o777
