import { existsSync, mkdirSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

/**
 * Creates a directory for its owner only, and the directories above it that are missing. Throws if that is impossible.
 * `mkdirSync` of Node with `recursive` never returns where the file system answers ENOENT below an existing directory, as `/proc`
 * does.
 */
export const makeDirectory = (directory: string): void => {
  const missing: Array<string> = []
  for (let path = resolve(directory); !existsSync(path); path = dirname(path)) missing.push(path)
  if (missing.length === 0) missing.push(directory)
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch (cause) {
      // Another process may have created the directory in the meantime.
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw cause
    }
  }
}
