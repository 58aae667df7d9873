import { rmSync } from "node:fs"
import type { LakeTable } from "@inlethq/core/ports/LakeFiles"
import { Effect } from "effect"
import { placeOf, type LakeRow } from "../columns.ts"
import { checkTable } from "../iceberg/checkTable.ts"
import { readTable, writeTable } from "../iceberg/nextTable.ts"
import { isDeletion } from "../rows/isDeletion.ts"
import { hashOf, ParquetFile } from "./ParquetFile.ts"
import { readRows } from "./readParquet.ts"
import { storedOwners } from "./storedOwners.ts"
import { ThreadCopier } from "./ThreadCopier.ts"
import type { Affected, Checked, Requests, Rewrite, Rewritten, Scan } from "./Request.ts"

/** The most positions that are named of a file that is not in order. */
const outOfOrderMax = 10

type Answers = {
  readonly [Name in keyof Requests]: (
    asked: Requests[Name]["asked"],
  ) => Requests[Name]["answer"] | Promise<Requests[Name]["answer"]>
}

/** Returns the functions that answer requests. They run in a thread of their own, one at a time. */
export const answersWith = (open: Map<string, ParquetFile> = new Map()): Answers => {
  const files = openFiles(open)
  const copier = new ThreadCopier({
    append: (table, path, rows) => Effect.sync(() => files.append({ table, path, rows })),
    finish: (path) => Effect.sync(() => files.finish({ path })),
  })
  return {
    ...files,
    copy: ({ source, ...asked }) => copier.copy(source, asked),
    close: ({ paths }) => copier.close(paths),
    abort: ({ paths }) => {
      copier.forget(paths)
      return files.abort({ paths })
    },
    scan: ({ path, table }) => scan(table, path),
    affected: ({ gone, path, table }) => affected(table, path, new Set(gone)),
    data: ({ path, positions }) => dataAt(path, new Set(positions)),
    rewrite,
    owners: storedOwners,
    check: ({ path, table }) => check(table, path),
    readTable,
    checkTable,
    writeTable,
  }
}

type FileAnswers = {
  readonly [Name in "append" | "finish" | "abort"]: (
    asked: Requests[Name]["asked"],
  ) => Requests[Name]["answer"]
}

const openFiles = (open: Map<string, ParquetFile>): FileAnswers => ({
  append: ({ path, rows, table }) => {
    const file = open.get(path) ?? new ParquetFile(table, path)
    open.set(path, file)
    file.append(rows)
    return file.bytes
  },
  finish: ({ path }) => {
    const file = open.get(path)
    if (file === undefined) throw new Error(`${path} is not open`)
    open.delete(path)
    return file.finish()
  },
  abort: ({ paths }) => {
    for (const path of paths) {
      open.delete(path)
      rmSync(path, { force: true })
    }
    return null
  },
})

const scan = async (table: LakeTable, path: string): Promise<Scan> => {
  const subjects = new Set<number>()
  for await (const rows of readRows(table, path, namingColumns(table))) {
    for (const row of rows) for (const key of subjectsOf(table, row)) subjects.add(key)
  }
  return { subjects: [...subjects] }
}

const affected = async (table: LakeTable, path: string, gone: ReadonlySet<number>): Promise<Affected> => {
  const named: Array<number> = []
  const addressed: Array<number> = []
  const found = new Set<number>()
  let dropped = 0
  for await (const rows of readRows(table, path, namingColumns(table))) {
    for (const row of rows) {
      const others = othersOf(table, row).filter((key) => gone.has(key))
      if (isDropped(table, row, gone)) {
        dropped++
        found.add(Number(row[placeOf(table, "subject")]))
      } else if (others.length > 0) {
        named.push(Number(row[0]))
        for (const key of others) found.add(key)
      } else if (namesAddress(table, row)) addressed.push(Number(row[0]))
    }
  }
  return { dropped, named, addressed, subjects: [...found] }
}

const dataAt = async (
  path: string,
  positions: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string | null>> => {
  const found = new Map<number, string | null>()
  const place = placeOf("activity", "data")
  for await (const rows of readRows("activity", path, ["position", "data"])) {
    for (const row of rows) {
      const data = row[place]
      const position = Number(row[0])
      if (positions.has(position)) found.set(position, typeof data === "string" ? data : null)
    }
  }
  return found
}

/** Writes the rows of files into a new one, without those of subjects that are gone. */
const rewrite = async ({ gone, inputs, path, rows, table }: Rewrite): Promise<Rewritten> => {
  const left = new Set(gone)
  const renewed = new Map(rows)
  const file = new ParquetFile(table, path)
  let dropped = 0
  for (const input of inputs) {
    for await (const read of readRows(table, input)) {
      const kept = read
        .filter((row) => !isDropped(table, row, left))
        .flatMap((row) => {
          const renewedRow = renewed.get(Number(row[0]))
          return renewedRow === undefined ? [row] : renewedRow === null ? [] : [renewedRow]
        })
      dropped += read.length - kept.length
      file.append(kept)
    }
  }
  return { ...file.finish(), dropped }
}

const check = async (table: LakeTable, path: string): Promise<Checked> => {
  const outOfOrder: Array<number> = []
  let first: number | null = null
  let last: number | null = null
  let count = 0
  for await (const rows of readRows(table, path, [orderColumn(table)])) {
    const place = placeOf(table, orderColumn(table))
    for (const row of rows) {
      const position = Number(row[place])
      first = Math.min(first ?? position, position)
      if (last !== null && position <= last && table === "activity" && outOfOrder.length < outOfOrderMax)
        outOfOrder.push(position)
      last = Math.max(last ?? position, position)
      count++
    }
  }
  return { rows: count, first, last, outOfOrder, ...hashOf(path) }
}

const orderColumn = (table: LakeTable): string =>
  table === "people" || table === "objects" ? "subject" : "position"

const namingColumns = (table: LakeTable): ReadonlyArray<string> =>
  table === "activity" ? ["position", "kind", "subject", "others"] : [orderColumn(table), "subject"]

const subjectsOf = (table: LakeTable, row: LakeRow): ReadonlyArray<number> => {
  const subject = row[placeOf(table, "subject")]
  return typeof subject === "number" ? [subject, ...othersOf(table, row)] : othersOf(table, row)
}

const othersOf = (table: LakeTable, row: LakeRow): ReadonlyArray<number> => {
  const others = table === "activity" ? row[placeOf(table, "others")] : null
  return typeof others === "string" ? JSON.parse(others) : []
}

/** Whether a row is about somebody who is gone. What says that they were deleted stays. */
const isDropped = (table: LakeTable, row: LakeRow, gone: ReadonlySet<number>): boolean => {
  const subject = row[placeOf(table, "subject")]
  if (table === "erased" || typeof subject !== "number" || !gone.has(subject)) return false
  return table !== "activity" || !isDeletion(String(row[placeOf(table, "kind")]))
}

/** Whether a row may name an address that belongs to nobody who is known. */
const namesAddress = (table: LakeTable, row: LakeRow): boolean =>
  table === "activity" && row[placeOf(table, "kind")] === "delivery_metric"
