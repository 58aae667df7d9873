import { readdirSync } from "node:fs"
import { join } from "node:path"
import { isObjectId, isOperationId, isPersonId } from "@inlethq/core/values/idText"
import { describe, expect, it } from "vitest"
import { readDocument, root } from "../../src/documents/documents.ts"

const filesIn = (folder: string, ending: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending) && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => `${folder}/${name}`)

/** The pages of the project, and the commands with the examples of their help. */
const files = [
  "README.md",
  ...filesIn("docs", ".md"),
  ...filesIn("packages", "README.md"),
  ...filesIn("apps", "README.md"),
  ...filesIn("packages/command-line/src", ".ts"),
]

/** A text that is meant as an id: one with the prefix of a person's id and a digit, or with the shape of any id. */
const idShape = /\b(?:svc|cio)_(?=[a-z]*\d)[0-9a-z]+\b|\b(?:op|p|o)\d[0-9a-z]{4,}(?:-\d+)?\b/g

const canExist = (text: string): boolean => {
  const bare = text.replace(/^(?:svc|cio)_/, "")
  return isPersonId(bare) || (bare === text && (isObjectId(text) || isOperationId(text)))
}

describe("example ids", () => {
  const examples = files.flatMap((file) =>
    [...readDocument(file).matchAll(idShape)].map(([id]) => ({ file, id })),
  )

  it("are found in pages and in help", () => {
    expect(examples.length).toBeGreaterThan(20)
    expect(examples.map(({ file }) => file)).toEqual(
      expect.arrayContaining(["docs/history.md", "packages/command-line/src/commands/people/people.ts"]),
    )
  })

  it("are ids that a server can give", () => {
    expect(examples.filter(({ id }) => !canExist(id))).toEqual([])
  })
})
