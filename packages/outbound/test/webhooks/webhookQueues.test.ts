import { performance } from "node:perf_hooks"
import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { ReadTurns, Turns } from "@inlethq/engine/reads/ReadTurns"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { paceIntervalMs } from "../../src/sending/AttemptPace.ts"
import { ConnectionPools } from "../../src/sending/ConnectionPools.ts"
import { RecordWriter } from "../../src/sending/RecordWriter.ts"

/**
 * The largest number of turns of the event loop that a test waits. A queue needs fewer turns to process one element.
 */
const turnsMax = 200

/** Lets other fibers run until the fiber has ended. Returns false if it has not ended after `turnsMax` turns. */
const ends = Effect.fnUntraced(function* (fiber: Fiber.Fiber<unknown, unknown>) {
  for (let turn = 0; turn < turnsMax && fiber.pollUnsafe() === undefined; turn++) yield* Effect.yieldNow
  return fiber.pollUnsafe() !== undefined
})

const record = {
  workspace: WorkspaceId.make(1),
  webhookId: "one",
  progress: { position: EventPosition.make(1), ahead: [] },
  held: null,
  attempt: null,
}

describe("the writer of attempts", () => {
  it.effect(
    "the writer of webhook attempts repeats a write that ended in a defect, and then continues with the next write",
    () => {
      let writes = 0
      const store = Layer.mock(WebhookStore, {
        record: () => Effect.suspend(() => (++writes === 1 ? Effect.die("damaged") : Effect.void)),
      })
      return Effect.gen(function* () {
        const writer = yield* RecordWriter
        const first = yield* Effect.forkChild(writer.store([record]))
        assert.isFalse(yield* ends(first))
        yield* TestClock.adjust("1 second")
        assert.isTrue(yield* ends(first))
        assert.isTrue(yield* ends(yield* Effect.forkChild(writer.store([record]))))
        assert.strictEqual(writes, 3)
      }).pipe(Effect.provide(Layer.provide(RecordWriter.layer, store)))
    },
  )
})

/** Makes the thread look busy, so that only a few attempts may begin in each interval. */
const busyThread = () => {
  let now = 0
  vi.spyOn(performance, "now").mockImplementation(() => now)
  vi.spyOn(performance, "eventLoopUtilization").mockReturnValue({ idle: 0, active: 1, utilization: 1 })
  return {
    nextInterval: Effect.suspend(() => {
      now += paceIntervalMs
      return TestClock.adjust(paceIntervalMs)
    }),
  }
}

/** Claims that a commit is always running, so that attempts begin at a limited pace. */
class AmongCommits extends ReadTurns {
  override readonly isCommitting = Effect.succeed(true)
}

const pools = Layer.provide(ConnectionPools.layer, Layer.succeed(Turns, new AmongCommits()))

/** The largest number of attempts that begin in one interval while the thread is busy. */
const begunPerIntervalMax = 10

/** Begins attempts until the pace makes one of them wait. Returns the attempt that waits. */
const firstWaiting = Effect.gen(function* () {
  const { use } = yield* ConnectionPools
  for (let begun = 0; begun <= begunPerIntervalMax; begun++) {
    const attempt = yield* Effect.forkChild(use(false, Effect.void))
    if (!(yield* ends(attempt))) return attempt
  }
  return assert.fail("no attempt had to wait")
})

describe("the pools of attempts", () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.effect(
    "a webhook attempt that is interrupted while it waits does not use up the turn of another attempt",
    () =>
      Effect.gen(function* () {
        const { nextInterval } = busyThread()
        const { use } = yield* ConnectionPools
        yield* firstWaiting
        const interrupted = yield* Effect.forEach(Array.from({ length: begunPerIntervalMax }), () =>
          Effect.forkChild(use(false, Effect.void)),
        )
        const last = yield* Effect.forkChild(use(false, Effect.void))
        yield* Effect.repeat(Effect.yieldNow, { times: turnsMax })
        yield* Fiber.interruptAll(interrupted)
        yield* nextInterval
        assert.isTrue(yield* ends(last))
      }).pipe(Effect.provide(pools)),
  )
})
