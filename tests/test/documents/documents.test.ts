import { readdirSync } from "node:fs"
import { join, relative } from "node:path"
import { describe, expect, it } from "vitest"
import { citationsBelow, citationsIn } from "../../src/documents/citations.ts"
import { allClauses, documents, readDocument, root } from "../../src/documents/documents.ts"
import { clausesOf, withAnchors } from "../../src/documents/clausePages.ts"

const rules = allClauses()
const names = new Set(rules.map(({ rule }) => rule))

describe("generated files", () => {
  it.each(documents())("$path is up to date; if not, run `pnpm generate`", ({ content, path }) => {
    expect(readDocument(path)).toBe(content)
  })
})

describe("decisions", () => {
  const folder = "docs/decisions"

  it.each(readdirSync(join(root, folder)).filter((file) => /^\d{4}-/.test(file)))(
    "%s states context, decision and consequences in fewer than 200 words",
    (file) => {
      const page = readDocument(`${folder}/${file}`)
      expect(page).toMatch(/\*\*Context\.\*\*.*\*\*Decision\.\*\*.*\*\*Consequences\.\*\*/s)
      expect(page.split(/\s+/).filter((word) => word !== "").length).toBeLessThan(200)
    },
  )
})

describe("error texts", () => {
  // Matches an error text in the source. The `message` of a log line is not an error text.
  const literal =
    /(?:(?<!\blog: "\w+",\s+)\bmessage|\bdetail): ?["'`]|\b(?:message|detail) = ["'`]|\b(?:dropped|fault|problemResponse)\((?:\d+, |"\w+", [^,]+, )?["'`]/

  it.each([
    "packages/core/src",
    "packages/engine/src",
    "packages/wire/src",
    "packages/contract/src",
    "packages/log/src",
    "packages/storage-memory/src",
    "packages/storage-sqlite/src",
    "packages/storage-postgres/src",
    "packages/outbound/src",
    "packages/kafka/src",
    "packages/http/src",
    "packages/runtime/src",
    "packages/testing/src/emulator",
    "packages/command-line/src",
  ])("every error text in %s comes from a catalogue", (folder) => {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    const sources = files.filter((file) => file.endsWith(".ts"))
    expect(sources.filter((file) => literal.test(readDocument(`${folder}/${file}`)))).toEqual([])
  })
})

/** Test files that cite rules only as sample data. The rules that they cite need not exist. */
const examples = new Set([
  "tests/test/documents/documents.test.ts",
  "tests/test/documents/compatibility.test.ts",
])

describe("citations", () => {
  const citations = citationsBelow(root)
    .map(({ place, rule }) => ({ rule, place: relative(root, place) }))
    .filter(({ place }) => !examples.has(place))

  it("every citation of a rule in sources, tests and pages names a rule in the documentation", () => {
    expect(citations.length).toBeGreaterThan(3000)
    expect(citations.filter(({ rule }) => !names.has(rule))).toEqual([])
  })

  it("every citation of a rule in contract.md and references.md resolves, even if it omits the name of the page", () => {
    const unknown = rules.flatMap(({ rule, text }) => {
      const page = rule.slice(0, rule.indexOf(" "))
      return citationsIn(text.replaceAll(/(?<!contract |api |and )§/gi, `${page} §`), "md").filter(
        (cited) => !names.has(cited),
      )
    })
    expect(unknown).toEqual([])
  })

  it.each([
    ["decided here (contract §6, §13).", ["contract §6", "contract §13"]],
    ["track-api §1 rules 2 and 3", ["track-api §1 rule 2", "track-api §1 rule 3"]],
    [
      "rules track-api §2.1 rules 1 to 3, contract §6",
      [1, 2, 3].map((n) => `track-api §2.1 rule ${n}`).concat("contract §6"),
    ],
    ["See Contract §4 *reasons* and §5.", ["contract §4 reasons", "contract §5"]],
    [" * up to a limit (contract\n * §5)", ["contract §5"]],
    ['it("contract §6 merge moves: moves events", ', ["contract §6", "contract §6 merge moves"]],
    ['dropped("unknown", "contract §6 merge")', ["contract §6", "contract §6 merge"]],
  ])("finds the citations in %j", (text, expected) => {
    expect(citationsIn(text, "ts")).toEqual(expected)
  })
})

describe("a page of rules", () => {
  const markdown = [
    "# The contract",
    "",
    "## 3. Keys",
    "",
    "Keys open a workspace.",
    "",
    "- **digests** (how keys are stored): Only digests",
    "  are stored.",
    "",
    "  | a | b |",
    "- **length**: 20 bytes.",
    "",
    "| rule | limit |",
    "|---|---|",
    "| number | 5 keys |",
    "",
    "# Something else",
    "",
    "## 1. Not a rule",
  ].join("\n")
  const page = { file: "page.md", markdown }

  it("every numbered section, named list item and table row of a page of rules is read as a rule", () => {
    const rows = clausesOf(page).map(({ rule, text, title, url }) => [rule, title, text.split("\n")[0], url])
    expect(rows).toEqual([
      ["contract §3", "Keys", "Keys open a workspace.", "docs/page.md#contract-3"],
      [
        "contract §3 digests",
        "Keys: how keys are stored",
        "Only digests are stored.",
        "docs/page.md#contract-3-digests",
      ],
      ["contract §3 length", "Keys: length", "20 bytes.", "docs/page.md#contract-3-length"],
      ["contract §3 number", "Keys: number", "Limit: 5 keys.", "docs/page.md#contract-3-number"],
    ])
  })

  it("every rule gets an anchor, and adding the anchors again does not change the page", () => {
    const anchored = withAnchors(page)
    expect(anchored).toContain('## <a id="contract-3"></a>3. Keys')
    expect(anchored).toContain('- <a id="contract-3-digests"></a>**digests** (how')
    expect(anchored).toContain('| <a id="contract-3-number"></a>number | 5 keys |')
    expect(withAnchors({ ...page, markdown: anchored })).toBe(anchored)
    expect(clausesOf({ ...page, markdown: anchored })).toEqual(clausesOf(page))
  })
})
