import { assert, it } from "@effect/vitest"
import { decideInSlices } from "@inlethq/core/Batch"
import { ReadTurns, Turns } from "@inlethq/engine/reads/ReadTurns"
import { needsOf } from "@inlethq/core/CommandTable"
import { Store } from "@inlethq/core/ports/Store"
import { byId, event, first } from "@inlethq/store-conformance/script/commands"
import { Effect } from "effect"
import { describeServers } from "./server.ts"
import { emptyStore } from "./stores.ts"

/** Counts the commits that the store reports to the scheduler of reads. */
class CountingTurns extends ReadTurns {
  commits = 0
  override committing<A, E, R>(commit: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      this.commits++
      return super.committing(commit)
    })
  }
}

describeServers("the schedule of reads and deliveries", (server) => {
  it.live("each commit is reported to the scheduler of reads, so that reads leave time for ingestion", () => {
    const turns = new CountingTurns()
    const commands = [event(byId("ada"), "bought")]
    return Effect.gen(function* () {
      const store = yield* Store
      yield* Effect.flatten(
        store.transact(needsOf(first.id, commands), (seen) => decideInSlices(seen, commands)),
      )
      assert.strictEqual(turns.commits, 1)
    }).pipe(Effect.provide(emptyStore(server)), Effect.provideService(Turns, turns))
  })
})
