import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { byId, event } from "@inlethq/store-conformance/script/commands"
import { activity, apply } from "@inlethq/store-conformance/script/scenario"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  Checkpoints,
  passFromPages,
  restartFromPages,
  restPagesMax,
  waitFromPages,
} from "../src/engine/Checkpoints.ts"
import { storeIn, temporaryDirectory } from "./temporary.ts"

const data = { text: "x".repeat(10_000) }

/** Commits a change of a few hundred pages. */
const commit = (round: number) =>
  apply(...Array.from({ length: 100 }, (_, i) => event(byId("ada"), `event ${round} ${i}`, { data })))

/**
 * Returns the number of pages in the write-ahead log, and the number of its pages that were not moved to the database
 * file yet.
 */
const logOf = (outside: DatabaseSync) => {
  const { checkpointed, log } = outside.prepare("PRAGMA wal_checkpoint(NOOP)").get() ?? {}
  return { pages: Number(log), left: Number(log) - Number(checkpointed) }
}

describe("the write-ahead log", () => {
  it.live(
    "a background thread moves the write-ahead log into the database, and the log then starts over",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          let rounds = 0
          yield* commit(rounds++)
          const outside = new DatabaseSync(join(directory, "inlet.db"))
          // Nothing commits during this wait, so only the background thread can move pages out of the write-ahead log.
          const moved = Effect.repeat(Effect.yieldNow, { until: () => logOf(outside).left < passFromPages })
          const lengths: Array<number> = []
          for (let begun = 0; begun < 1;) {
            yield* commit(rounds++)
            const { pages } = logOf(outside)
            if (pages < (lengths.at(-1) ?? 0)) begun++
            lengths.push(pages)
            // Wait until few pages of the write-ahead log are left to move into the database file, so that the log can
            // start over.
            if (pages < restartFromPages) yield* moved
            else yield* Effect.repeat(Effect.yieldNow, { until: () => logOf(outside).left <= restPagesMax })
          }
          outside.close()
          assert.isAbove(Math.max(...lengths), passFromPages)
          assert.isBelow(Math.max(...lengths), waitFromPages)
          const newest = yield* activity({ name: `event ${rounds - 1} 99` }, { limit: 100 })
          assert.strictEqual(newest.length, 1)
        }).pipe(Effect.provide(storeIn(directory)))
      }),
  )

  it.live(
    "if the write-ahead log is too long, writes wait until all of its pages are in the database file",
    () =>
      Effect.gen(function* () {
        const file = join(yield* temporaryDirectory, "some.db")
        const connection = new DatabaseSync(file)
        connection.exec(
          "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE filler (content)",
        )
        const checkpoints = new Checkpoints(connection, file, () => {}, 1000)
        const fill = (pages: number) => {
          connection.exec(`INSERT INTO filler VALUES (zeroblob(${pages * 4096}))`)
          checkpoints.movePages(checkpoints.measure())
        }
        fill(900)
        yield* checkpoints.waitForRoom
        // This reader holds a snapshot. SQLite cannot move pages that are newer than the snapshot into the database
        // file.
        const reader = new DatabaseSync(file)
        reader.exec("BEGIN; SELECT count(*) FROM filler")
        fill(200)
        const held = yield* Effect.flip(checkpoints.waitForRoom.pipe(Effect.timeout("200 millis")))
        assert.strictEqual(held._tag, "TimeoutError")
        assert.isAbove(logOf(connection).left, 0)
        reader.exec("COMMIT")
        // `waitForRoom` fails after five seconds. On a busy machine the thread may take longer to start, so try again.
        yield* Effect.eventually(checkpoints.waitForRoom)
        assert.strictEqual(logOf(connection).left, 0)
        fill(1)
        assert.isBelow(logOf(connection).pages, 100)
        yield* Effect.promise(() => checkpoints.stop())
        reader.close()
        connection.close()
      }),
  )

  it.effect("a write waits until the background thread has moved the pages of a long write-ahead log", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "some.db")
      const connection = new DatabaseSync(file)
      const pageBytes = 512
      connection.exec(
        `PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE filler (content)`,
      )
      const checkpoints = new Checkpoints(connection, file, () => {})
      const fill = (pages: number) => {
        connection.exec(`INSERT INTO filler VALUES (zeroblob(${pages * pageBytes}))`)
        checkpoints.movePages(checkpoints.measure())
      }
      for (let round = 0; round < 3; round++) {
        fill(waitFromPages + restPagesMax)
        // The wait would end after five seconds, which never pass on the clock of the test.
        yield* checkpoints.waitForRoom
        assert.strictEqual(logOf(connection).left, 0)
        fill(1)
        assert.isBelow(logOf(connection).pages, 100)
      }
      yield* Effect.promise(() => checkpoints.stop())
      connection.close()
    }),
  )

  it.live(
    "after the checkpoint thread has failed, commits move the write-ahead log into the database file themselves",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const connection = new DatabaseSync(join(directory, "some.db"))
        connection.exec(
          "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE filler (content)",
        )
        const checkpoints = new Checkpoints(connection, join(directory, "nowhere", "some.db"), () => {})
        connection.exec(`INSERT INTO filler VALUES (zeroblob(${passFromPages * 4096}))`)
        const warning = yield* Effect.callback<Error>((resume) => {
          process.once("warning", (warned) => resume(Effect.succeed(warned)))
          checkpoints.movePages(checkpoints.measure())
        })
        assert.match(warning.message, /^the checkpoint thread failed, so commits now make the checkpoints/)
        checkpoints.movePages(checkpoints.measure())
        assert.isAtLeast(logOf(connection).left, passFromPages)
        yield* Effect.promise(() => checkpoints.stop())
        connection.close()
      }),
  )
})
