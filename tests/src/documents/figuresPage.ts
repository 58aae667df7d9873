import { recordedFigures, type Figures } from "./figures.ts"

const introduction = `# Figures

What \`pnpm bench\` measured, each phase in one run on a machine that also ran the load generator and, for PostgreSQL, the database. Compare only figures of one table.
[Performance](performance.md) has the most important ones on one screen, [bench](../bench/README.md) says what each phase and column measures, and
[measurements](decisions/measurements.md) what limits the rates.

\`pnpm bench --record --only single,batch\` measures phases again and writes them to \`bench/figures\`; \`pnpm generate\` makes this page from them.
`

/** Returns the page with the figures of all recorded phases. */
export const figuresPage = (root: string): string =>
  introduction + [...recordedFigures(root)].map(([phase, figures]) => sectionOf(phase, figures)).join("")

const sectionOf = (phase: string, { columns, cores, date, node, rows, what }: Figures): string => {
  const title = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`
  const lines = [columns, columns.map((_, at) => (at === 0 ? "---" : "--:")), ...rows]
  return `\n## \`${phase}\`\n\n${title} (${date}, ${cores} cores, Node ${node.slice(1)}).\n\n${lines.map((cells) => `| ${cells.map(cellText).join(" | ")} |\n`).join("")}`
}

/** A target that was missed stands out. */
const cellText = (cell: string): string => (cell.startsWith("MISSED") ? `**${cell}**` : cell)
