import { assert, it } from "@effect/vitest"
import { Store } from "@inlethq/core/ports/Store"
import { visitorRetentionMs } from "@inlethq/core/state/Subject"
import { hourMs } from "@inlethq/core/values/Timestamp"
import {
  byAnonymousId,
  byId,
  event,
  identify,
  noon,
  remove,
  workspaceOf,
} from "@inlethq/store-conformance/script/commands"
import { activity, apply } from "@inlethq/store-conformance/script/scenario"
import { Effect } from "effect"
import { workspacesMax } from "../src/read/workspacesInTurn.ts"
import { describeServers, sessionTo } from "./server.ts"
import { emptyStore, emptyTables, nodeAt } from "./stores.ts"

/** The number of tasks of housekeeping. Each round begins with another task. */
const rounds = 4

describeServers("housekeeping", (server) => {
  it.live.each([2, 3, 4])(
    "in each of %s workspaces with many deleted people, housekeeping removes an expired visitor within four rounds",
    (count) =>
      Effect.gen(function* () {
        const workspaces = Array.from({ length: count }, (_, n) => workspaceOf(n + 1))
        const ids = Array.from({ length: 20 }, (_, n) => byId(`person ${n}`))
        for (const workspace of workspaces) {
          const expired = { in: workspace, receivedAt: noon - visitorRetentionMs - 1 }
          yield* apply(
            event(byAnonymousId("visitor"), "seen", expired),
            ...ids.map((id) => identify(id, [], { in: workspace })),
            ...ids.map((id) => remove(id, { in: workspace })),
          )
        }
        const store = yield* Store
        for (let step = 0; step < rounds * count; step++) yield* store.sweep(noon)
        for (const workspace of workspaces) {
          assert.isEmpty(yield* activity({ name: "seen" }, { workspace }))
        }
      }).pipe(Effect.provide(emptyStore(server, { sweepRowsMax: 7 }))),
  )

  it.live("housekeeping comes to a workspace that stands behind many without work", () =>
    Effect.gen(function* () {
      const url = yield* emptyTables(server())
      const session = yield* sessionTo(url)
      const workspace = workspaceOf(workspacesMax + 2)
      yield* Effect.gen(function* () {
        yield* apply(
          event(byAnonymousId("visitor"), "seen", {
            in: workspace,
            receivedAt: noon - visitorRetentionMs - 1,
          }),
        )
        yield* session.execute(
          `INSERT INTO heads (workspace) SELECT n FROM generate_series(1, ${workspacesMax}) AS n`,
        )
        const store = yield* Store
        for (let step = 0; step < 2 * rounds; step++) yield* store.sweep(noon)
        assert.isEmpty(yield* activity({ name: "seen" }, { workspace }))
      }).pipe(Effect.provide(nodeAt(url)))
    }),
  )

  it.live("housekeeping removes the rows of writers that have not written for a day, in bounded steps", () =>
    Effect.gen(function* () {
      const url = yield* emptyTables(server())
      const session = yield* sessionTo(url)
      const old = "SELECT count(*) AS n FROM writers WHERE at < now() - interval '1 day'"
      yield* Effect.gen(function* () {
        yield* apply(identify(byId("ada"), []))
        yield* session.execute(`
          INSERT INTO writers (workspace, writer, number, at)
          SELECT n % 3, 1000 + n, 1, now() - interval '2 days' FROM generate_series(1, 20) AS n`)
        yield* session.execute("INSERT INTO writers (workspace, writer, number, at) VALUES (1, 1, 1, now())")
        const store = yield* Store
        const left: Array<unknown> = []
        do {
          yield* store.sweep(noon)
          left.push((yield* session.query(old))[0]?.["n"])
        } while (left.at(-1) !== 0 && left.length < 10)
        assert.deepStrictEqual(left.slice(-3), [13, 6, 0])
        const [kept] = yield* session.query("SELECT number FROM writers WHERE workspace = 1 AND writer = 1")
        assert.deepStrictEqual(kept, { number: 1 })
        // The process whose row is gone goes on writing.
        yield* session.execute("UPDATE writers SET at = at - interval '2 days'")
        yield* store.sweep(noon + hourMs)
        assert.deepStrictEqual((yield* session.query(old))[0], { n: 0 })
        yield* apply(identify(byId("bob"), []))
      }).pipe(Effect.provide(nodeAt(url, { sweepRowsMax: 7 })))
    }),
  )
})
