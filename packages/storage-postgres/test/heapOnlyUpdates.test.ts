import { KnownContexts } from "@inlethq/storage/rows/contextRows"
import { KnownRules } from "@inlethq/storage/KnownRules"
import { assert, it } from "@effect/vitest"
import { decideInSlices } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import { byId, first, identify, noon } from "@inlethq/store-conformance/script/commands"
import { Effect } from "effect"
import type { Connection } from "../src/engine/Connection.ts"
import { writeBatch } from "../src/write/transactBatch.ts"
import { databaseAt, describeServers } from "./server.ts"
import { emptyTables } from "./stores.ts"

const digest = { of: (text: string) => text }

const people = 10

const identifyAll = (plan: string, receivedAt: number): ReadonlyArray<Command> =>
  Array.from({ length: people }, (_, n) => identify(byId(`person ${n}`), [["plan", plan]], { receivedAt }))

/** Counts all updates of people's rows, and the heap-only updates (updates that changed no index). */
const countSql = `
  SELECT n_tup_upd AS updated, n_tup_hot_upd AS heap_only FROM pg_stat_xact_user_tables WHERE relname = 'subjects'`

const countsIn = (connection: Connection) =>
  Effect.map(connection.query(countSql), ([row]) => [Number(row?.["updated"]), Number(row?.["heap_only"])])

const write = (connection: Connection, commands: ReadonlyArray<Command>) =>
  writeBatch(connection, digest, new KnownRules(), new KnownContexts(), needsOf(first.id, commands), (seen) =>
    decideInSlices(seen, commands),
  )

describeServers("heap-only updates of PostgreSQL", (server) => {
  it.live("an update of a person changes no index of the PostgreSQL tables", () =>
    Effect.gen(function* () {
      const database = yield* databaseAt(yield* emptyTables(server()))
      yield* database.write("commit", first.id, (connection) => write(connection, identifyAll("free", noon)))
      const [before, after] = yield* database.write("commit", first.id, (connection) =>
        Effect.gen(function* () {
          const earlier = yield* countsIn(connection)
          yield* write(connection, identifyAll("pro", noon + 1))
          return [earlier, yield* countsIn(connection)] as const
        }),
      )
      assert.deepStrictEqual(
        after.map((count, column) => count - (before[column] ?? 0)),
        [people, people],
      )
    }),
  )
})
