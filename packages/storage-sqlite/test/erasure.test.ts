import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Command } from "@inlet/core/Command"
import {
  activity,
  apply,
  byAnonymousId,
  byId,
  event,
  identify,
  noon,
  people,
  remove,
  sweepAll,
} from "@inlet/core/testing/scenario"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { layer } from "../src/SqliteStore.ts"
import { temporaryDirectory } from "./temporary.ts"

/** Which of some marks stand somewhere in the files of a directory, in clear. */
const found = (directory: string, marks: ReadonlyArray<string>) => {
  const inClear = new Set(
    readdirSync(directory).flatMap(
      (file) =>
        readFileSync(join(directory, file))
          .toString("latin1")
          .match(/mark-\d+-/g) ?? [],
    ),
  )
  return marks.filter((mark) => inClear.has(mark))
}

/** A person's worth of commands in which every text holds a mark of theirs, with rows that grow and move. */
const lifeOf = (who: number, round: number): ReadonlyArray<Command> => {
  const mark = `mark-${who}-`
  const receivedAt = noon + round
  const length = ((who * 7919 + round * 104_729) % 23) * 40
  return [
    event(byAnonymousId(`${mark}cookie`), `${mark}seen`, { receivedAt }),
    identify(byId(`${mark}id`), [[`${mark}name${round}`, `${mark}${"v".repeat(length)}`]], {
      receivedAt,
      email: `${mark}@example.com`,
      ...(round === 2 && { anonymousId: `${mark}cookie` }),
      deduplicationKey: `${mark}identify${round}`,
    }),
    event(byId(`${mark}id`), `${mark}bought`, {
      receivedAt,
      data: { [mark]: `${mark}${"d".repeat(length * 3)}` },
      deduplicationKey: `${mark}event${round}`,
    }),
  ]
}

const everybody = Array.from({ length: 400 }, (_, i) => i + 1000)
const gone = everybody.filter((who) => who % 3 !== 0)
const marksOf = (people: ReadonlyArray<number>) => people.map((who) => `mark-${who}-`)

describe("erasing", () => {
  it.effect("leaves nothing of who was deleted in clear in any file, and everybody else as they were", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.gen(function* () {
        for (const round of [1, 2, 3, 4]) {
          yield* apply(...everybody.flatMap((who) => lifeOf(who, round)))
        }
        assert.deepStrictEqual(found(directory, marksOf(everybody)), marksOf(everybody))
        yield* apply(...gone.map((who) => remove(byId(`mark-${who}-id`))))
        yield* sweepAll(noon + 1000)
        assert.deepStrictEqual(found(directory, marksOf(gone)), [])
        // Nor does it come back with what is written later.
        yield* apply(...everybody.filter((who) => !gone.includes(who)).flatMap((who) => lifeOf(who, 5)))
        assert.deepStrictEqual(found(directory, marksOf(gone)), [])
        const rest = everybody.length - gone.length
        assert.strictEqual((yield* people(null, { limit: 1000 })).length, rest)
        assert.strictEqual((yield* activity({ kind: "event" }, { limit: 5000 })).length, rest * 10)
      }).pipe(Effect.provide(layer({ directory })))
      const file = new DatabaseSync(join(directory, "inlet.db"))
      assert.strictEqual(file.prepare("PRAGMA integrity_check").get()?.["integrity_check"], "ok")
      const [erasures, scrubbed] = ["erasures", "scrubbed"].map(
        (name) => file.prepare("SELECT value FROM counters WHERE name = ?").get(name)?.["value"],
      )
      assert.strictEqual(scrubbed, erasures)
      file.close()
    }),
  )

  it.effect("goes on in the next process where the last one stopped", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const inIt = Effect.provide(layer({ directory }), { local: true })
      const events = Array.from({ length: 1500 }, (_, i) => event(byId("ada"), `mark-1-${i}`))
      yield* Effect.gen(function* () {
        yield* apply(identify(byId("ada")), ...events)
        yield* apply(remove(byId("ada")))
      }).pipe(inIt)
      assert.isNotEmpty(found(directory, ["mark-1-"]))
      yield* sweepAll(noon).pipe(inIt)
      assert.deepStrictEqual(found(directory, ["mark-1-"]), [])
    }),
  )
})
