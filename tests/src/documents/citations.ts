import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { titlesIn, tagOf } from "./titles.ts"

/** A citation of a rule, with the file that contains the citation. */
export interface Citation {
  readonly rule: string
  readonly place: string
}

const names = "contract|track-api|pipelines-api|wire-facts"

/**
 * Matches a citation of rules in running text, which can name several rules, such as `contract §6, §13` or `track-api
 * §1 rules 2 and 3`.
 */
const running = new RegExp(
  String.raw`\b(${names})(?:\.md)? (§\d+(?:\.\d+)?(?:${continued(String.raw`§\d+(?:\.\d+)?`)})*)`,
  "gi",
)
const sectionAndRules = /§(\d+(?:\.\d+)?)((?: rules? \d+(?:(?:, | and | to )(?!§)\d+)*)| \*[^*\n]+\*)?/g

/**
 * Matches a string literal that contains only the name of a rule. In Markdown, matches inline code instead of a string
 * literal.
 */
const literal = (quote: string) => new RegExp(`${quote}((?:${names}) §[^"\`\\n:$]+)${quote}`, "g")
const literals = { ts: literal('"'), md: literal("`") }

function continued(section: string): string {
  return String.raw`(?: rules? \d+(?:(?:, | and | to )(?!§)\d+)*| \*[^*\n]+\*)|(?:, | and )${section}`
}

/** Returns the rules cited in a text. A citation may be broken over two lines. */
export const citationsIn = (text: string, kind: "ts" | "md"): ReadonlyArray<string> => {
  const joined = text.replaceAll(/\n\s*(?:\*|\/\/)? ?(?=§|rules? \d)/g, " ")
  return [
    ...[...joined.matchAll(running)].flatMap(([, name = "", sections = ""]) =>
      [...sections.matchAll(sectionAndRules)].flatMap(([, section = "", point = ""]) =>
        pointsOf(point).map((one) => `${name.toLowerCase()} §${section}${one}`),
      ),
    ),
    ...[...joined.matchAll(literals[kind])].map(([, rule = ""]) => rule),
    ...titlesIn(joined).map(tagOf),
  ]
}

/**
 * Returns the rules that a citation names after a section. For example, ` rules 2 and 3` gives ` rule 2` and ` rule 3`.
 */
const pointsOf = (point: string): ReadonlyArray<string> => {
  if (point === "") return [""]
  if (point.startsWith(" *")) return [` ${point.slice(2, -1)}`]
  const numbers = [...point.matchAll(/\d+/g)].map(([digits]) => Number(digits))
  const [first = 0, last = first] = numbers
  const all = point.includes(" to ")
    ? Array.from({ length: last - first + 1 }, (_, at) => first + at)
    : numbers
  return all.map((number) => ` rule ${number}`)
}

const cited = /\.(?:tsx?|md)$/
const skipped = new Set(["node_modules", "dist", "reports", "coverage", ".git", ".turbo", ".inlet", "corpus"])

/** Returns every citation of a rule in the TypeScript and Markdown files below a folder. */
export const citationsBelow = (folder: string): ReadonlyArray<Citation> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : citationsBelow(path)
    if (!cited.test(entry.name)) return []
    return citationsIn(readFileSync(path, "utf8"), path.endsWith(".md") ? "md" : "ts").map((rule) => ({
      rule,
      place: path,
    }))
  })
