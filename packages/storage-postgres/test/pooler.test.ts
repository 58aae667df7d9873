import { assert, describe, it } from "@effect/vitest"
import { Pooler } from "@inlethq/postgres-server/Pooler"
import { decideInSlices } from "@inlethq/core/Batch"
import { needsOf } from "@inlethq/core/CommandTable"
import { Store } from "@inlethq/core/ports/Store"
import { byId, event, first, identify } from "@inlethq/store-conformance/script/commands"
import { Context, Effect, Layer, Logger } from "effect"
import { openDatabase } from "../src/openDatabase.ts"
import type { Session } from "../src/engine/Connection.ts"
import { checkPooler, isPooled } from "../src/engine/startChecks.ts"
import { databaseAt, describeServers, emptyDatabase, sessionTo, settingsOf, throughPort } from "./server.ts"
import { nodeAt } from "./stores.ts"

const batches = 60

const commandsFor = (n: number) => [
  identify(byId(`person ${n % 7}`), [["n", n]]),
  event(byId(`person ${n % 7}`), "bought", { deduplicationKey: `key ${n}` }),
]

const warningsOf = (session: Pick<Session, "query" | "toldProcess">, prepare: boolean) =>
  Effect.gen(function* () {
    const warnings: Array<string> = []
    const logger = Logger.make(({ message }) => void warnings.push(String(message)))
    yield* checkPooler(session, prepare).pipe(Effect.provide(Logger.layer([logger])))
    return warnings
  })

describeServers("a node", (server) => {
  it.live("warns of a pooler by the process that it was told, and only if statements have names", () =>
    Effect.gen(function* () {
      const session = yield* sessionTo(yield* emptyDatabase(server()))
      assert.deepStrictEqual(yield* warningsOf(session, true), [])
      const pooled = { query: session.query, toldProcess: session.toldProcess + 1 }
      assert.deepStrictEqual(yield* warningsOf(pooled, false), [])
      const [warning = "", ...others] = yield* warningsOf(pooled, true)
      assert.include(warning, "prepare=false")
      assert.isEmpty(others)
    }),
  )
})

describe.skipIf(!Pooler.isInstalled())("with a pooler in transaction mode", () => {
  describeServers("nodes", (server) => {
    const pooled = Effect.gen(function* () {
      const pooler = yield* Effect.acquireRelease(
        Effect.promise(() => Pooler.start(server())),
        (started) => Effect.promise(() => started.remove()),
      )
      const direct = yield* emptyDatabase(server())
      return { direct, url: `${throughPort(direct, pooler.port)}?prepare=false&sslmode=disable` }
    })

    it.live("nodes migrate the database through a pooler and commit batches in order", () =>
      Effect.gen(function* () {
        const { url } = yield* pooled
        yield* openDatabase(settingsOf(url))
        const nodes = [yield* Layer.build(nodeAt(url)), yield* Layer.build(nodeAt(url))]
        const sent = Array.from({ length: batches }, (_, n) => {
          const node = nodes[n % nodes.length]
          assert(node !== undefined)
          const commands = commandsFor(n)
          return Effect.flatten(
            Context.get(node, Store).transact(needsOf(first.id, commands), (seen) =>
              decideInSlices(seen, commands),
            ),
          )
        })
        const decided = yield* Effect.all(sent, { concurrency: 8 })
        const positions = decided.flatMap(({ entries }) => entries.map(({ sequence }) => Number(sequence)))
        assert.deepStrictEqual(
          positions.toSorted((a, b) => a - b),
          Array.from({ length: 2 * batches }, (_, n) => n + 1),
        )
      }),
    )

    it.live("a pooler is told from the server itself", () =>
      Effect.gen(function* () {
        const { direct, url } = yield* pooled
        assert.isTrue(yield* isPooled(yield* sessionTo(url)))
        assert.isFalse(yield* isPooled(yield* sessionTo(direct)))
      }),
    )

    it.live("nodes leave no setting and no prepared statement on the connections of a pooler", () =>
      Effect.gen(function* () {
        const { url } = yield* pooled
        const database = yield* databaseAt(url)
        const look = (seconds: number) =>
          database.query(
            "look",
            `SELECT pg_backend_pid() AS pid, current_setting('lock_timeout') AS lock, current_setting('enable_seqscan') AS plan,
              (SELECT count(*) FROM pg_prepared_statements WHERE name <> '') AS named, pg_sleep(${seconds})::text`,
          )
        const work = Array.from({ length: 20 }, () =>
          database.write("commit", 1, (connection) => connection.query("SELECT 1")),
        )
        yield* openDatabase(settingsOf(url))
        yield* Effect.all(work, { concurrency: 10 })
        const looks = yield* Effect.all(
          Array.from({ length: 12 }, () => look(0.05)),
          { concurrency: 12 },
        )
        const backends = new Map(looks.map(([row]) => [row?.["pid"], row]))
        assert.isAbove(backends.size, 1)
        for (const [pid, row] of backends) {
          assert.deepInclude(row, { pid, lock: "0", plan: "on", named: 0 })
        }
      }),
    )
  })
})
