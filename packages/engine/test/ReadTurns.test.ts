import { assert, describe, it } from "@effect/vitest"
import { ReadTurns } from "../src/reads/ReadTurns.ts"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

describe("the schedule of reads", () => {
  it.effect("for the schedule of reads, a long commit counts as running until 50 ms after its end", () =>
    Effect.gen(function* () {
      const turns = new ReadTurns()
      assert.isFalse(yield* turns.isCommitting)
      const commit = yield* Effect.forkChild(turns.committing(Effect.sleep(200)), { startImmediately: true })
      for (const ms of [0, 100, 99, 1, 49]) {
        yield* TestClock.adjust(ms)
        assert.isTrue(yield* turns.isCommitting)
      }
      yield* Fiber.join(commit)
      yield* TestClock.adjust(1)
      assert.isFalse(yield* turns.isCommitting)
    }),
  )

  it.effect("a commit that fails or is interrupted stops counting as running", () =>
    Effect.gen(function* () {
      const turns = new ReadTurns()
      yield* Effect.exit(turns.committing(Effect.fail("the disk is full")))
      const commit = yield* Effect.forkChild(turns.committing(Effect.never), { startImmediately: true })
      yield* Fiber.interrupt(commit)
      assert.isTrue(yield* turns.isCommitting)
      yield* TestClock.adjust(50)
      assert.isFalse(yield* turns.isCommitting)
    }),
  )
})
