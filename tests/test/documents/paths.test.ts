import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readDocument, root } from "../../src/documents/documents.ts"

/** Files that a page tells the reader to create. */
const invented = new Set(["packages/outbound/src/file/fileDestination.ts"])

const folders = ["site", "packages", "apps", "tests", "tools", "bench", "examples"]
const left = new Set(["node_modules", "dist", "reports", ".turbo"])

/** Returns the paths of all files below a folder, relative to the root of the repository. */
const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (left.has(entry.name)) return []
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(path) : [path]
  })

/** Returns the source files that a page names in code, such as `commits/Ingest.ts`. */
const named = (page: string): ReadonlyArray<string> =>
  [...readDocument(page).matchAll(/`([\w./-]+\.(?:ts|tsx|mjs))`/g)]
    .map(([, path = ""]) => path.replace(/^(?:\.\.?\/)+/, ""))
    .filter((path) => !invented.has(path))

const pages = [
  "AGENTS.md",
  "CONTRIBUTING.md",
  "docs/architecture.md",
  "docs/extending.md",
  "docs/decisions/experiments.md",
  "docs/decisions/measurements.md",
  "bench/README.md",
  "apps/console/README.md",
  "apps/cli/README.md",
  "packages/command-line/README.md",
  "packages/store-conformance/README.md",
  "packages/storage-postgres/README.md",
]

describe("the files that pages for contributors name", () => {
  const files = folders.flatMap(filesBelow)

  it.each(pages)("%s names only files that exist", (page) => {
    expect(named(page).filter((path) => !files.some((file) => `/${file}`.endsWith(`/${path}`)))).toEqual([])
  })

  it("the pages name files", () => {
    expect(pages.flatMap(named).length).toBeGreaterThan(100)
  })
})
