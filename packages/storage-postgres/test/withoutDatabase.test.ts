import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { releaseAtEnd } from "../src/nodes/Leases.ts"
import { recordForever } from "../src/nodes/recordedNodes.ts"

describe("a node that cannot record that it runs", () => {
  it.effect("after a defect, a node tries again to record that it is running", () =>
    Effect.gen(function* () {
      let records = 0
      const record = Effect.suspend(() => {
        records++
        return Effect.die("the statement was rejected")
      })
      yield* recordForever({ record, remove: Effect.void, list: Effect.never })
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(records, 3)
    }),
  )
})

describe("a node that stops while the database does not answer", () => {
  it.effect("a node that stops waits at most two seconds for each of its last writes to the database", () =>
    Effect.gen(function* () {
      const records = { record: Effect.void, remove: Effect.never, list: Effect.never }
      for (const open of [releaseAtEnd({ releaseAll: Effect.never }), recordForever(records)]) {
        const stopping = yield* Effect.forkChild(Effect.scoped(open), { startImmediately: true })
        yield* TestClock.adjust("1999 millis")
        assert.isUndefined(stopping.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        yield* Fiber.join(stopping)
      }
    }),
  )
})
