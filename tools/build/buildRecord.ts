import { hash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** A build: the files and folders that it reads, the files that it has written, and the file that records both. */
export interface Build {
  readonly sources: ReadonlyArray<string>
  readonly outputs: () => ReadonlyArray<string>
  readonly record: string
}

/** Returns whether the outputs of a build are those that its sources, as they are now, were built into. */
export const isBuilt = (build: Build): boolean =>
  existsSync(build.record) && readFileSync(build.record, "utf8") === digestOf(build)

/** Runs a build and records it. A build that fails leaves no record. */
export const runBuild = async (build: Build, run: () => Promise<void>): Promise<void> => {
  rmSync(build.record, { force: true })
  // A source that changes during the build must not count as built.
  const sources = digestOfFiles(build.sources)
  await run()
  mkdirSync(dirname(build.record), { recursive: true })
  writeFileSync(build.record, `${sources} ${digestOfFiles(build.outputs())} ${process.version}\n`)
}

const digestOf = ({ outputs, sources }: Build): string =>
  `${digestOfFiles(sources)} ${digestOfFiles(outputs())} ${process.version}\n`

const digestOfFiles = (paths: ReadonlyArray<string>): string => {
  const digests = paths
    .filter((path) => existsSync(path))
    .flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]))
    .map((file) => `${file} ${hash("sha256", readFileSync(file), "hex")}`)
  return hash("sha256", digests.join("\n"), "hex")
}

/** Returns the files below a folder, in a fixed order. */
export const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
