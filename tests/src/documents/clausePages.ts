import type { Clause } from "@inlethq/log/clauses/Clause"

/** A page in `docs` that defines rules. */
export interface ClausePage {
  readonly file: string
  readonly markdown: string
}

/** The names of the pages that define rules. Rules are listed in the order of these pages. */
export const clausePageFiles = ["contract.md", "references.md"] as const

/**
 * Maps each first-level heading to the first word in the names of its rules. For example, the rules below `# Track API`
 * have names such as `track-api §1 rule 2`.
 */
const sources = new Map([
  ["The contract", "contract"],
  ["Track API", "track-api"],
  ["Pipelines API", "pipelines-api"],
])

const anchor = /<a id="[^"]*"><\/a>/g
const source = /^# (.+)$/
const section = /^## (\d+(?:\.\d+)?)(\.? )(.+)$/
const item = /^- \*\*(.+?)\*\*(?: \((.+?)\))?: (.*)$/

/** A line of a page in `docs`, without its anchor. `begins` is the rule that begins in this line, or null. */
interface Line {
  readonly text: string
  readonly begins: ClauseStart | null
  /**
   * "section" if this line ends the previous section and its items, "item" if the line ends only the previous item of a
   * list or table, and null otherwise.
   */
  readonly ends: "section" | "item" | null
}

interface ClauseStart {
  readonly rule: string
  readonly title: string
  readonly kind: "section" | "item" | "row"
  readonly text: string
}

/**
 * Returns the rules of a page: each section, each list item with a name, and each row of a table with `rule` as its first
 * column.
 */
export const clausesOf = (page: ClausePage): ReadonlyArray<Clause> => {
  const lines = linesOf(page)
  return lines.flatMap(({ begins }, at) =>
    begins === null
      ? []
      : [
          {
            rule: begins.rule,
            title: begins.title,
            text: textOf(begins, lines.slice(at + 1)),
            url: `docs/${page.file}#${anchorOf(begins.rule)}`,
          },
        ],
  )
}

/** Returns a page with an anchor before every rule. */
export const withAnchors = (page: ClausePage): string =>
  linesOf(page)
    .map(({ begins, text }) => {
      if (begins === null) return text
      const mark = `<a id="${anchorOf(begins.rule)}"></a>`
      switch (begins.kind) {
        case "section":
          return text.replace("## ", () => `## ${mark}`)
        case "item":
          return text.replace("- ", () => `- ${mark}`)
        case "row":
          return text.replace("| ", () => `| ${mark}`)
      }
    })
    .join("\n")

/**
 * Returns the anchor of a rule, which is its name in lower case. Characters other than letters, digits and underscores
 * become hyphens.
 */
const anchorOf = (rule: string): string =>
  rule
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/-$/, "")

const linesOf = ({ markdown }: ClausePage): ReadonlyArray<Line> => {
  let name: string | undefined
  let within = { rule: "", title: "" }
  let columns: ReadonlyArray<string> = []
  return markdown.split("\n").map((line): Line => {
    const text = line.replaceAll(anchor, "")
    const [, heading] = source.exec(text) ?? []
    if (heading !== undefined) name = sources.get(heading)
    if (text.startsWith("#")) columns = []
    const [, number, , title = ""] = section.exec(text) ?? []
    if (name !== undefined && number !== undefined) {
      within = { rule: `${name} §${number}`, title }
      return { text, begins: { ...within, kind: "section", text: "" }, ends: "section" }
    }
    const [, point, label, rest = ""] = item.exec(text) ?? []
    if (point !== undefined) {
      return { text, begins: { ...pointOf(within, point, label), kind: "item", text: rest }, ends: "item" }
    }
    const cells = cellsOf(text)
    if (cells[0] === "rule") columns = cells
    else if (cells.length > 0 && columns.length > 0 && !/^-+$/.test(cells[0] ?? "")) {
      return {
        text,
        begins: { ...pointOf(within, cells[0] ?? ""), kind: "row", text: rowText(columns, cells) },
        ends: "item",
      }
    }
    return {
      text,
      begins: null,
      ends: text.startsWith("#") ? (text.startsWith("###") ? "item" : "section") : null,
    }
  })
}

const pointOf = (
  within: { readonly rule: string; readonly title: string },
  point: string,
  label = point,
) => ({
  rule: `${within.rule} ${point}`,
  title: `${within.title}: ${label}`,
})

const cellsOf = (line: string): ReadonlyArray<string> =>
  line.startsWith("|")
    ? line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim())
    : []

const rowText = (columns: ReadonlyArray<string>, cells: ReadonlyArray<string>): string =>
  columns
    .slice(1)
    .map((column, at) => `${column[0]?.toUpperCase()}${column.slice(1)}: ${cells[at + 1]}.`)
    .join(" ")

/** Returns the Markdown of a rule. For a list item, the text includes the indented lines below the item. */
const textOf = ({ kind, text }: ClauseStart, following: ReadonlyArray<Line>): string => {
  if (kind === "row") return text
  const end = following.findIndex(({ ends }) => ends === "section" || (kind === "item" && ends !== null))
  const block = (end === -1 ? following : following.slice(0, end)).map((line) => line.text)
  if (kind === "section") return unwrapped(block)
  const outside = block.findIndex((line) => line !== "" && !line.startsWith("  "))
  const own = outside === -1 ? block : block.slice(0, outside)
  return unwrapped([text, ...own.map((line) => line.replace(/^ {2}/, ""))])
}

/** Joins the lines of each paragraph into one line. */
const unwrapped = (lines: ReadonlyArray<string>): string => {
  const joined: Array<string> = []
  for (const line of lines) {
    const last = joined.at(-1)
    const continues = /^\s*[^\s|#-]/.test(line) && last !== undefined && /^\s*[^\s|#]/.test(last)
    if (continues) joined[joined.length - 1] = `${last} ${line.trim()}`
    else joined.push(line)
  }
  return joined.join("\n").trim()
}
