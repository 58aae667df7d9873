import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { titlesIn, tagOf } from "./titles.ts"

/** A place that names a rule. */
export interface Citation {
  readonly rule: string
  readonly place: string
}

const names = "contract|track-api|pipelines-api|wire-facts"

/** A citation in running text, with everything that continues it: `contract §6, §13` or `track-api §1 rules 2 and 3`. */
const running = new RegExp(
  String.raw`\b(${names})(?:\.md)? (§\d+(?:\.\d+)?(?:${continued(String.raw`§\d+(?:\.\d+)?`)})*)`,
  "gi",
)
const sectionAndRules = /§(\d+(?:\.\d+)?)((?: rules? \d+(?:(?:, | and | to )(?!§)\d+)*)| \*[^*\n]+\*)?/g

/** A string, or on a page a piece of code, that is a rule's name and nothing else. */
const literal = (quote: string) => new RegExp(`${quote}((?:${names}) §[^"\`\\n:$]+)${quote}`, "g")
const literals = { ts: literal('"'), md: literal("`") }

function continued(section: string): string {
  return String.raw`(?: rules? \d+(?:(?:, | and | to )(?!§)\d+)*| \*[^*\n]+\*)|(?:, | and )${section}`
}

/** Every citation in a text. Lines that break in the middle of one are joined. */
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

/** What a citation names within a section: rules by number, or a point in emphasis. */
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

/** Every citation in the sources, tests and documents below a folder. */
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
