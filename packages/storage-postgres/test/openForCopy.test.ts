import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { openInstallation } from "../src/installation/Installation.ts"
import { makeNodeRecords } from "../src/nodes/recordedNodes.ts"
import { openSource } from "../src/transfer/openForCopy.ts"
import { databaseAt, describeServers, migratedDatabase, settingsOf } from "./server.ts"

const secret = Redacted.make("s".repeat(32))

describeServers("the database that a copy reads", (server) => {
  it.live("a copy waits until every running server has stopped, even a server that holds no lease", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const database = yield* databaseAt(url)
      yield* openInstallation(database, secret)
      const node = yield* makeNodeRecords(database)
      yield* node.record
      const waits = yield* Deferred.make<void>()
      const opening = yield* Effect.forkChild(
        openSource(
          { connection: settingsOf(url), secret },
          Effect.asVoid(Deferred.succeed(waits, undefined)),
        ),
      )
      yield* Deferred.await(waits)
      assert.isUndefined(opening.pollUnsafe())
      yield* node.remove
      assert.strictEqual((yield* Fiber.join(opening)).tokenDigest, null)
    }),
  )
})
