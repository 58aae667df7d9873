import { assert, describe, it } from "@effect/vitest"
import { ReadTurns } from "../src/reads/ReadTurns.ts"
import { Deferred, Effect, Exit, Fiber } from "effect"
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

  it.effect("a read that is interrupted while it waits for its turn leaves the turn to the next read", () =>
    Effect.gen(function* () {
      const turns = new ReadTurns()
      const gate = yield* Deferred.make<void>()
      const first = yield* Effect.forkChild(
        turns.reading((inTurn) => inTurn(Deferred.await(gate))),
        { startImmediately: true },
      )
      const given = yield* Effect.forkChild(
        turns.reading((inTurn) => inTurn(Effect.void)),
        { startImmediately: true },
      )
      const giving = yield* Effect.forkChild(Fiber.interrupt(given), { startImmediately: true })
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(first)
      yield* Fiber.join(giving)
      const last = yield* Effect.forkChild(
        turns.reading((inTurn) => inTurn(Effect.succeed("read"))),
        { startImmediately: true },
      )
      for (let yields = 0; yields < 20; yields++) yield* Effect.yieldNow
      assert.deepStrictEqual(last.pollUnsafe(), Exit.succeed("read"))
    }),
  )
})
