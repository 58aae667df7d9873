import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { sections } from "../navigation.ts"
import { firstSentence, pagesOf } from "../pages.ts"
import { repository } from "../repository.ts"
import { isExternal, leads, targetsOf } from "./builtPages.ts"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The most bytes that the front page transfers, compressed, before it can be read and used. */
const firstViewBytesMax = 100_000

/** The most bytes, compressed, that the first search loads. */
const searchBytesMax = 200_000

const folder = mkdtempSync(join(tmpdir(), "inlet-site-"))
afterAll(() => rmSync(folder, { recursive: true }))
await promisify(execFile)(at("../node_modules/.bin/vitepress"), ["build", "--outDir", folder], {
  cwd: at(".."),
})

const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
const built = files.filter((name) => name.endsWith(".html") && name !== "404.html")
const read = (name: string): string => readFileSync(join(folder, name), "utf8")
const bytesOf = (name: string): number => gzipSync(readFileSync(join(folder, name))).length
const pages = sections.flatMap(pagesOf)

describe("the navigation", () => {
  it("has each page of docs once", () => {
    const existing = readdirSync(at("../../docs"), { recursive: true, encoding: "utf8" })
    const expected = existing.filter((name) => name.endsWith(".md")).toSorted()
    expect(pages.map(({ path }) => path).toSorted()).toEqual(expected)
  })

  it("leads to built pages", () => {
    expect(built).toHaveLength(pages.length)
  })
})

describe("the built pages", () => {
  it.each(built)("%s links only to pages and sections that exist", (page) => {
    const internal = targetsOf(read(page)).filter(({ address }) => !isExternal(address))
    expect(internal.length).toBeGreaterThan(pages.length)
    expect(internal.filter(({ address }) => !leads(folder, page, address))).toEqual([])
  })

  it("link only to files of the repository that exist", () => {
    const linked = built.flatMap((page) => targetsOf(read(page)).map(({ address }) => address))
    const paths = linked.flatMap((address) => {
      const rest = address.startsWith(`${repository}/`) ? address.slice(repository.length) : ""
      return /^\/(?:blob|tree|edit)\/main\/([^#]+)/.exec(rest)?.slice(1) ?? []
    })
    expect(paths).toEqual(expect.arrayContaining(["SECURITY.md", "packages/core/src/rule/ruleBounds.ts"]))
    expect([...new Set(paths)].filter((path) => !existsSync(at(`../../${path}`)))).toEqual([])
  })

  it("load nothing from another host", () => {
    const loaded = built.flatMap((page) => targetsOf(read(page)).filter(({ tag }) => tag !== "a"))
    expect(loaded.filter(({ address }) => isExternal(address) && !address.startsWith("data:"))).toEqual([])
    const styles = files.filter((name) => name.endsWith(".css")).map(read)
    expect(styles.length).toBeGreaterThan(0)
    expect(
      styles.flatMap((style) => style.match(/@import|@font-face|url\((?!["']?data:)[^)]*\)/g) ?? []),
    ).toEqual([])
  })

  it(`the front page loads less than ${firstViewBytesMax} bytes of HTML, styles and scripts`, () => {
    const loaded = targetsOf(read("index.html")).filter(({ tag }) => tag === "link" || tag === "script")
    const names = new Set(["index.html", ...loaded.map(({ address }) => address.replace("./", ""))])
    expect([...names].filter((name) => name.endsWith(".js")).length).toBeGreaterThan(3)
    const bytes = [...names].reduce((sum, name) => sum + bytesOf(name), 0)
    expect(bytes).toBeLessThan(firstViewBytesMax)
  })

  it(`searches load less than ${searchBytesMax} bytes, which have every page but the evidence`, () => {
    const parts = files.filter((name) => /(?:localSearchIndex|VPLocalSearchBox)[^/]*\.js$/.test(name))
    expect(parts).toHaveLength(2)
    expect(parts.reduce((sum, name) => sum + bytesOf(name), 0)).toBeLessThan(searchBytesMax)
    const index = read(parts.find((name) => name.includes("localSearchIndex")) ?? "")
    const missing = sections
      .filter(({ isEvidence }) => isEvidence !== true)
      .flatMap(pagesOf)
      .map(({ path }) => path.replace(/^README\.md$/, "").replace(".md", ".html"))
      .filter((name) => !index.includes(`"/${name}#`))
    expect(missing).toEqual([])
    expect(index).not.toContain(`"/figures.html#`)
  })
})

const markdownLinks = (text: string): ReadonlyArray<string> =>
  [
    ...text
      .replaceAll(/^ *```.*?^ *```$/gms, "")
      .replaceAll(/`[^`\n]*`/g, "")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target = ""]) => target)

describe("llms.txt", () => {
  it("has a heading, a summary, and sections with a list of links, as llmstxt.org says", () => {
    const [heading, summary, , ...lists] = read("llms.txt").trimEnd().split(/\n\n/)
    expect(heading).toBe("# Inlet")
    expect(summary).toMatch(/^> Inlet is .+\.$/)
    expect(lists.filter((_, index) => index % 2 === 0)).toSatisfy((titles: Array<string>) =>
      titles.every((title) => /^## .+$/.test(title)),
    )
    expect(lists.filter((_, index) => index % 2 === 1).flatMap((list) => list.split("\n"))).toSatisfy(
      (lines: Array<string>) => lines.every((line) => /^- \[[^\]]+\]\([^)]+\): .+\.$/.test(line)),
    )
  })

  it("links to the Markdown of every page", () => {
    const targets = markdownLinks(read("llms.txt"))
    expect(targets.toSorted()).toEqual(pages.map(({ path }) => path).toSorted())
    expect(targets.filter((target) => !existsSync(join(folder, target)))).toEqual([])
  })

  it.each(pages.map(({ path }) => path))("the Markdown of %s links only to what exists", (page) => {
    const relative = markdownLinks(read(page)).filter(
      (target) => !isExternal(target) && !target.startsWith("#"),
    )
    const files = relative
      .filter((target) => !target.includes("images/"))
      .map((target) => target.split("#")[0] ?? "")
    expect(files.filter((file) => !existsSync(join(folder, dirname(page), file)))).toEqual([])
  })

  it("llms-full.txt has the pages that are not optional", () => {
    const full = read("llms-full.txt")
    expect(full).toContain("\n# The contract\n")
    expect(full).not.toContain("\n# Figures\n")
  })
})

describe("the first sentence of a page", () => {
  it.each([
    ["# A\n\nIt is `a.b` of [B](b.md). C.", "It is `a.b` of B."],
    ["# A\n\n```sh\nrun\n```\n\n- one\n\nTwo: [three](x.md) follows", "Two: three follows"],
    ["# A\n\n**Context.** One\ntwo. Three.", "One two."],
    ["# A\n\nThis lists:\n\n| a |", "This lists."],
  ])("of %j is %j", (page, expected) => {
    expect(firstSentence(page)).toBe(expected)
  })
})
