import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readDatabaseState } from "../src/read/databaseState.ts"
import { databaseAt, describeServers, migratedDatabase } from "./server.ts"

describeServers("the state of a database", (server) => {
  it.live("a server without a standby reports its version, settings, connections and clock", () =>
    Effect.gen(function* () {
      const state = yield* readDatabaseState(yield* databaseAt(yield* migratedDatabase(server())), {
        poolSize: 8,
        prepare: true,
      })
      assert.strictEqual(Number.parseInt(state.version, 10), server().version)
      assert.isAbove(state.format, 0)
      assert.deepInclude(state, { synchronousCommit: "on", synchronousStandbyNames: "", standbys: [] })
      assert.isAtLeast(state.connections, 1)
      assert.strictEqual(state.connectionsMax, 200)
      assert.strictEqual(state.connectionsNeeded, 20)
      assert.isAbove(state.bytes, 0)
      assert.isFalse(state.isDistributed)
      assert.isTrue(Number.isInteger(state.clockAheadMs))
    }),
  )
})
