import { createHash } from "node:crypto"
import { closeSync, fsyncSync, openSync, readSync } from "node:fs"
import type { LakeBounds, LakeTable } from "@inlethq/core/ports/LakeFiles"
import { fileWriter, ParquetWriter } from "hyparquet-writer"
import { lakeColumns, type Cell, type LakeColumn, type LakeRow } from "../columns.ts"

/** A group of rows is written when it has this many rows or characters, so that a file needs little memory. */
const groupRowsMax = 8192
const groupCharactersMax = 2 * 1024 * 1024

/** What is known of a file that is complete. */
export interface Finished {
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  readonly bounds: ReadonlyArray<LakeBounds>
}

/** Writes rows of a table into a Parquet file. */
export class ParquetFile {
  private readonly columns: ReadonlyArray<LakeColumn>
  private readonly path: string
  private readonly writer: ParquetWriter
  /** The cells of the open group by column, so that the rows themselves are soon garbage. */
  private group: ReadonlyArray<Array<Cell>>
  private groupRows = 0
  private groupCharacters = 0
  private rows = 0

  constructor(table: LakeTable, path: string) {
    this.columns = lakeColumns[table]
    this.group = this.columns.map(() => [])
    this.path = path
    this.writer = new ParquetWriter({
      writer: fileWriter(path),
      schema: schemaOf(this.columns),
      createdBy: "inlet",
    })
  }

  append(rows: ReadonlyArray<LakeRow>): void {
    for (const row of rows) {
      for (let place = 0; place < this.group.length; place++) {
        const cell = row[place] ?? null
        this.group[place]?.push(cell)
        if (typeof cell === "string") this.groupCharacters += cell.length
      }
      this.groupRows++
      if (this.groupRows >= groupRowsMax || this.groupCharacters >= groupCharactersMax) this.writeGroup()
    }
  }

  /** The bytes of the groups that are written. */
  get bytes(): number {
    return this.writer.writer.offset
  }

  /** Completes the file, and syncs it to the disk. */
  finish(): Finished {
    this.writeGroup()
    void this.writer.finish()
    syncFile(this.path)
    return { rows: this.rows, ...hashOf(this.path), bounds: this.bounds }
  }

  private get bounds(): ReadonlyArray<LakeBounds> {
    return this.columns.flatMap(({ name, type }, place) => {
      if (type !== "integer" && type !== "time") return []
      const chunks = this.writer.row_groups.map(({ columns }) => columns[place]?.meta_data?.statistics)
      const numbers = (stored: ReadonlyArray<unknown>) =>
        stored.flatMap((value) => (typeof value === "bigint" ? [shownNumber(type, value)] : []))
      const mins = numbers(chunks.map((chunk) => chunk?.min_value))
      const maxs = numbers(chunks.map((chunk) => chunk?.max_value))
      return {
        column: name,
        min: mins.length === 0 ? null : Math.min(...mins),
        max: maxs.length === 0 ? null : Math.max(...maxs),
        nulls: chunks.reduce((nulls, chunk) => nulls + Number(chunk?.null_count ?? 0), 0),
      }
    })
  }

  private writeGroup(): void {
    const { group, groupRows } = this
    if (groupRows === 0) return
    this.group = this.columns.map(() => [])
    this.groupRows = 0
    this.groupCharacters = 0
    this.rows += groupRows
    const columnData = this.columns.map(({ name, type }, place) => ({
      name,
      data: storedValues(type, group[place] ?? []),
      // Nobody looks for JSON between two texts, and it takes long to compare.
      statistics: type !== "json",
    }))
    void this.writer.write({ columnData, rowGroupSize: groupRows })
  }
}

const schemaOf = (columns: ReadonlyArray<LakeColumn>): ParquetWriter["schema"] => [
  { name: "root", num_children: columns.length },
  ...columns.map(({ id, name, required, type }) => ({
    name,
    field_id: id,
    ...parquetTypes[type],
    repetition_type: required ? ("REQUIRED" as const) : ("OPTIONAL" as const),
  })),
]

/**
 * JSON is declared as text, because some readers refuse the type JSON, and others parse it while they read. Iceberg knows times in
 * microseconds only, and without the logical type DuckDB would take them for times in the zone of its session.
 */
const parquetTypes = {
  integer: { type: "INT64" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  json: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  time: {
    type: "INT64",
    converted_type: "TIMESTAMP_MICROS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
  },
} as const

const storedValues = (
  type: LakeColumn["type"],
  cells: ReadonlyArray<Cell>,
): Array<bigint | string | number | null> =>
  type === "integer"
    ? cells.map((cell) => (cell === null ? null : BigInt(cell)))
    : type === "time"
      ? cells.map((cell) => (cell === null ? null : BigInt(cell) * microsPerMilli))
      : [...cells]

const microsPerMilli = 1000n

const shownNumber = (type: "integer" | "time", stored: bigint): number =>
  Number(type === "time" ? stored / microsPerMilli : stored)

const hashedAtOnce = 1024 * 1024

const syncFile = (path: string): void => {
  const file = openSync(path, "r+")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Returns the size and the hash of a file. The file may be on a disk that cannot be written. */
export const hashOf = (path: string): Pick<Finished, "bytes" | "sha256"> => {
  const file = openSync(path, "r")
  try {
    const digest = createHash("sha256")
    const buffer = Buffer.allocUnsafe(hashedAtOnce)
    let bytes = 0
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      digest.update(buffer.subarray(0, read))
      bytes += read
    }
    return { bytes, sha256: digest.digest("hex") }
  } finally {
    closeSync(file)
  }
}
