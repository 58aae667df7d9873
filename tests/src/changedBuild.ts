import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { freshDirectory } from "./cleanup.ts"

/** Copies the bundle of a program and changes what it decides: the clause of a call that creates a person by id. */
export const changedBuild = (file: string): string => {
  const from = dirname(file)
  const folder = join(freshDirectory(dirname(from)), "build")
  cpSync(from, folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".js")) continue
    const text = readFileSync(join(folder, name), "utf8")
    const changed = text.replaceAll("track-api §2.1 rule 1", "another rule")
    if (changed !== text) writeFileSync(join(folder, name), changed)
  }
  return join(folder, basename(file))
}
