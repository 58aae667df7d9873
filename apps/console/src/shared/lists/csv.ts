/** A column of a file: its name, and the text of a row in it. */
export interface CsvColumn<Row> {
  readonly header: string
  readonly text: (row: Row) => string
}

/** Returns rows as CSV (RFC 4180), with the names of the columns in the first line. */
export const csvOf = <Row>(columns: ReadonlyArray<CsvColumn<Row>>, rows: ReadonlyArray<Row>): string =>
  [columns.map(({ header }) => header), ...rows.map((row) => columns.map(({ text }) => text(row)))]
    .map((cells) => `${cells.map(cellOf).join(",")}\r\n`)
    .join("")

/** Returns a text as a cell. Cells with quotes, separators and line breaks are quoted. */
const cellOf = (text: string): string => {
  const safe = isFormula(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Spreadsheets run a cell that begins like this as a formula, and clients choose what their data begins with. */
const isFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text))
