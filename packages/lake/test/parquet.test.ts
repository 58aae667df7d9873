import { statSync } from "node:fs"
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { lakeColumns, placeOf, type LakeRow } from "../src/columns.ts"
import { provenanceColumns } from "../src/provenanceColumns.ts"
import { jsonCell, textCell } from "../src/rows/cells.ts"
import { LakeThread } from "../src/thread/LakeThread.ts"
import { hashOf } from "../src/thread/ParquetFile.ts"
import { fileThread } from "./fileThread.ts"
import { readRows } from "../src/thread/readParquet.ts"
import { queryDuckDb } from "./duckdb.ts"

/** Texts that break readers: quotes, controls, NUL, halves of surrogate pairs, other scripts, and text that looks like SQL. */
const hostile = [
  "",
  "'; DROP TABLE activity; --",
  '"quoted" \\ and \\u0000',
  "a\u0000b",
  "line\nbreak\r\ttab\u001b[31m",
  "half \ud83d of a pair",
  "\udc00 and \\\ud800",
  "😀 שלום ‮ Å å",
  "x".repeat(70_000),
  "\u2028\u2029\ufeff",
]

const rowAt = (position: number): LakeRow => {
  const text = hostile[position % hostile.length] ?? ""
  const named: Record<string, string | number | null> = {
    position,
    operation_id: `op11${position}`,
    received_at: 1_760_000_000_000 + position,
    happened_at: position % 3 === 0 ? -1 : 253_402_300_799_999,
    kind: "event",
    name: textCell(text),
    outcome: "applied",
    source: "track-v2",
    subject: position % 5 === 0 ? null : 2 ** 38 - 1,
    id: textCell(text),
    data: jsonCell({ [text]: text, n: position }),
  }
  return lakeColumns.activity.map(({ name }) => named[name] ?? null)
}

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "inlet-lake-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true })),
)

const rowsIn = async (path: string) => {
  const rows: Array<LakeRow> = []
  for await (const read of readRows("activity", path)) rows.push(...read)
  return rows
}

const all = Array.from({ length: 40 }, (_, index) => rowAt(index + 1))

describe("the files of a lake", () => {
  it.live("DuckDB and our reader read every value that was written, hostile texts included", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "one.parquet")
      const { ask } = yield* LakeThread
      yield* ask("append", { table: "activity", path, rows: all.slice(0, 15) })
      yield* ask("append", { table: "activity", path, rows: all.slice(15) })
      const { bytes, rows } = yield* ask("finish", { path })
      assert.strictEqual(rows, 40)
      assert.strictEqual(bytes, (yield* Effect.promise(() => readFile(path))).length)
      assert.deepStrictEqual(yield* Effect.promise(() => rowsIn(path)), all)
      const shown = yield* Effect.promise(() =>
        queryDuckDb(
          `SELECT position, epoch_ms(received_at) AS received_at, epoch_ms(happened_at) AS happened_at, name, subject, data,
            CAST(json_extract(data, '$.n') AS BIGINT) AS n FROM '${path}' ORDER BY position`,
        ),
      )
      const expected = all.map((row) => {
        const value = (name: string) => row[placeOf("activity", name)] ?? null
        const number = (name: string) => (value(name) === null ? null : String(value(name)))
        return {
          position: number("position"),
          received_at: number("received_at"),
          happened_at: number("happened_at"),
          name: value("name"),
          subject: number("subject"),
          data: value("data"),
          n: number("position"),
        }
      })
      assert.deepStrictEqual(shown, expected)
    }).pipe(Effect.provide(fileThread), Effect.scoped),
  )

  it.live("a rewritten file lacks the rows of the subjects that are gone, and keeps every other value", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const [one, two, joined] = ["one", "two", "joined"].map((name) => join(folder, `${name}.parquet`))
      const { ask } = yield* LakeThread
      yield* ask("append", { table: "activity", path: one ?? "", rows: all.slice(0, 20) })
      yield* ask("append", { table: "activity", path: two ?? "", rows: all.slice(20) })
      for (const path of [one, two]) yield* ask("finish", { path: path ?? "" })
      const gone = [2 ** 38 - 1]
      const rewritten = yield* ask("rewrite", {
        table: "activity",
        inputs: [one ?? "", two ?? ""],
        path: joined ?? "",
        gone,
        rows: [],
      })
      const kept = all.filter((row) => row[placeOf("activity", "subject")] === null)
      assert.strictEqual(rewritten.dropped, all.length - kept.length)
      assert.deepStrictEqual(yield* Effect.promise(() => rowsIn(joined ?? "")), kept)
    }).pipe(Effect.provide(fileThread), Effect.scoped),
  )

  it.live("a file without the columns of where calls came from is read as if they were null", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { ask } = yield* LakeThread
      const [path, before] = [join(folder, "activity.parquet"), join(folder, "before.parquet")]
      yield* ask("append", { table: "activity", path, rows: all })
      yield* ask("finish", { path })
      const missing = [...provenanceColumns.map(({ name }) => name), "context"].join(", ")
      yield* Effect.promise(() =>
        queryDuckDb(
          `COPY (SELECT * EXCLUDE (${missing}) FROM read_parquet('${path}')) TO '${before}' (FORMAT parquet)`,
        ),
      )
      assert.deepStrictEqual(
        yield* Effect.promise(() => rowsIn(before)),
        yield* Effect.promise(() => rowsIn(path)),
      )
    }).pipe(Effect.provide(fileThread), Effect.scoped),
  )

  it.live("a check counts the rows and finds positions that are doubled", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "one.parquet")
      const { ask } = yield* LakeThread
      yield* ask("append", { table: "activity", path, rows: [rowAt(1), rowAt(2), rowAt(2), rowAt(3)] })
      const { bounds: _bounds, ...finished } = yield* ask("finish", { path })
      const checked = yield* ask("check", { table: "activity", path })
      assert.deepStrictEqual(checked, { ...finished, first: 1, last: 3, outOfOrder: [2] })
    }).pipe(Effect.provide(fileThread), Effect.scoped),
  )

  it.live("a disk that is full fails the file, and the thread goes on", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryFolder, "one.parquet")
      const { ask } = yield* LakeThread
      yield* ask("append", { table: "activity", path: "/dev/full", rows: all })
      assert.include((yield* Effect.flip(ask("finish", { path: "/dev/full" }))).message, "ENOSPC")
      yield* ask("append", { table: "activity", path, rows: all })
      assert.strictEqual((yield* ask("finish", { path })).rows, 40)
    }).pipe(Effect.provide(fileThread), Effect.scoped),
  )

  it.live("a file that is cut off cannot be read, and the thread goes on", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const path = join(folder, "one.parquet")
      const { ask } = yield* LakeThread
      yield* ask("append", { table: "activity", path, rows: all })
      yield* ask("finish", { path })
      yield* Effect.promise(async () => {
        await copyFile(path, `${path}.whole`)
        await writeFile(path, (await readFile(path)).subarray(0, 900))
      })
      assert.include((yield* Effect.flip(ask("check", { table: "activity", path }))).message, "failed")
      assert.strictEqual((yield* ask("check", { table: "activity", path: `${path}.whole` })).rows, 40)
    }).pipe(Effect.provide(fileThread), Effect.scoped),
  )
})

it("a file that cannot be written is hashed", () => {
  // The program that runs cannot be opened for writing, not even by root.
  assert.strictEqual(hashOf(process.execPath).bytes, statSync(process.execPath).size)
})
