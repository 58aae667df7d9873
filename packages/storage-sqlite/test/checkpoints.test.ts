import { statSync } from "node:fs"
import { join } from "node:path"
import { byId, event, identify } from "@inlet/core/testing/commands"
import { activity, apply } from "@inlet/core/testing/scenario"
import { plainDigest } from "@inlet/core/testing/digest"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { logPagesMax } from "../src/Checkpoints.ts"
import { openDatabase } from "../src/Database.ts"
import { services } from "../src/SqliteStore.ts"
import { temporaryDirectory } from "./temporary.ts"

/** About as many bytes of the write-ahead log as a page takes there. */
const pageBytes = 4096 + 24

const data = { text: "x".repeat(10_000) }

/** A commit of a few hundred pages. */
const commit = (round: number) =>
  apply(...Array.from({ length: 100 }, (_, i) => event(byId("ada"), `event ${round} ${i}`, { data })))

describe("the write-ahead log", () => {
  it.live("is moved into the database beside commits, and begins anew", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const database = yield* openDatabase(directory)
      const context = yield* services(database).pipe(Effect.provide(plainDigest))
      yield* Effect.gen(function* () {
        yield* apply(identify(byId("ada")))
        let written = 0
        let longest = 0
        let rounds = 0
        // More than the log may hold where nobody but who commits moves pages.
        while (written < 1.5 * logPagesMax * pageBytes) {
          yield* commit(rounds++)
          written += 100 * 10_000
          longest = Math.max(longest, statSync(join(directory, "inlet.db-wal")).size)
          // Whoever commits goes on in a turn of its own, and so hears of the thread.
          yield* Effect.yieldNow
        }
        assert.isBelow(longest, 0.75 * logPagesMax * pageBytes)
        assert.isAbove(statSync(join(directory, "inlet.db")).size, written / 2)
        const newest = yield* activity({ name: `event ${rounds - 1} 99` }, { limit: 100 })
        assert.strictEqual(newest.length, 1)
      }).pipe(Effect.provide(context))
    }),
  )
})
