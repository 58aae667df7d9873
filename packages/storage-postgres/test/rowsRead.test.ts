import { KnownContexts } from "@inlethq/storage/rows/contextRows"
import { KnownRules } from "@inlethq/storage/KnownRules"
import { assert, it } from "@effect/vitest"
import { decideInSlices } from "@inlethq/core/Batch"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import type { Person } from "@inlethq/core/state/Person"
import {
  addDevice,
  byAnonymousId,
  byId,
  event,
  first,
  identify,
  identifyObject,
  merge,
  noon,
  objectOf,
  register,
  remove,
  report,
  suppress,
} from "@inlethq/store-conformance/script/commands"
import { unsealedMax } from "@inlethq/core/ports/ErasureLedger"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { SweepBudget } from "@inlethq/storage/budgets/sweepBudget"
import { unsealedSql } from "@inlethq/storage/tables/erasureLedger"
import { Effect, Option } from "effect"
import type { Connection } from "../src/engine/Connection.ts"
import type { Database } from "../src/engine/Database.ts"
import type { DatabaseError } from "../src/engine/DatabaseError.ts"
import { sweepTasks } from "../src/housekeeping/sweep.ts"
import { LogScan } from "../src/read/LogScan.ts"
import { readNamed } from "@inlethq/storage/read/named"
import { personOf } from "@inlethq/storage/read/people"
import { readQueries } from "../src/read/queries.ts"
import { stateCodes } from "@inlethq/storage/columns/codes"
import { writeBatch } from "../src/write/transactBatch.ts"
import { databaseAt, describeServers } from "./server.ts"
import { emptyTables } from "./stores.ts"

/*
 * PostgreSQL counts the rows that the statements of a session read. If a statement scanned a table or a workspace, it
 * would read thousands of rows in this test.
 */

const people = 3000
const rowsReadMax = 300

/** Starts a lake that has read half of the log. */
const startLakeSql = `
  WITH read AS (
    INSERT INTO log_cursors (workspace, destination, token, sequence)
    SELECT workspace, 'lake', 1, next_sequence / 2 FROM heads WHERE workspace = $1
  )
  INSERT INTO workspaces (id, doc) VALUES ($1, '{"lake": {}, "historyDays": 30, "retentionDays": 30}')`

const digest = { of: (text: string) => text }

const readSql =
  "SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint AS count FROM pg_stat_xact_user_tables"

/**
 * Returns the number of rows that the session has read in this transaction. The number also includes rows of earlier
 * transactions that PostgreSQL has not added to its statistics yet.
 */
const rowsRead = (connection: Connection): Effect.Effect<number, DatabaseError> =>
  Effect.map(connection.query(readSql), ([row]) => Number(row?.["count"]))

const write = (database: Database["Service"], ...commands: ReadonlyArray<Command>) =>
  database.write("commit", first.id, (connection) =>
    Effect.andThen(
      writeBatch(
        connection,
        digest,
        new KnownRules(),
        new KnownContexts(),
        needsOf(first.id, commands),
        (seen) => decideInSlices(seen, commands),
      ),
      rowsRead(connection),
    ),
  )

const sweep = (database: Database["Service"], now: number) =>
  database.write("run housekeeping", first.id, (connection) =>
    Effect.andThen(
      sweepTasks(connection, digest, first.id, now, new SweepBudget(20), 0),
      rowsRead(connection),
    ),
  )

/** Adds receipts that wait for the lake. */
const addReceiptsSql = `
  INSERT INTO erasure_receipts (workspace, at, position)
  SELECT 1, ${noon}, next_sequence + n FROM heads CROSS JOIN generate_series(1, ${people}) AS n WHERE workspace = 1`

/** Returns the rows that a search for receipts that are due reads. */
const unsealed = (database: Database["Service"]) =>
  database.read("read", (connection) =>
    Effect.gen(function* () {
      const before = yield* rowsRead(connection)
      const newest = Number.MAX_SAFE_INTEGER
      yield* connection.query(unsealedSql, [newest, newest, newest])
      return (yield* rowsRead(connection)) - before
    }),
  )

/** Returns the rows that a step reads that begins with pruning, while the lake of the workspace is behind. */
const heldForLake = (database: Database["Service"], now: number) =>
  database.write("run housekeeping", first.id, (connection) =>
    Effect.gen(function* () {
      const before = yield* rowsRead(connection)
      yield* sweepTasks(connection, digest, first.id, now, new SweepBudget(20), 2)
      return (yield* rowsRead(connection)) - before
    }),
  )

/** Commands about person `n`, one for each table that commands read or write. */
const commandsOf = (n: number): ReadonlyArray<Command> => [
  identify(byId(`person ${n}`), [["n", n]], { email: `${n}@example.com`, anonymousId: `cookie ${n}` }),
  event(byId(`person ${n}`), `event ${n % 7}`, { deduplicationKey: `key ${n}` }),
  event(byAnonymousId(`visitor ${n}`), "seen", { receivedAt: noon - 40 * 24 * 3_600_000 }),
  identifyObject(objectOf("1", `object ${n}`), [["n", n]]),
  identify(byId(`person ${n}`), [], { relatedTo: [[objectOf("1", `object ${n}`), [["role", "owner"]]]] }),
  addDevice(byId(`person ${n}`), `device ${n}`),
  register(`delivery ${n}`, byId(`person ${n}`)),
  report(`delivery ${n}`, "opened", { recipient: `${n}@example.com` }),
]

describeServers("rows that PostgreSQL reads", (server) => {
  const filled = Effect.gen(function* () {
    const database = yield* databaseAt(yield* emptyTables(server()))
    // Runs the statements while the tables are small, so that PostgreSQL makes plans and statistics for small tables.
    // The test shows that these plans do no harm later.
    for (let n = 0; n < 8; n++) yield* write(database, ...commandsOf(people + n))
    yield* write(database, remove(byId(`person ${people}`)))
    for (let step = 0; step < 8; step++) yield* sweep(database, noon)
    yield* database.query("analyze", "ANALYZE")
    for (let from = 0; from < people; from += 500) {
      const batch = Array.from({ length: 500 }, (_, n) => commandsOf(from + n)).flat()
      yield* write(database, ...batch)
    }
    return database
  })

  it.live(
    "in a workspace with many people, a batch, a step of housekeeping and a page of activity read only the rows that they need",
    () =>
      Effect.gen(function* () {
        const database = yield* filled
        const costs = {
          again: yield* write(database, ...commandsOf(7)),
          new: yield* write(database, ...commandsOf(2 * people)),
          merge: yield* write(database, merge(byId("person 1"), byId("person 2"))),
          remove: yield* write(database, remove(byId("person 3"))),
          suppress: yield* write(database, suppress(byId("person 4"))),
          suppressed: yield* write(database, identify(byId("person 5"), [["n", 0]])),
          erase: yield* sweep(database, noon - 1000),
          expire: yield* sweep(database, noon),
        }
        const tooMany = Object.entries(costs).filter(([, rows]) => rows > rowsReadMax)
        assert.deepStrictEqual(tooMany, [])
        const read = yield* readActivity(database)
        assert.isAtMost(read, rowsReadMax)
        yield* database.query("start a lake", startLakeSql, [first.id])
        assert.isAtMost(yield* heldForLake(database, noon + 33 * dayMs), rowsReadMax)
        yield* database.write("add receipts", first.id, (connection) => connection.execute(addReceiptsSql))
        // As autovacuum does after so many new rows.
        yield* database.query("analyze", "ANALYZE erasure_receipts")
        // Each receipt, and the cursor of the lake for which it waits.
        assert.isAtMost(yield* unsealed(database), 2 * (unsealedMax + 1))
      }),
  )
})

/** Returns how many rows PostgreSQL reads to show the activity of a person, and to find entries by kind and by name. */
const readActivity = (database: Database["Service"]) =>
  database.read("read", (connection) =>
    Effect.gen(function* () {
      const row = yield* readQueries(connection).byText(first.id, "id:person 9", stateCodes.person)
      const person: Person = personOf(Option.getOrThrow(row))
      const filters = [
        { ...noFilter, person },
        { ...noFilter, kind: "merge" as const },
        { ...noFilter, outcome: "rejected" as const },
        { ...noFilter, name: "missing" },
        { ...noFilter, rules: ["missing"] },
        { ...noFilter, reasons: ["missing"] },
        { ...noFilter, about: { people: ["missing"], keys: [], objects: [] } },
        { ...noFilter, search: (name: string) => name === "missing" },
      ]
      for (const filter of filters) {
        const { about, person } = filter
        const named = about === null ? null : yield* readNamed(readQueries(connection), first.id, about)
        const subjects =
          person === null ? named : { keys: [person.key], anonymousCodes: [], deletions: false }
        const wanted = {
          workspace: first.id,
          filter,
          order: "desc",
          end: null,
          subjects,
          bytesMax: 1024 * 1024,
        } as const
        const scan = new LogScan(digest, wanted, null)
        yield* scan.slice(connection, scan.begin, 10)
      }
      return yield* rowsRead(connection)
    }),
  )
