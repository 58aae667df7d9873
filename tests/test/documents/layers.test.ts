import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize, relative } from "node:path"
import { describe, expect, it } from "vitest"
import { readDocument, root } from "../../src/documents/documents.ts"

/** The layers of a package, from top to bottom. A layer lists folders, which end with a slash, and files. */
interface Layers {
  readonly folder: string
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** An import of a module of the same package. Both paths are relative to `src`. */
interface Import {
  readonly from: string
  readonly to: string
}

/** Returns the tables of layers in the page about the architecture. */
const tablesIn = (page: string): ReadonlyArray<Layers> => {
  const tables: Array<{ folder: string; rows: Array<ReadonlyArray<string>> }> = []
  let folder = ""
  let isLayers = false
  for (const line of page.split("\n")) {
    folder = /^(?:## .*\(|)`(packages\/[a-z-]+)`/.exec(line)?.[1] ?? folder
    if (line.startsWith("| layer")) {
      isLayers = true
      tables.push({ folder, rows: [] })
    } else if (!line.startsWith("|")) isLayers = false
    else if (isLayers && !line.startsWith("|--")) {
      const [, names = ""] = line.split("|")
      tables.at(-1)?.rows.push([...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name))
    }
  }
  return tables
}

const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g

const importsIn = (folder: string): ReadonlyArray<Import> => {
  const source = join(root, folder, "src")
  return filesIn(folder).flatMap((from) =>
    [...readFileSync(join(source, from), "utf8").matchAll(importPattern)].map(([, path = ""]) => ({
      from,
      to: relative(".", normalize(join(dirname(from), path))),
    })),
  )
}

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  )

/** Returns the row that a file belongs to. The first row is 0. Returns -1 for a file that no row contains. */
const rowOf = ({ rows }: Layers, file: string): number =>
  rows.findIndex((names) =>
    names.some((name) => file === name || (name.endsWith("/") && file.startsWith(name))),
  )

const topFolderOf = (file: string): string | undefined => /^[^/]+(?=\/)/.exec(file)?.[0]

const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}`)

describe("the tables of layers in docs/architecture.md", () => {
  const tables = tablesIn(readDocument("docs/architecture.md"))

  it("the tables describe core, HTTP and the SQL stores", () => {
    expect(tables.map(({ folder }) => folder).toSorted()).toEqual([
      "packages/core",
      "packages/http",
      "packages/storage-postgres",
      "packages/storage-sqlite",
    ])
  })

  it.each(tables)(
    "every file of $folder is in one layer, and imports only its own layer and lower ones",
    (table) => {
      const files = filesIn(table.folder)
      expect(files.filter((file) => rowOf(table, file) < 0)).toEqual([])
      const upward = importsIn(table.folder).filter(
        ({ from, to }) => files.includes(to) && rowOf(table, to) < rowOf(table, from),
      )
      expect(upward).toEqual([])
    },
  )
})

describe("the folders of a package", () => {
  it.each(packages)("no two folders of %s import each other", (folder) => {
    const arrows = new Set(
      importsIn(folder).flatMap(({ from, to }) => {
        const [a, b] = [topFolderOf(from), topFolderOf(to)]
        return a === undefined || b === undefined || a === b ? [] : [`${a} -> ${b}`]
      }),
    )
    const mutual = [...arrows].filter((arrow) => arrows.has(arrow.split(" -> ").toReversed().join(" -> ")))
    expect(mutual).toEqual([])
  })
})
