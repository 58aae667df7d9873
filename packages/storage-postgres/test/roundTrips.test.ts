import { KnownContexts } from "@inlethq/storage/rows/contextRows"
import { KnownRules } from "@inlethq/storage/KnownRules"
import { assert, it } from "@effect/vitest"
import { decideInSlices } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import {
  byId,
  event,
  first,
  identify,
  noon,
  objectOf,
  register,
  relate,
  remove,
  submitForm,
} from "@inlethq/store-conformance/script/commands"
import { createSegment, joinSegment } from "@inlethq/store-conformance/script/segmentCommands"
import { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import { eventPosition, eventsPerEntryMax } from "@inlethq/core/webhook/EventPosition"
import { SweepBudget } from "@inlethq/storage/budgets/sweepBudget"
import { attemptRow } from "@inlethq/storage/tables/webhooks/webhookRows"
import { Effect, Option } from "effect"
import type { StoreUnavailable, WorkspaceDeleted } from "@inlethq/core/ports/Store"
import type { ServerAddress } from "@inlethq/postgres-server/ServerAddress"
import type { Driver, Session } from "../src/engine/Connection.ts"
import { Database } from "../src/engine/Database.ts"
import { sqlPgDriver } from "../src/engine/sqlPgDriver.ts"
import { sweepTasks } from "../src/housekeeping/sweep.ts"
import { makeCatalog } from "../src/read/catalog.ts"
import { transactBatch } from "../src/write/transactBatch.ts"
import { describeServers, settingsOf } from "./server.ts"
import { emptyTables } from "./stores.ts"

/**
 * The number of statements of a batch: BEGIN, writing the number of the transaction, locking the workspace, two loads,
 * three writes, and COMMIT.
 */
const statementsOfBatch = 9

/**
 * A small batch takes two round trips. The first ends with both loads. The three writes share the round trip of COMMIT.
 * In a large batch, the second load has a round trip of its own.
 */
const roundTripsOf = { small: 2, large: 3 }

/** Counts the statements that sessions send, and the round trips in which they send them. */
class Statements {
  count = 0
  roundTrips = 0
  private running = 0

  of(driver: Driver): Driver {
    return {
      connect: (host, settings) =>
        Effect.map(driver.connect(host, settings), (session) => this.counted(session)),
    }
  }

  private counted(session: Session): Session {
    return {
      ...session,
      query: (sql, parameters) => this.counting(session.query(sql, parameters)),
      queryByIndex: (sql, parameters) => this.counting(session.queryByIndex(sql, parameters)),
      execute: (sql, parameters) => this.counting(session.execute(sql, parameters)),
      executeWithNext: (sql, parameters) => this.waiting(session.executeWithNext(sql, parameters)),
      control: (sql) => this.counting(session.control(sql)),
      endRead: () => this.waiting(session.endRead()),
      beginWithNext: (sql) => this.waiting(session.beginWithNext(sql)),
      begun: () => session.begun(),
    }
  }

  private counting<A, E>(statement: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      this.count++
      if (this.running++ === 0) this.roundTrips++
      return Effect.ensuring(
        statement,
        Effect.sync(() => this.running--),
      )
    })
  }

  private waiting<A, E>(statement: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      this.count++
      return statement
    })
  }
}

const digest = { of: (text: string) => text }

const commandsFor = (n: number): ReadonlyArray<Command> => [
  identify(byId(`person ${n}`), [["plan", "pro"]]),
  event(byId(`person ${n}`), "bought", { deduplicationKey: `key ${n}` }),
]

/**
 * Opens an empty database. Returns the database, a function that counts the statements of an effect, and a function
 * that writes a batch.
 */
const countedDatabase = (server: ServerAddress) =>
  Effect.gen(function* () {
    const statements = new Statements()
    const settings = settingsOf(yield* emptyTables(server))
    const database = yield* Database.make(statements.of(sqlPgDriver(undefined)), settings)
    const statementsOf = (work: Effect.Effect<unknown, StoreUnavailable | WorkspaceDeleted>) =>
      Effect.gen(function* () {
        const { count, roundTrips } = statements
        yield* work
        return { statements: statements.count - count, roundTrips: statements.roundTrips - roundTrips }
      })
    const known = new KnownRules()
    const contexts = new KnownContexts()
    const write = (commands: ReadonlyArray<Command>) =>
      transactBatch(database, digest, known, contexts, needsOf(first.id, commands), (seen) =>
        decideInSlices(seen, commands),
      )
    return { database, statementsOf, write }
  })

describeServers("statements of a batch", (server) => {
  it.live(
    "writing a batch costs the same number of statements whatever its size, and two or three round trips",
    () =>
      Effect.gen(function* () {
        const { statementsOf, write } = yield* countedDatabase(server())
        // The first batch of a workspace also inserts the workspace's row in `heads`.
        yield* write(commandsFor(0))
        const small = [...commandsFor(0), ...commandsFor(1)]
        const large = Array.from({ length: 1000 }, (_, n) => commandsFor(n + 1)).flat()
        const statements = statementsOfBatch
        assert.deepStrictEqual(yield* statementsOf(write(small)), {
          statements,
          roundTrips: roundTripsOf.small,
        })
        assert.deepStrictEqual(yield* statementsOf(write(large)), {
          statements,
          roundTrips: roundTripsOf.large,
        })
      }),
  )
})

describeServers("statements of a batch in a workspace with rules", (server) => {
  it.live("only batches that a rule is about, or in which a leaf is due, read what rules remember", () =>
    Effect.gen(function* () {
      const { statementsOf, write } = yield* countedDatabase(server())
      const visit = (receivedAt: number) =>
        statementsOf(write([event(byId("ada"), "visited", { receivedAt })]))
      yield* write([identify(byId("ada"))])
      const withoutRules = yield* visit(noon)
      yield* write([createSegment("Buyers", { rule: { event: { name: "bought", within: "1h" } } })])
      yield* write([event(byId("ada"), "bought")])
      assert.deepStrictEqual(yield* visit(noon), withoutRules)
      const dueAt = noon + 3_600_000
      assert.deepStrictEqual(yield* visit(dueAt - 1), withoutRules)
      assert.isAbove((yield* visit(dueAt)).statements, withoutRules.statements)
      assert.deepStrictEqual(yield* visit(dueAt), withoutRules)
    }),
  )
})

const attempt = {
  position: eventPosition(Sequence.make(1), 0),
  eventId: "event",
  operationId: "operation",
  number: 1,
  at: noon,
  status: "failed",
  responseStatus: 500,
  durationMs: 1,
  nextAt: null,
} as const

const attemptSql = `
  INSERT INTO webhook_attempts (workspace, webhook, key, position, number, at, status, doc)
  SELECT workspace, 'one', sequence, sequence * ${eventsPerEntryMax}, 1, 0, 0, $1 FROM activity`

describeServers("statements of housekeeping", (server) => {
  it.live(
    "erasing a person costs the same number of statements, however many answers to their entries are kept",
    () =>
      Effect.gen(function* () {
        const { database, statementsOf, write } = yield* countedDatabase(server())
        const costs = yield* Effect.forEach([2, 50], (count) =>
          Effect.gen(function* () {
            yield* write(Array.from({ length: count }, () => event(byId(`person of ${count}`), "seen")))
            yield* write([identify(byId(`person of ${count}`))])
            const answer = attemptRow({ ...attempt, responseExcerpt: "answer" }, 1, 0).at(-1) ?? null
            yield* database.write("record attempts", first.id, (connection) =>
              Effect.andThen(
                connection.execute("DELETE FROM webhook_attempts", []),
                connection.execute(attemptSql, [answer]),
              ),
            )
            yield* write([remove(byId(`person of ${count}`))])
            const { statements } = yield* statementsOf(
              database.write("run housekeeping", first.id, (connection) =>
                sweepTasks(connection, digest, first.id, noon, new SweepBudget(), 0),
              ),
            )
            const erasedSql = "SELECT count(*) AS n FROM webhook_attempts WHERE doc NOT LIKE '%answer%'"
            const [erased] = yield* database.query("read attempts", erasedSql, [])
            assert.strictEqual(erased?.["n"], count + 1)
            return statements
          }),
        )
        assert.strictEqual(costs[1], costs[0])
      }),
  )
})

describeServers("statements of a page", (server) => {
  it.live("a page of activity that skips 2,000 hidden entries needs at most 1,500 statements", () =>
    Effect.gen(function* () {
      const { database, statementsOf, write } = yield* countedDatabase(server())
      yield* write(Array.from({ length: 2000 }, (_, n) => event(byId("ada"), `event ${n}`)))
      yield* write([remove(byId("ada"))])
      const { activity } = makeCatalog(database, digest)
      const page = { limit: 1, after: null, order: "asc" } as const
      const { statements } = yield* statementsOf(activity(first.id, { ...noFilter, kind: "event" }, page))
      assert.isAtMost(statements, 1500)
    }),
  )

  it.live("a page of a list costs the same statements and round trips whatever its size", () =>
    Effect.gen(function* () {
      const { database, statementsOf, write } = yield* countedDatabase(server())
      yield* write([createSegment("segment")])
      yield* write(
        Array.from({ length: 60 }, (_, n) => [
          relate(byId(`person ${n}`), [[objectOf("1", `object ${n % 7}`), [["role", "owner"]]]]),
          joinSegment(1, [byId(`person ${n}`)]),
          register(`delivery ${n}`, byId(`person ${n}`)),
          submitForm(`form ${n}`, []),
        ]).flat(),
      )
      yield* write(Array.from({ length: 60 }, () => event(byId("person 1"), "seen")))
      const catalog = makeCatalog(database, digest)
      const id = { kind: "id", value: "person 1" } as const
      const record = Option.getOrThrow(yield* catalog.personByIdentifier(first.id, id))
      const costs = yield* Effect.forEach([2, 50], (limit) =>
        Effect.gen(function* () {
          const page = { limit, after: null, order: "asc" } as const
          const newest = { ...page, order: "desc" } as const
          const ofPerson = { ...noFilter, person: record.person }
          return {
            people: yield* statementsOf(catalog.people(first.id, null, page)),
            search: yield* statementsOf(catalog.people(first.id, "person", page)),
            person: yield* statementsOf(catalog.personByIdentifier(first.id, id)),
            timeline: yield* statementsOf(catalog.activity(first.id, ofPerson, newest)),
            members: yield* statementsOf(catalog.members(first.id, SubjectKey.make(1), page)),
            objects: yield* statementsOf(catalog.objects(first.id, null, page)),
            deliveries: yield* statementsOf(catalog.deliveries(first.id, page)),
            forms: yield* statementsOf(catalog.forms(first.id, page)),
            segments: yield* statementsOf(catalog.segments(first.id, page)),
          }
        }),
      )
      // A slice adds three statements to those of its queries: BEGIN, settings and COMMIT, for which nobody waits.
      const expected = {
        people: { statements: 9, roundTrips: 3 },
        search: { statements: 12, roundTrips: 6 },
        person: { statements: 6, roundTrips: 3 },
        timeline: { statements: 11, roundTrips: 4 },
        members: { statements: 13, roundTrips: 4 },
        objects: { statements: 4, roundTrips: 1 },
        deliveries: { statements: 10, roundTrips: 4 },
        forms: { statements: 4, roundTrips: 1 },
        segments: { statements: 4, roundTrips: 1 },
      }
      assert.deepStrictEqual(costs, [expected, expected])
    }),
  )
})
