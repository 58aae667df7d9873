import { realpathSync } from "node:fs"
import { basename, dirname, join, relative, resolve, sep, isAbsolute } from "node:path"

/** Returns whether two paths lead to one folder, or one of them into the folder of the other, whatever links and dots are in them. */
export const sharesFolder = (path: string, other: string | null): boolean => {
  if (other === null) return false
  const [one, two] = [realPathOf(path), realPathOf(other)]
  return isWithin(one, two) || isWithin(two, one)
}

const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Returns a path without links. The last folders of it may not exist yet, and then have none. */
const realPathOf = (path: string): string => {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    const parent = dirname(whole)
    return parent === whole ? whole : join(realPathOf(parent), basename(whole))
  }
}
