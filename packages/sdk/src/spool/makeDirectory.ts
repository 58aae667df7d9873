import { existsSync, mkdirSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

/** Only the owner of the directory can read its files, because they can contain personal data. */
const directoryMode = 0o700

/**
 * Creates a directory, and the directories above it that are missing. Throws if that is impossible. The option
 * `recursive` of Node is not used, because Node then loops for ever below a directory in which the system creates
 * nothing, such as `/proc`.
 */
export const makeDirectory = (directory: string): void => {
  const path = resolve(directory)
  if (existsSync(path)) return
  makeDirectory(dirname(path))
  try {
    mkdirSync(path, { mode: directoryMode })
  } catch (cause) {
    // Another process may have created the directory in the meantime.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw cause
  }
}
