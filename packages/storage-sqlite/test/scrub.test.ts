import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Store } from "@inlethq/core/ports/Store"
import { byId, event, identify, noon, remove } from "@inlethq/store-conformance/script/commands"
import { activity, apply, sweepAll } from "@inlethq/store-conformance/script/scenario"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { storeIn, temporaryDirectory } from "./temporary.ts"

/** Returns the number of erasures in the database, and how many of them the last complete scrub covers. */
const scrubCounters = (directory: string) => {
  const file = new DatabaseSync(join(directory, "inlet.db"), { readOnly: true })
  const [erasures = 0, scrubbed = 0] = ["erasures", "scrubbed"].map((name) =>
    Number(file.prepare("SELECT value FROM counters WHERE name = ?").get(name)?.["value"] ?? 0),
  )
  file.close()
  return { erasures, scrubbed }
}

const isScrubbed = (directory: string): boolean => {
  const { erasures, scrubbed } = scrubCounters(directory)
  return scrubbed === erasures
}

const deletePerson = (id: string) =>
  Effect.gen(function* () {
    yield* apply(identify(byId(id)), event(byId(id), "bought"))
    yield* apply(remove(byId(id)))
  })

describe("scrubbing", () => {
  it.effect(
    "a store in which scrubbing (overwriting old copies of deleted data) is turned off erases deleted people without scrubbing the file, and scrubs the file after scrubbing is turned on",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          yield* deletePerson("ada")
          yield* sweepAll(noon)
          assert.deepStrictEqual(yield* activity({ kind: "event" }), [])
          const { erasures, scrubbed } = scrubCounters(directory)
          assert.isAbove(erasures, 0)
          assert.strictEqual(scrubbed, 0)
        }).pipe(Effect.provide(storeIn(directory, { scrub: false }), { local: true }))
        yield* Effect.gen(function* () {
          yield* sweepAll(noon)
          const { erasures, scrubbed } = scrubCounters(directory)
          assert.strictEqual(scrubbed, erasures)
        }).pipe(Effect.provide(storeIn(directory), { local: true }))
      }),
  )

  it.effect(
    "a scrubbing pass starts after a wait of nine times the duration of the last pass, or at once if the clock was set back",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          const { sweep } = yield* Store
          let now = noon
          /**
           * Runs a step of housekeeping once a second until nothing is left to do, and returns how many seconds this
           * took.
           */
          const sweepByTheSecond = Effect.gen(function* () {
            const start = now
            while (!(yield* sweep(now)).done) now += 1000
            return (now - start) / 1000
          })
          const filler = Array.from({ length: 600 }, (_, i) =>
            event(byId("bob"), `event ${i}`, { data: { text: "x".repeat(10_000) } }),
          )
          yield* apply(...filler)
          yield* sweepByTheSecond
          yield* deletePerson("ada")
          const passSeconds = yield* sweepByTheSecond
          assert.isAbove(passSeconds, 3)
          assert.isTrue(isScrubbed(directory))

          yield* deletePerson("eve")
          yield* sweepByTheSecond
          assert.isFalse(isScrubbed(directory))
          now += 9 * passSeconds * 1000
          yield* sweepByTheSecond
          assert.isTrue(isScrubbed(directory))

          yield* deletePerson("joe")
          now -= 2 * 60 * 60 * 1000
          yield* sweepByTheSecond
          assert.isTrue(isScrubbed(directory))
        }).pipe(Effect.provide(storeIn(directory)))
      }),
  )
})
