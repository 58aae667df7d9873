import { mkdirSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import type { PhaseName } from "./options.ts"
import { cells, columns, type Row } from "./report.ts"

const directory = join(import.meta.dirname, "../figures")

/** The columns of the recorded tables. The others say how far a run can be trusted, which whoever records it has checked. */
const recorded = columns.flatMap((name, at) => (name === "load" || name === "others" ? [] : [{ name, at }]))

/** Writes the rows of a phase, as the table shows them, to a file from which the page of figures is made. */
export const recordPhase = (phase: PhaseName, what: string, rows: ReadonlyArray<Row>): void => {
  const used = recorded.filter(({ at }) => rows.some((row) => cells(row)[at] !== ""))
  const figures = {
    what,
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cores: cpus().length,
    columns: used.map(({ name }) => name),
    rows: rows.map((row) => used.map(({ at }) => cells(row)[at])),
  }
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, `${phase}.json`), `${JSON.stringify(figures, null, 2)}\n`)
}
