import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { decideInSlices } from "@inlethq/core/Batch"
import { needsOf } from "@inlethq/core/CommandTable"
import { byId, event, first, identify, noon } from "@inlethq/store-conformance/script/commands"
import { activity, apply, people } from "@inlethq/store-conformance/script/scenario"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Store, StoreUnavailable } from "@inlethq/core/ports/Store"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { Database } from "../src/engine/Database.ts"
import { openDatabase } from "../src/openDatabase.ts"
import { services } from "@inlethq/storage-sqlite/SqliteStore"
import { temporaryDirectory } from "./temporary.ts"

const usedThrough = (database: Database) => services(database).pipe(Effect.provide(plainDigest))

/** The longest time that SQLite may block the thread to wait for a lock, in milliseconds. */
const blockedMsMax = 1000

describe("a store that cannot commit", () => {
  it.live(
    "a store fails with StoreUnavailable while another connection has locked the database, and recovers afterwards",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const database = yield* openDatabase(directory)
        assert.isAtMost(Number(database.prepare("PRAGMA busy_timeout").get()?.["timeout"]), blockedMsMax)
        yield* Effect.gen(function* () {
          const store = yield* Store
          yield* apply(identify(byId("ada")))
          const outside = new DatabaseSync(join(directory, "inlet.db"))
          outside.exec("BEGIN IMMEDIATE")
          const refusal = yield* Effect.flip(apply(event(byId("ada"), "refused")))
          assert.strictEqual(
            refusal.message,
            new StoreUnavailable({ operation: "commit", cause: null }).message,
          )
          assert.strictEqual((yield* Effect.flip(store.probe))._tag, "StoreUnavailable")
          assert.strictEqual((yield* Effect.flip(store.sweep(noon)))._tag, "StoreUnavailable")
          // While the database is locked, reads succeed.
          assert.strictEqual((yield* people()).length, 1)
          outside.exec("ROLLBACK")
          yield* store.probe
          yield* apply(event(byId("ada"), "accepted"))
          outside.close()
          assert.deepStrictEqual(
            (yield* activity()).map(({ name }) => name),
            [null, "accepted"],
          )
        }).pipe(Effect.provide(yield* usedThrough(database)))
      }),
  )

  it.effect(
    "a store fails with StoreUnavailable while the disk is full, saves nothing of a failed batch, and recovers",
    () =>
      Effect.gen(function* () {
        const database = yield* openDatabase(yield* temporaryDirectory)
        const context = yield* usedThrough(database)
        const pages = (count: number) => database.prepare(`PRAGMA max_page_count = ${count}`).get()
        yield* Effect.gen(function* () {
          const store = yield* Store
          yield* apply(identify(byId("ada")))
          pages(1)
          const batch = Array.from({ length: 500 }, (_, i) =>
            event(byId(`somebody ${i}`), "bought", { data: { text: "x".repeat(1000) } }),
          )
          for (const _ of [1, 2]) {
            const refusal = yield* Effect.flip(apply(...batch))
            assert.strictEqual(refusal._tag, "StoreUnavailable")
            assert.strictEqual((yield* Effect.flip(store.probe))._tag, "StoreUnavailable")
          }
          assert.strictEqual((yield* activity()).length, 1)
          pages(1_000_000)
          yield* store.probe
          yield* apply(...batch)
          assert.strictEqual((yield* activity({}, { limit: 100 })).length, 501)
        }).pipe(Effect.provide(context))
      }),
  )

  it.effect("a commit that can never succeed is a defect and saves nothing of the batch", () =>
    Effect.gen(function* () {
      const database = yield* openDatabase(yield* temporaryDirectory)
      yield* Effect.gen(function* () {
        const store = yield* Store
        const commands = [identify(byId("ada"))]
        const needs = needsOf(first.id, commands)
        const decided = yield* yield* store.transact(needs, (seen) => decideInSlices(seen, commands))
        // Positions are unique, so saving the same entries again fails.
        const again = function* () {
          return decided
        }
        const exit = yield* Effect.exit(store.transact(needsOf(first.id, []), again))
        assert.isTrue(Exit.hasDies(exit))
        assert.strictEqual((yield* activity()).length, 1)
        yield* apply(identify(byId("bob")))
        const directory = yield* Catalog
        assert.strictEqual((yield* directory.person(first.id, SubjectKey.make(2)))._tag, "Some")
      }).pipe(Effect.provide(yield* usedThrough(database)))
    }),
  )

  it("StoreUnavailable names the operation that failed", () => {
    const { message } = new StoreUnavailable({ operation: "commit", cause: new Error("database is locked") })
    assert.strictEqual(message, "the store cannot commit now")
  })
})
