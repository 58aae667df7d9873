import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize, relative } from "node:path"

/** The layers of a package, from top to bottom. A layer lists folders, which end with a slash, and files. */
export interface Layers {
  readonly folder: string
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** An import of a module of the same package. Both paths are relative to `src`. */
export interface Import {
  readonly from: string
  readonly to: string
}

const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g

/** Returns the modules of the same package that a module imports. `from` is its path, relative to `src`. */
export const importsIn = (from: string, source: string): ReadonlyArray<Import> =>
  [...source.matchAll(importPattern)].map(([, path = ""]) => ({
    from,
    to: relative(".", normalize(join(dirname(from), path))),
  }))

/** Returns the modules of a folder with their sources. */
export const modulesOf = (source: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => [file, readFileSync(join(source, file), "utf8")]),
  )

/** Returns the row that a file belongs to. The first row is 0. Returns -1 for a file that no row contains. */
const rowOf = ({ rows }: Layers, file: string): number =>
  rows.findIndex((names) =>
    names.some((name) => file === name || (name.endsWith("/") && file.startsWith(name))),
  )

/** Returns the files that no layer contains. */
export const unplaced = (layers: Layers, files: Iterable<string>): ReadonlyArray<string> =>
  [...files].filter((file) => rowOf(layers, file) < 0)

/** Returns the imports of a module in a higher layer. */
export const upward = (layers: Layers, imports: ReadonlyArray<Import>): ReadonlyArray<Import> =>
  imports.filter(({ from, to }) => {
    const row = rowOf(layers, to)
    return row >= 0 && row < rowOf(layers, from)
  })

/** Returns the pairs of folders that import each other, as `a -> b` and `b -> a`. */
export const mutual = (imports: ReadonlyArray<Import>): ReadonlyArray<string> => {
  const arrows = new Set(
    imports.flatMap(({ from, to }) => {
      const [a, b] = [topFolderOf(from), topFolderOf(to)]
      return a === undefined || b === undefined || a === b ? [] : [`${a} -> ${b}`]
    }),
  )
  return [...arrows].filter((arrow) => arrows.has(arrow.split(" -> ").toReversed().join(" -> "))).toSorted()
}

const topFolderOf = (file: string): string | undefined => /^[^/]+(?=\/)/.exec(file)?.[0]
