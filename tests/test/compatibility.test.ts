import { describe, expect, it } from "vitest"
import { compatibility, rowsOf, tagOf, taggedTitles, titlesIn } from "../src/compatibility.ts"
import {
  identifiersAndSizes,
  pipelinesApi,
  pipelinesContract,
  trackApi,
  trackContract,
  type Sections,
} from "../src/rules.ts"

/** What the document has to cover, by the name that its tags begin with. */
const references: ReadonlyArray<readonly [name: string, sections: Sections]> = [
  ["track-api", trackApi],
  ["pipelines-api", pipelinesApi],
  ["contract", trackContract],
  ["contract", pipelinesContract],
  ["contract", identifiersAndSizes],
]

const rows = rowsOf(compatibility())
const tags = new Set(rows.map(({ tag }) => tag))
const titles = taggedTitles()

/** The tags of a reference's rules. */
const rulesOf = (name: string, sections: Sections): ReadonlyArray<string> =>
  Object.entries(sections).flatMap(([section, points]) =>
    points.map((point) => `${name} §${section} ${point}`.trimEnd()),
  )

const rules = references.flatMap(([name, sections]) => rulesOf(name, sections))

/**
 * Whether a row stands for a tag: the tag of a test may be shorter than the row's, such as a section alone, or `§6.2` where
 * section 6 has rules and no sections.
 */
const hasRow = (tag: string): boolean =>
  tags.has(tag) ||
  tags.has(tag.replace(/§(\d+)\.(\d+)$/, "§$1 rule $2")) ||
  [...tags].some((known) => known.startsWith(`${tag} `))

describe("the compatibility document", () => {
  it("names each tag once", () => {
    const seen = new Set<string>()
    expect(rows.map(({ tag }) => tag).filter((tag) => seen.has(tag) || !seen.add(tag))).toEqual([])
  })

  it("has a row for every rule", () => {
    expect(rules.length).toBeGreaterThan(330)
    expect(rules.filter((tag) => !tags.has(tag))).toEqual([])
  })

  it("has rows for rules alone", () => {
    const known = new Set(rules)
    const foreign = rows.filter(({ tag }) => !known.has(tag))
    expect(foreign.map(({ tag }) => tag)).toEqual([])
  })

  it("names tests that are there, and that show the rule of their row", () => {
    const known = new Set(titles)
    const missing = rows.filter(({ tag, test }) => test !== null && !(known.has(test) && tagOf(test) === tag))
    expect(missing).toEqual([])
  })

  it("says of every rule what Inlet does, or why there is nothing to do", () => {
    expect(rows.filter(({ what }) => !/\w/.test(what)).map(({ tag }) => tag)).toEqual([])
  })

  it("has a row for every tag of a test", () => {
    const without = new Set(titles.map(tagOf).filter((tag) => !hasRow(tag)))
    expect([...without]).toEqual([])
  })
})

describe("reading", () => {
  it("finds rows in tables, and dashes for no test", () => {
    const document = [
      "| tag | what Inlet does | test |",
      "|---|---|---|",
      "| track-api §1 rule 1 | Serves `a\\|b`. | track-api §1 rule 1: serves |",
      "| track-api §1 rule 2 | Nothing. | — |",
      "text | track-api §1 rule 3",
    ].join("\n")
    expect(rowsOf(document)).toEqual([
      { tag: "track-api §1 rule 1", what: "Serves `a\\|b`.", test: "track-api §1 rule 1: serves" },
      { tag: "track-api §1 rule 2", what: "Nothing.", test: null },
    ])
  })

  it("finds titles in sources, in every kind of quotes", () => {
    const source = [
      "  it(\"contract §1 a: says 'x'\", () => 1)",
      "  it.each([1])(`contract §2 b: of ${n} and %s`, () => 1)",
      "  ['track-api §3: says \"x\"', 1],",
      '  rule: "track-api §2.1 rule 5",',
      "  // track-api §9 rule 1: in a comment",
    ].join("\n")
    expect(titlesIn(source)).toEqual([
      "contract §1 a: says 'x'",
      "contract §2 b: of ${n} and %s",
      'track-api §3: says "x"',
    ])
    expect(titlesIn(source).map(tagOf)).toEqual(["contract §1 a", "contract §2 b", "track-api §3"])
  })
})
