import { lstatSync, realpathSync, statSync, type Stats } from "node:fs"

/** Where an output goes: a file that is replaced as a whole, or a pipe or device that gets it as it comes. */
export type OutputTarget =
  | { readonly _tag: "File"; readonly path: string }
  | { readonly _tag: "Stream" }
  | { readonly _tag: "Refused" }

/**
 * Finds out what is at a path. A link leads to what it names, and stays. One that names nothing is refused, like sockets and
 * disks.
 */
export const outputTarget = (path: string): OutputTarget => {
  const own = statsOf(() => lstatSync(path))
  // A directory fails with its own error.
  if (own === null || own.isFile() || own.isDirectory()) return { _tag: "File", path }
  const stats = own.isSymbolicLink() ? statsOf(() => statSync(path)) : own
  if (stats === null) return { _tag: "Refused" }
  if (stats.isFile()) return { _tag: "File", path: realpathSync(path) }
  return stats.isFIFO() || stats.isCharacterDevice() ? { _tag: "Stream" } : { _tag: "Refused" }
}

const statsOf = (read: () => Stats): Stats | null => {
  try {
    return read()
  } catch {
    return null
  }
}
