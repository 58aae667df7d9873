import { existsSync, readdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { headingSlug } from "../../../tools/documents/headingSlug.ts"
import { readDocument, root } from "../../src/documents/documents.ts"

const pagesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !/(^|\/)(node_modules|dist|reports)\//.test(name))
    .map((name) => `${folder}/${name}`)

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...["docs", "packages", "apps", "deploy", "examples", "bench", "tests"].flatMap(pagesIn),
]

const slug = (heading: string): string =>
  headingSlug(
    heading
      .replace(/^#+ /, "")
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"),
  )

const withoutCode = (page: string): string => page.replaceAll(/^ *```.*?^ *```$/gms, "")

const anchorsOf = (page: string): ReadonlySet<string> => {
  const text = withoutCode(readDocument(page))
  const headings = [...text.matchAll(/^#+ .+$/gm)].map(([line]) => slug(line))
  const ids = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)
  return new Set([...headings, ...ids])
}

/** The targets of links and images that are no addresses, outside code. */
const targetsOf = (page: string): ReadonlyArray<string> => {
  const text = withoutCode(readDocument(page)).replaceAll(/`[^`\n]*`/g, "")
  return [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, target = ""]) => target)
}

const leads = (page: string, target: string): boolean => {
  const [file = "", anchor] = target.split("#")
  const path = file === "" ? page : join(dirname(page), file)
  if (!existsSync(join(root, path))) return false
  if (anchor === undefined || statSync(join(root, path)).isDirectory()) return anchor === undefined
  return anchorsOf(path).has(anchor)
}

describe("links", () => {
  it("are found on pages of every kind", () => {
    const linking = pages.filter((page) => targetsOf(page).length > 0)
    expect(linking).toEqual(
      expect.arrayContaining(["README.md", "docs/history.md", "packages/sdk/README.md"]),
    )
  })

  it.each(pages)("%s links only to pages, files and sections that exist", (page) => {
    expect(targetsOf(page).filter((target) => !leads(page, target))).toEqual([])
  })
})
