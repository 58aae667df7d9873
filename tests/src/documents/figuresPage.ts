import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"

/** The figures of one phase, as `pnpm bench --record` writes them. */
const Figures = Schema.fromJsonString(
  Schema.Struct({
    what: Schema.String,
    date: Schema.String,
    node: Schema.String,
    cores: Schema.Finite,
    columns: Schema.Array(Schema.String),
    rows: Schema.Array(Schema.Array(Schema.String)),
  }),
)

const introduction = `# Figures

What \`pnpm bench\` measured, each phase in one run on a machine that also ran the load generator and, for PostgreSQL, the database. Compare only figures of one table.
[Performance](performance.md) says what each phase and column measures, what limits the rates, and what was tried.

\`pnpm bench --record --only single,batch\` measures phases again and writes them to \`bench/figures\`; \`pnpm generate\` makes this page from them.
`

/** Returns the page with the figures of all recorded phases. */
export const figuresPage = (root: string): string => {
  const folder = join(root, "bench/figures")
  const sections = readdirSync(folder)
    .toSorted()
    .map((file) => sectionOf(file.replace(/\.json$/, ""), readFileSync(join(folder, file), "utf8")))
  return introduction + sections.join("")
}

const sectionOf = (phase: string, json: string): string => {
  const { columns, cores, date, node, rows, what } = Schema.decodeUnknownSync(Figures)(json)
  const title = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`
  const lines = [columns, columns.map((_, at) => (at === 0 ? "---" : "--:")), ...rows]
  return `\n## \`${phase}\`\n\n${title} (${date}, ${cores} cores, Node ${node.slice(1)}).\n\n${lines.map((cells) => `| ${cells.map(cellText).join(" | ")} |\n`).join("")}`
}

/** A target that was missed stands out. */
const cellText = (cell: string): string => (cell.startsWith("MISSED") ? `**${cell}**` : cell)
