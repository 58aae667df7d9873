import { CliOutput } from "effect/cli"
import { paint, type Screen, type Style } from "./Screen.ts"
import { fit, printable } from "./text.ts"
import { minute, zoneName } from "./times.ts"
import { wrap } from "./wrap.ts"

/** A column of a table. */
export interface Column<Row> {
  readonly heading: string
  readonly text: (row: Row, screen: Screen) => string
  readonly style?: (row: Row) => Style | null
  /** True if values of the column are cut first when the table is wider than the terminal. */
  readonly shrinks?: boolean
  /** True if values of the column go on below when the table is wider than the terminal, after others were cut. */
  readonly wraps?: boolean
  /** True if the column may be left out when the table is still too wide after cutting these values. */
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

/** The smallest width of a column whose values go on below, unless the table fits no other way. */
const wrappedWidthMin = 16

/** A table that fits the terminal. */
interface Layout<Row> {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly widths: ReadonlyArray<number>
  /** The headings of the columns that did not fit. */
  readonly leftOut: ReadonlyArray<string>
}

/**
 * Draws rows as lines. On a terminal, the columns are aligned below their headings and fit the terminal's width.
 * Otherwise each row is a line of uncut values separated by tabs.
 */
export const drawTable = <Row>(
  screen: Screen,
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
): ReadonlyArray<string> => {
  if (!screen.isTerminal) {
    return rows.map((row) =>
      columns.map((column) => paint(screen, styleOf(column, row), cellOf(screen, column, row))).join("\t"),
    )
  }
  if (rows.length === 0) return []
  const { columns: shown, widths } = layoutOf(screen, columns, rows)
  const lineOf = (draw: (column: Column<Row>, width: number, index: number) => string) =>
    shown
      .map((column, index) => draw(column, widths[index] ?? 0, index))
      .join(gap)
      .trimEnd()
  const linesOf = (row: Row): ReadonlyArray<string> => {
    const cells = shown.map((column, index) => {
      const cell = cellOf(screen, column, row)
      return column.wraps === true ? wrap(cell, widths[index] ?? 0) : [cell]
    })
    const height = Math.max(...cells.map((lines) => lines.length))
    return Array.from({ length: height }, (_, at) =>
      lineOf((column, width, index) =>
        paint(screen, styleOf(column, row), fit(cells[index]?.[at] ?? "", width)),
      ),
    )
  }
  return [
    lineOf((column, width) => paint(screen, "dim", fit(headingOf(screen, column), width))),
    ...rows.flatMap(linesOf),
  ]
}

/** Returns the headings of the columns that `drawTable` leaves out because they do not fit the terminal. */
export const columnsLeftOut = <Row>(
  screen: Screen,
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
): ReadonlyArray<string> =>
  screen.isTerminal && rows.length > 0 ? layoutOf(screen, columns, rows).leftOut : []

/**
 * Cuts the columns that shrink, makes those narrower that wrap, then leaves out optional columns from the right, and cuts the widest of those that are left if
 * the table still does not fit.
 */
const layoutOf = <Row>(
  screen: Screen,
  all: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
): Layout<Row> => {
  const leftOut: Array<string> = []
  let columns = all
  for (;;) {
    const natural = columns.map((column) =>
      [headingOf(screen, column), ...rows.map((row) => cellOf(screen, column, row))].reduce(
        (widest, text) => Math.max(widest, CliOutput.displayWidth(text)),
        0,
      ),
    )
    const cut = shrunk(natural, screen.columns, (index) => columns[index]?.shrinks === true)
    const widths = shrunk(cut, screen.columns, (index) => columns[index]?.wraps === true, wrappedWidthMin)
    const dropped =
      totalOf(widths) > screen.columns ? columns.findLastIndex(({ isOptional }) => isOptional === true) : -1
    if (dropped < 0) return { columns, widths: shrunk(widths, screen.columns, () => true), leftOut }
    leftOut.unshift(columns[dropped]?.heading ?? "")
    columns = columns.toSpliced(dropped, 1)
  }
}

const cellOf = <Row>(screen: Screen, { text }: Column<Row>, row: Row): string => printable(text(row, screen))

const styleOf = <Row>({ style }: Column<Row>, row: Row): Style | null => style?.(row) ?? null

/** Makes the widest of the columns that may shrink narrower until the table fits, or all of them have `widthMin`. */
const shrunk = (
  natural: ReadonlyArray<number>,
  available: number,
  mayShrink: (index: number) => boolean,
  widthMin = columnWidthMin,
): ReadonlyArray<number> => {
  const widths = [...natural]
  while (totalOf(widths) > available) {
    const widest = widths.reduce(
      (found, width, index) => (mayShrink(index) && width > (widths[found] ?? widthMin) ? index : found),
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
