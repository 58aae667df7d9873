import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Clause } from "@inlethq/log/clauses/Clause"
import { tagOf, titlesIn } from "./titles.ts"

/** A test with a tagged title, which begins with the name of a rule. */
export interface TaggedTest {
  readonly tag: string
  readonly title: string
  readonly file: string
}

const introduction = `# Compatibility

Which tests show which rule. The title of a test begins with the name of the rule that it shows, such as \`track-api §2.1 rule 3\`.
Each rule links to its text in [the contract](contract.md) or on the page about [the references](references.md). A section
is listed if tests show it as a whole.

\`pnpm generate\` makes this page from the rules and the titles of the tests.
`

const headings: ReadonlyArray<readonly [source: string, heading: string]> = [
  ["track-api", "Track API"],
  ["pipelines-api", "Pipelines API"],
  ["contract", "The contract"],
]

/** Returns the page that lists the tests of each rule. */
export const compatibilityPage = (rules: ReadonlyArray<Clause>, tests: ReadonlyArray<TaggedTest>): string => {
  const byTag = Map.groupBy(tests, ({ tag }) => tag)
  const parts = headings.map(([source, heading]) => {
    const rows = rules
      .filter(({ rule }) => rule.startsWith(`${source} `))
      .filter(({ rule }) => isWithinSection(rule) || byTag.has(rule))
      .map((rule) => rowOf(rule, byTag.get(rule.rule) ?? []))
    return `\n## ${heading}\n\n| rule | about | test | file |\n|---|---|---|---|\n${rows.join("")}`
  })
  return `${introduction}${parts.join("")}`
}

/** Returns the rules that no test title names. Rules that are whole sections need no test. */
export const clausesWithoutTest = (
  rules: ReadonlyArray<Clause>,
  tests: ReadonlyArray<TaggedTest>,
): ReadonlyArray<string> => {
  const tags = new Set(tests.map(({ tag }) => tag))
  return rules.flatMap(({ rule }) => (isWithinSection(rule) && !tags.has(rule) ? [rule] : []))
}

const isWithinSection = (rule: string): boolean => !/§[\d.]+$/.test(rule)

const rowOf = ({ rule, title, url }: Clause, [first, ...others]: ReadonlyArray<TaggedTest>): string => {
  const link = `[${cell(rule)}](${url.replace("docs/", "")})`
  if (first === undefined) return `| ${link} | ${cell(title)} | none | |\n`
  const more = others.length === 0 ? "" : `, and ${others.length} more`
  return `| ${link} | ${cell(title)} | ${cell(first.title)}${more} | \`${first.file}\` |\n`
}

const cell = (text: string): string => text.replaceAll("|", "\\|")

const skipped = new Set(["node_modules", "dist", "reports"])

/** Test files that contain titles with names of rules only as sample data. */
const examples = new Set(["documents.test.ts", "compatibility.test.ts"])

/**
 * Returns the tests whose title begins with the name of a rule, from all test files below a folder of the repository.
 * The tests are ordered by file and by position in the file.
 */
export const taggedTestsIn = (root: string, folder: string): ReadonlyArray<TaggedTest> =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): ReadonlyArray<TaggedTest> => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return skipped.has(entry.name) ? [] : taggedTestsIn(root, path)
      if (!entry.name.endsWith(".ts") || examples.has(entry.name)) return []
      return titlesIn(readFileSync(join(root, path), "utf8")).map((text) => ({
        tag: tagOf(text),
        title: text.slice(tagOf(text).length + 2),
        file: path,
      }))
    })
