import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { type LakeFile, LakeTable } from "@inlethq/core/ports/LakeFiles"
import { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { lakeColumns, type Cell, type LakeRow } from "../src/columns.ts"
import { provenanceColumns } from "../src/provenanceColumns.ts"
import { emptyPath, manifestPath } from "../src/layout.ts"
import { manifestOf, manifestText } from "../src/Manifest.ts"
import { ShapeSummary } from "@inlethq/log/types/ShapeSummary"
import { eventShapeOf } from "../src/sql/EventShapes.ts"
import { lakeStatements } from "../src/sql/lakeStatements.ts"
import { LakeThread } from "../src/thread/LakeThread.ts"
import { fileThread } from "./fileThread.ts"
import { queryDuckDb } from "./duckdb.ts"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "inlet-lake-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true })),
)

const workspace = WorkspaceId.make(1)

type Named = Readonly<Record<string, Cell>>

const event = (position: number, subject: number, name: string, data: object): Named => ({
  position,
  operation_id: `op${position}`,
  received_at: 1000 * position,
  happened_at: 1000 * position,
  kind: "event",
  name,
  outcome: "applied",
  source: "track-v2",
  subject,
  data: JSON.stringify(data),
})

const person = (subject: number): Named => ({
  subject,
  svc_id: `p${subject}`,
  anonymous_ids: "[]",
  attributes: "{}",
  segments: "[]",
  relationships: "[]",
  devices: "[]",
  created_at: 0,
  updated_at: 0,
})

/** Writes one file of each table, and returns what the manifest says about them. */
const write = Effect.fnUntraced(function* (
  url: string,
  tables: Readonly<Partial<Record<LakeTable, ReadonlyArray<Named>>>>,
) {
  const { ask } = yield* LakeThread
  const files: Array<LakeFile> = []
  for (const table of LakeTable.literals) {
    const rows = tables[table]
    if (rows === undefined) continue
    const cells = rows.map((row): LakeRow => lakeColumns[table].map(({ name }) => row[name] ?? null))
    const path = `${table}.parquet`
    yield* ask("append", { table, path: join(url, path), rows: cells })
    const finished = yield* ask("finish", { path: join(url, path) })
    const range = { from: Sequence.make(1), to: Sequence.make(9) }
    files.push({ table, path, ...range, generation: 1, erased: 0, pruned: 0, ...finished })
  }
  return files
})

/** Writes the manifest, and the files without rows. */
const publish = Effect.fnUntraced(function* (url: string, files: ReadonlyArray<LakeFile>) {
  const { ask } = yield* LakeThread
  yield* Effect.promise(() => mkdir(join(url, "lake/1/_empty"), { recursive: true }))
  for (const table of LakeTable.literals) {
    const path = join(url, emptyPath(workspace, table))
    yield* ask("append", { table, path, rows: [] })
    yield* ask("finish", { path })
  }
  yield* Effect.promise(() => writeFile(join(url, manifestPath(workspace)), manifestText(manifestOf(files))))
})

const shapesOf = (events: ReadonlyArray<Named>) => {
  const shapes = new Map<string, ShapeSummary>()
  for (const [place, { data, name }] of events.entries()) {
    const seen = { position: place + 1, batchIndex: -1, receivedAt: 0, sender: 0 }
    const shape = shapes.get(String(name)) ?? new ShapeSummary(seen, { used: 0 })
    shapes.set(String(name), shape)
    shape.add(JSON.parse(String(data)), seen, { key: 1, attached: [] })
  }
  return Array.from(shapes, ([name, { root }]) => eventShapeOf(name, root)).filter((shape) => shape !== null)
}

/** Runs a query on the views of DuckDB over files with these rows. */
const query = (
  tables: Readonly<Partial<Record<LakeTable, ReadonlyArray<Named>>>>,
  ...queries: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const url = yield* folder
    const files = yield* write(url, tables)
    const settings = { target: "folder", url, erasureDays: 7 } as const
    yield* publish(url, files)
    const shapes = shapesOf(tables.activity ?? [])
    const statements = lakeStatements("duckdb", { workspace, settings, files }, shapes)
    return yield* Effect.forEach(queries, (sql) => Effect.promise(() => queryDuckDb(statements, sql)))
  }).pipe(Effect.provide(fileThread), Effect.scoped)

describe("the statements for DuckDB", () => {
  it.live("an event belongs to the person who has its subject now", () =>
    Effect.gen(function* () {
      const activity = [
        event(1, 10, "seen", {}),
        event(2, 20, "seen", {}),
        event(3, 30, "seen", {}),
        event(4, 30, "seen", {}),
        event(5, 40, "seen", {}),
      ]
      const subjects = [
        { position: 1, subject: 10, owner: 10, since: 0, state: "person" },
        { position: 2, subject: 20, owner: 20, since: 0, state: "person" },
        { position: 5, subject: 40, owner: null, since: null, state: "visitor" },
        // A merge changed these rows, and no row of an event.
        { position: 6, subject: 20, owner: 10, since: 0, state: "attached" },
        { position: 7, subject: 30, owner: 10, since: 4000, state: "attached" },
      ]
      const [owned, all] = yield* query(
        { activity, subjects },
        "SELECT position, person FROM person_events ORDER BY position",
        "SELECT count(*) AS n, count(person) AS owned FROM events",
      )
      assert.deepStrictEqual(owned, [
        { position: "1", person: "10" },
        { position: "2", person: "10" },
        { position: "4", person: "10" },
      ])
      assert.deepStrictEqual(all, [{ n: "5", owned: "3" }])
    }),
  )

  it.live("the rows of whoever was deleted are hidden until they leave the files", () =>
    Effect.gen(function* () {
      const activity = [
        event(1, 10, "seen", {}),
        event(2, 20, "seen", {}),
        event(3, 30, "seen", {}),
        { ...event(4, 10, "seen", {}), kind: "delete" },
      ]
      const subjects = [
        { position: 1, subject: 10, owner: 10, since: 0, state: "person" },
        { position: 2, subject: 20, owner: 10, since: 0, state: "attached" },
        { position: 3, subject: 30, owner: 30, since: 0, state: "person" },
      ]
      const [log, people, stored] = yield* query(
        {
          activity,
          subjects,
          people: [person(10), person(30)],
          erased: [{ position: 4, subject: 10, received_at: 4000 }],
        },
        "SELECT position FROM activity ORDER BY position",
        "SELECT subject FROM people",
        "SELECT count(*) AS n FROM activity_in_files",
      )
      assert.deepStrictEqual(log, [{ position: "3" }, { position: "4" }])
      assert.deepStrictEqual(people, [{ subject: "30" }])
      assert.deepStrictEqual(stored, [{ n: "4" }])
    }),
  )

  it.live("each event name has a view with a column of the right type for each field", () =>
    Effect.gen(function* () {
      const activity = [
        event(1, 10, "Order Completed", { price: 9.5, paid: true, items: ["a"], note: "x", "a/b~c": 1 }),
        event(2, 10, "Order Completed", { price: "free", paid: null, Note: "y", data: 3, "": 4 }),
        event(3, 10, "order-completed", { price: 1 }),
        event(4, 10, "'; DROP VIEW lake_1.activity; --", { "\"k\\'": "v" }),
        event(5, 10, "\n", { [`${"long".repeat(30)}1`]: 1, [`${"long".repeat(30)}2`]: 2 }),
      ]
      const [orders, other, hostile, long, names] = yield* query(
        { activity },
        `SELECT position, price, paid, items, "Note" AS note, note_2, "a/b~c", data_2, unnamed FROM event_order_completed ORDER BY position`,
        "SELECT price, typeof(price) AS type FROM event_order_completed_2",
        `SELECT """k\\'" AS v FROM event_drop_view_lake_1_activity`,
        "SELECT * EXCLUDE (position, happened_at, received_at, person, subject, data) FROM event_unnamed",
        "SELECT count(*) AS n FROM activity",
      )
      const none = { items: null, note: null, note_2: null, "a/b~c": null, data_2: null, unnamed: null }
      assert.deepStrictEqual(orders, [
        { ...none, position: "1", price: "9.5", paid: true, items: '["a"]', note_2: "x", "a/b~c": 1 },
        { ...none, position: "2", price: '"free"', paid: null, note: "y", data_2: 3, unnamed: 4 },
      ])
      assert.deepStrictEqual(other, [{ price: 1, type: "DOUBLE" }])
      assert.deepStrictEqual(hostile, [{ v: "v" }])
      assert.deepStrictEqual(Object.values(long?.[0] ?? {}), [1, 2])
      assert.deepStrictEqual(names, [{ n: "5" }])
    }),
  )

  it.live("files without the columns of where calls came from are read beside others", () =>
    Effect.gen(function* () {
      const url = yield* folder
      const settings = { target: "folder", url, erasureDays: 7 } as const
      const told = { ...event(2, 10, "seen", {}), page_path: "/pricing", context: '{"locale":"de"}' }
      const files = yield* write(url, { activity: [event(1, 10, "seen", {}), told] })
      const missing = [...provenanceColumns.map(({ name }) => name), "context"].join(", ")
      const from = `FROM read_parquet('${url}/activity.parquet')`
      yield* Effect.promise(() =>
        queryDuckDb(
          `COPY (SELECT * EXCLUDE (${missing}) ${from} WHERE position = 1) TO '${url}/before.parquet' (FORMAT parquet)`,
          `COPY (SELECT * ${from} WHERE position = 2) TO '${url}/after.parquet' (FORMAT parquet)`,
        ),
      )
      const both = ["before", "after"].flatMap((name) =>
        files.map((file) => ({ ...file, path: `${name}.parquet` })),
      )
      for (const listed of [both, both.toReversed()]) {
        yield* publish(url, listed)
        const statements = lakeStatements("duckdb", { workspace, settings, files: listed }, [])
        const rows = yield* Effect.promise(() =>
          queryDuckDb(statements, "SELECT position, page_path, context FROM activity ORDER BY position"),
        )
        assert.deepStrictEqual(rows, [
          { position: "1", page_path: null, context: null },
          { position: "2", page_path: "/pricing", context: '{"locale":"de"}' },
        ])
      }
    }).pipe(Effect.provide(fileThread), Effect.scoped),
  )

  it.live("the same statements read the files that are there later", () =>
    Effect.gen(function* () {
      const url = yield* folder
      const settings = { target: "folder", url, erasureDays: 7 } as const
      yield* publish(url, [])
      const statements = lakeStatements("duckdb", { workspace, settings, files: [] }, [])
      const count = Effect.promise(() => queryDuckDb(statements, "SELECT count(*) AS n FROM activity"))
      assert.deepStrictEqual(yield* count, [{ n: "0" }])
      yield* publish(url, yield* write(url, { activity: [event(1, 10, "seen", {})] }))
      assert.deepStrictEqual(yield* count, [{ n: "1" }])
    }).pipe(Effect.provide(fileThread), Effect.scoped),
  )

  it.live("a lake without files has all views, which are empty", () =>
    Effect.gen(function* () {
      const [log, people] = yield* query({}, "SELECT * FROM person_events", "SELECT * FROM people")
      assert.deepStrictEqual([log, people], [[], []])
    }),
  )
})

describe("the statements for ClickHouse", () => {
  const bucket = {
    target: "s3",
    url: "s3://events/it's a",
    endpoint: "https://storage.example.com/",
    region: "eu-central-1",
    accessKeyId: "key",
    secret: "sealed",
    erasureDays: 7,
  } as const
  const position = Sequence.make(1)
  const sizes = { generation: 1, rows: 1, erased: 0, pruned: 0, bytes: 1, sha256: "" }
  const file = {
    table: "activity",
    path: "lake/1/activity/one.parquet",
    from: position,
    to: position,
    ...sizes,
  } as const
  const statementsOf = (url: string, files: ReadonlyArray<LakeFile>) =>
    lakeStatements("clickhouse", { workspace, settings: { ...bucket, url }, files }, [])

  it("read the list of the files of a bucket with each query", () => {
    const statements = statementsOf(bucket.url, [file])
    assert.strictEqual(statements, statementsOf(bucket.url, []))
    assert.include(
      statements,
      "FROM s3(lake_1, url = 'https://storage.example.com/events/it\\'s%20a/lake/1/activity/**', format = 'Parquet', structure = ",
    )
    assert.include(
      statements,
      "WHERE _path IN (SELECT concat('events/it\\'s a/', JSONExtractString(arrayJoin(JSONExtractArrayRaw(json, 'files')), 'path'))",
    )
    assert.include(
      statements,
      "FROM s3(lake_1, url = 'https://storage.example.com/events/it\\'s%20a/lake/1/_manifest.json', format = 'JSONAsString', structure = 'json String'))",
    )
  })

  it("list the files of a bucket whose prefix looks like a pattern", () => {
    const statements = statementsOf("s3://events/{a}", [file])
    assert.include(
      statements,
      "url = 'https://storage.example.com/events/%7Ba%7D/lake/1/activity/one.parquet'",
    )
    assert.notInclude(statements, "_manifest")
  })
})
