import { CliOutput } from "effect/cli"
import { paint, type Screen, type Style } from "./Screen.ts"
import { fit, printable } from "./text.ts"
import { minute, zoneName } from "./times.ts"

/** A column of a table. */
export interface Column<Row> {
  readonly heading: string
  readonly text: (row: Row, screen: Screen) => string
  readonly style?: (row: Row) => Style | null
  /** True if values of the column may be cut when the table is wider than the terminal. */
  readonly shrinks?: boolean
  /** True if the column may be left out when the table is still too wide after cutting values. */
  readonly isOptional?: boolean
  /** True if the values are times, so that the heading names their zone. */
  readonly isTime?: boolean
}

/** Returns a column of times, with `otherwise` in place of a time that is null. It is left out if the table is too wide. */
export const timeColumn = <Row>(
  heading: string,
  at: (row: Row) => string | null,
  otherwise = "",
): Column<Row> => ({
  heading,
  text: (row, { times }) => {
    const time = at(row)
    return time === null ? otherwise : minute(times, time)
  },
  isOptional: true,
  isTime: true,
})

const gap = "  "

/** The smallest width to which a column is cut. */
const columnWidthMin = 8

/**
 * Draws rows as lines. On a terminal, the columns are aligned below their headings and fit the terminal's width.
 * Otherwise each row is a line of uncut values separated by tabs.
 */
export const drawTable = <Row>(
  screen: Screen,
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
): ReadonlyArray<string> => {
  const cells = rows.map((row) => columns.map(({ text }) => printable(text(row, screen))))
  const styleIn = (column: number, row: Row) => columns[column]?.style?.(row) ?? null
  if (!screen.isTerminal) {
    return rows.map((row, index) =>
      (cells[index] ?? []).map((text, column) => paint(screen, styleIn(column, row), text)).join("\t"),
    )
  }
  if (rows.length === 0) return []
  const widths = widthsOf(screen, columns, cells)
  const isTooWide = totalOf(widths) > screen.columns
  const dropped = isTooWide ? columns.findLastIndex(({ isOptional }) => isOptional === true) : -1
  if (dropped >= 0) return drawTable(screen, columns.toSpliced(dropped, 1), rows)
  const lineOf = (texts: ReadonlyArray<string>, styleOf: (column: number) => Style | null) =>
    texts
      .map((text, index) => paint(screen, styleOf(index), fit(text, widths[index] ?? 0)))
      .join(gap)
      .trimEnd()
  const heading = lineOf(
    columns.map((column) => headingOf(screen, column)),
    () => "dim",
  )
  const lines = rows.map((row, index) => lineOf(cells[index] ?? [], (column) => styleIn(column, row)))
  return [heading, ...lines]
}

const widthsOf = <Row>(
  screen: Screen,
  columns: ReadonlyArray<Column<Row>>,
  cells: ReadonlyArray<ReadonlyArray<string>>,
): ReadonlyArray<number> => {
  const { columns: available } = screen
  const widths = columns.map((column, index) =>
    Math.max(
      ...[headingOf(screen, column), ...cells.map((row) => row[index] ?? "")].map(CliOutput.displayWidth),
    ),
  )
  while (totalOf(widths) > available) {
    const widest = columns.reduce(
      (found, { shrinks }, index) =>
        shrinks === true && (widths[index] ?? 0) > (widths[found] ?? columnWidthMin) ? index : found,
      -1,
    )
    if (widest < 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

const headingOf = <Row>({ times }: Screen, { heading, isTime = false }: Column<Row>): string =>
  isTime ? `${heading} (${zoneName(times) === "UTC" ? "UTC" : "LOCAL"})` : heading

const totalOf = (widths: ReadonlyArray<number>): number =>
  widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1))
