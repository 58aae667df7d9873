import { describe, expect, it } from "vitest"
import { compatibilityPage, clausesWithoutTest } from "../../src/documents/compatibilityPage.ts"
import { allClauses, taggedTests } from "../../src/documents/documents.ts"
import { tagOf, titlesIn } from "../../src/documents/titles.ts"

/**
 * Rules that no test title names. Some of these rules cannot be tested against a server, such as policies of the hosted
 * service. Others are covered by a test of their whole section. A new rule should get a test, not a line in this list.
 */
const untagged: ReadonlySet<string> = new Set([
  "track-api §4.3 rule 7",
  "track-api §6 rule 5",
  "track-api §7 rule 7",
  "track-api §7 rule 8",
  "track-api §9 rule 4",
  "pipelines-api §2.1 messageId",
  "pipelines-api §2.2 alias",
  "contract §1 deployment brand",
  "contract §3 body keys",
  "contract §4 strict errors",
  "contract §4 segment errors",
  "contract §6 identifier changes",
  "contract §6 attribute limits",
  "contract §6 reserved names",
  "contract §6 dotted names",
  "contract §6 merge",
  "contract §6 delete of an unknown person",
  "contract §7 unattached events",
  "contract §7 trigger window",
  "contract §8 views",
  "contract §9 visitor entries",
  "contract §9 object entries",
  "contract §9 v1 actions",
  "contract §9 unknown objects",
  "contract §9 group objects",
  "contract §10 device names",
  "contract §11 metrics",
  "contract §11 unsubscribe",
  "contract §12 form mapping",
  "contract §12 manual segments",
  "contract §13 call types",
  "contract §13 strict faults",
  "contract §13 default answers",
  "contract §13 page names",
  "contract §13 empty event",
  "contract §13 recognised names",
  "contract §13 CSV",
  "contract §6 equal times",
  "contract §16 deduplication window",
  "contract §9 people of an object",
  "contract §16 erased recipients",
  "contract §16 erasure reach",
  "contract §1 written brand",
])

describe("the rules of the documentation", () => {
  it("every rule is in the title of a test or in the list of untested rules", () => {
    const missing = clausesWithoutTest(allClauses(), taggedTests()).filter((rule) => !untagged.has(rule))
    expect(missing).toEqual([])
  })

  it("the documentation states more than 400 rules", () => {
    expect(allClauses().length).toBeGreaterThan(400)
  })
})

const rule = (name: string) => ({
  rule: name,
  title: `Keys: ${name}`,
  text: "Text.",
  url: `docs/contract.md#${name.replaceAll(" ", "-")}`,
})

describe("the compatibility page", () => {
  const tag = "contract §3 a|b"
  const tests = ["first", "second"].map((title) => ({ tag, title, file: "tests/test/a.test.ts" }))
  const rules = [rule("contract §3"), rule(tag), rule("contract §3 c")]

  it("the compatibility page shows the first test of each rule and the number of further tests", () => {
    const rows = compatibilityPage(rules, tests)
      .split("\n")
      .filter((line) => line.includes("§3"))
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatch(/^\| \[contract §3 a\\\|b\]\(contract\.md#.*\| first, and 1 more \| `tests/)
    expect(rows[1]).toMatch(/^\| \[contract §3 c\].*\| none \| \|$/)
  })

  it("the compatibility page reports untested rules, but not untested sections", () => {
    expect(clausesWithoutTest(rules, tests)).toEqual(["contract §3 c"])
  })
})

describe("titles of tests", () => {
  it("the search for titles finds titles that begin with a rule, in every kind of quotes", () => {
    const source = [
      "  it(\"contract §1 case: says 'x'\", () => 1)",
      "  it.each([1])(`contract §2 success: of ${n} and %s`, () => 1)",
      "  ['track-api §2.7: says \"x\"', 1],",
      '  rule: "track-api §2.1 rule 5",',
      "  // track-api §9 rule 1: in a comment",
    ].join("\n")
    expect(titlesIn(source)).toEqual([
      "contract §1 case: says 'x'",
      "contract §2 success: of ${n} and %s",
      'track-api §2.7: says "x"',
    ])
    expect(titlesIn(source).map(tagOf)).toEqual(["contract §1 case", "contract §2 success", "track-api §2.7"])
  })
})
