import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

/** A row of a table of the compatibility document. */
export interface Row {
  readonly tag: string
  readonly what: string
  /** The title of a test; null where the row names none. */
  readonly test: string | null
}

const none = "—"

/** The rows of every table of a document: three cells, the first of which is a tag. */
export const rowsOf = (document: string): ReadonlyArray<Row> =>
  document.split("\n").flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    const [, tag = "", what = "", test = ""] = cells
    return cells.length === 5 && tag.includes("§") ? [{ tag, what, test: test === none ? null : test }] : []
  })

export const compatibility = (): string => readFileSync(join(root, "docs/compatibility.md"), "utf8")

const title = /(["'`])((?:track-api|pipelines-api|contract) §[^:"'`\n]*?: [^\n]*?)(?<!\\)\1/g

/** The titles in a test's source that begin with a tag: texts such as `"track-api §2.1 rule 1: …"`. */
export const titlesIn = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(title)].map(([, , text = ""]) => text)

/** The rule that a title begins with. */
export const tagOf = (text: string): string => text.slice(0, text.indexOf(": "))

const foldersIn = (path: string): ReadonlyArray<string> =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name))

/** The sources of all tests, and of the laws that the stores are tested by. */
const testFolders = (): ReadonlyArray<string> => [
  "tests/test",
  "packages/core/src/testing",
  ...[...foldersIn("packages"), ...foldersIn("apps")].map((folder) => join(folder, "test")),
]

/** Every tagged title in the repository; what the test of the document itself holds are examples. */
export const taggedTitles = (): ReadonlyArray<string> =>
  testFolders().flatMap((folder) =>
    filesIn(folder).flatMap((file) => titlesIn(readFileSync(join(root, folder, file), "utf8"))),
  )

const filesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts") && file !== "compatibility.test.ts",
    )
  } catch {
    return []
  }
}
