import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, PubSub, Scope } from "effect"
import { TestClock } from "effect/testing"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { answerOf, answersOf, epoch, holdFirst, makeWorld, named, poison } from "./ingestWorld.ts"

describe("group commit", () => {
  it.effect("a request is answered only after its commit is durable", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const first = yield* holdFirst(world)
      assert.isUndefined(first.pollUnsafe())
      yield* world.gate.open
      assert.deepStrictEqual(yield* answerOf(first), ["first"])
      assert.deepStrictEqual(world.commits, [["first"]])
    }),
  )

  it.effect("if the store lets batches wait, a batch contains all requests that arrive while it waits", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({}, { gatherMs: 5, writingMax: 1, inFlightMax: 1, spreadOver: () => 1 })
      const a = yield* world.send(["a"])
      yield* TestClock.adjust(4)
      const b = yield* world.send(["b"])
      assert.deepStrictEqual(world.commits, [])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* answersOf([a, b]), [["a"], ["b"]])
      assert.deepStrictEqual(world.commits, [["a", "b"]])
    }),
  )

  it.effect(
    "a batch of one workspace does not wait for further requests while another workspace waits for its turn",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld(
          {},
          { gatherMs: 5, writingMax: 1, inFlightMax: 1, spreadOver: () => 1 },
        )
        const requests = yield* Effect.forEach([1, 2, 3], (workspace) =>
          world.send([`of ${workspace}`], 1, workspace),
        )
        yield* TestClock.adjust(5)
        assert.deepStrictEqual(yield* answersOf(requests.slice(0, 2)), [["of 1"], ["of 2"]])
        assert.deepStrictEqual(world.commits, [["of 1"], ["of 2"]])
        yield* TestClock.adjust(5)
        assert.deepStrictEqual(yield* answersOf(requests.slice(2)), [["of 3"]])
      }),
  )

  it.effect("requests that arrive during a commit share the next commit, in order", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const first = yield* holdFirst(world)
      const others = yield* Effect.forEach([["a"], ["b", "c"], ["d"]], (names) => world.send(names))
      yield* world.gate.open
      assert.deepStrictEqual(yield* answersOf([first, ...others]), [["first"], ["a"], ["b", "c"], ["d"]])
      assert.deepStrictEqual(world.commits, [["first"], ["a", "b", "c", "d"]])
      assert.strictEqual(world.loads.length, 2)
    }),
  )

  it.effect("requests that arrive together share one commit", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const all = yield* Effect.forEach(["a", "b", "c"], (name) => world.send([name]))
      assert.deepStrictEqual(yield* answersOf(all), [["a"], ["b"], ["c"]])
      assert.deepStrictEqual(world.commits, [["a", "b", "c"]])
    }),
  )

  it.effect("each request receives the entries of its own commands", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const requests = Array.from({ length: 50 }, (_, index) =>
        Array.from({ length: (index % 4) + 1 }, (_, item) => `${index}.${item}`),
      )
      const answers = yield* Effect.forEach(requests, (names) => world.send(names))
      const entries = yield* Effect.forEach(answers, Fiber.join)
      assert.deepStrictEqual(
        entries.map((own) => own.map(({ name }) => name)),
        requests,
      )
      const positions = entries.flat().map(({ sequence }) => Number(sequence))
      assert.deepStrictEqual(
        positions,
        positions.map((_, index) => index + 1),
      )
    }),
  )

  it.effect("a commit contains waiting requests up to its limit and never splits a request", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ commitCommandsMax: 3 })
      const first = yield* holdFirst(world)
      const others = yield* Effect.forEach(
        [["a", "b"], ["c", "d"], ["e"], ["f", "g", "h", "i", "j"], ["k"]],
        (names) => world.send(names),
      )
      yield* world.gate.open
      yield* answersOf([first, ...others])
      assert.deepStrictEqual(world.commits, [
        ["first"],
        ["a", "b"],
        ["c", "d", "e"],
        ["f", "g", "h", "i", "j"],
        ["k"],
      ])
    }),
  )

  it.effect(
    "after each commit, the log position of the newest entry is published, and a slow subscriber receives only the latest position",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const subscription = yield* world.ingest.commits(WorkspaceId.make(1))
        yield* answerOf(yield* world.send(["a", "b"]))
        assert.strictEqual(yield* PubSub.take(subscription), 2)
        yield* answerOf(yield* world.send(["c"]))
        yield* answerOf(yield* world.send(["d"]))
        assert.strictEqual(yield* PubSub.take(subscription), 4)
      }),
  )
})

describe("the bounds of the queue", () => {
  it.effect(
    "the commit queue refuses commands beyond its limit, and accepts commands again after a commit",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ waitingCommandsMax: 3 })
        const first = yield* holdFirst(world)
        const two = yield* world.send(["a", "b"])
        const over = yield* world.send(["c", "d"])
        const fits = yield* world.send(["e"])
        const full = yield* world.send(["f"])
        assert.deepStrictEqual(yield* answersOf([over, full]), ["Overloaded", "Overloaded"])
        assert.strictEqual((yield* world.ingest.status).waitingCommands, 3)
        yield* world.gate.open
        assert.deepStrictEqual(yield* answersOf([first, two, fits]), [["first"], ["a", "b"], ["e"]])
        assert.strictEqual((yield* world.ingest.status).waitingCommands, 0)
        assert.deepStrictEqual(yield* answerOf(yield* world.send(["g", "h", "i"])), ["g", "h", "i"])
        assert.deepStrictEqual(world.commits.flat(), ["first", "a", "b", "e", "g", "h", "i"])
      }),
  )

  it.effect("the commit queue refuses bytes beyond its limit, and accepts bytes again after a commit", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ waitingBytesMax: 100 })
      yield* holdFirst(world)
      const sixty = yield* world.send(["a"], 60)
      const over = yield* world.send(["b"], 41)
      const fits = yield* world.send(["c"], 40)
      assert.strictEqual(yield* answerOf(over), "Overloaded")
      yield* world.gate.open
      assert.deepStrictEqual(yield* answersOf([sixty, fits]), [["a"], ["c"]])
      yield* world.gate.close
      const held = yield* world.send(["d"], 100)
      yield* world.nextCommit
      yield* world.nextCommit
      const again = yield* world.send(["e"], 100)
      yield* world.gate.open
      assert.deepStrictEqual(yield* answersOf([held, again]), [["d"], ["e"]])
    }),
  )

  it.effect("an empty commit queue accepts a request that is larger than the limits of the queue", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ waitingCommandsMax: 1, waitingBytesMax: 1 })
      const large = yield* world.send(["a", "b", "c"], 1000)
      assert.deepStrictEqual(yield* answerOf(large), ["a", "b", "c"])
    }),
  )

  it.effect(
    "the status of the ingestion service shows the number of waiting commands and the oldest receipt time",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        assert.deepStrictEqual(yield* world.ingest.status, {
          committing: true,
          waitingCommands: 0,
          oldestWaitingAt: null,
        })
        yield* holdFirst(world)
        yield* world.send(["a", "b"])
        assert.deepStrictEqual(yield* world.ingest.status, {
          committing: true,
          waitingCommands: 2,
          oldestWaitingAt: epoch,
        })
        yield* world.gate.open
      }),
  )
})

describe("a store that is down", () => {
  for (const mood of ["down", "unreadable"] as const) {
    it.effect(`a store that is ${mood} fails every request of the batch and applies nothing`, () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        world.control.mood = mood
        const all = yield* Effect.forEach(["a", "b", "c"], (name) => world.send([name]))
        assert.deepStrictEqual(yield* answersOf(all), [
          "StoreUnavailable",
          "StoreUnavailable",
          "StoreUnavailable",
        ])
        assert.deepStrictEqual(world.commits, [])
        assert.isFalse((yield* world.ingest.status).committing)
      }),
    )
  }

  it.effect("while a store is down, commits are tried again and again until the store can commit", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      world.control.mood = "down"
      yield* answerOf(yield* world.send(["a"]))
      yield* TestClock.adjust("1 second")
      assert.isAbove(world.control.probes, 1)
      assert.isFalse((yield* world.ingest.status).committing)
      world.control.mood = "well"
      yield* TestClock.adjust("1 second")
      assert.isTrue((yield* world.ingest.status).committing)
      const { probes } = world.control
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(world.control.probes, probes)
    }),
  )

  it.effect(
    "once the store is up again, the next requests are committed, and the status shows at once that commits succeed",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        world.control.mood = "down"
        yield* answerOf(yield* world.send(["a"]))
        world.control.mood = "well"
        assert.deepStrictEqual(yield* answerOf(yield* world.send(["b"])), ["b"])
        assert.isTrue((yield* world.ingest.status).committing)
        assert.deepStrictEqual(world.commits, [["b"]])
      }),
  )

  it.effect("a store that recovered can go down and recover again", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      for (const name of ["a", "b"]) {
        world.control.mood = "down"
        yield* answerOf(yield* world.send([name]))
        assert.isFalse((yield* world.ingest.status).committing)
        world.control.mood = "well"
        yield* TestClock.adjust("1 second")
        assert.isTrue((yield* world.ingest.status).committing)
      }
    }),
  )

  it.effect(
    "requests that waited behind a failed batch are committed once the store is available again",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const first = yield* holdFirst(world)
        const second = yield* world.send(["a"])
        world.control.mood = "down"
        yield* world.gate.release
        assert.strictEqual(yield* answerOf(first), "StoreUnavailable")
        yield* world.nextCommit
        world.control.mood = "well"
        yield* world.gate.open
        assert.deepStrictEqual(yield* answerOf(second), ["a"])
      }),
  )
})

describe("a request that causes an unexpected exception", () => {
  it.effect("an unexpected exception in one request does not fail the other requests of its batch", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const first = yield* holdFirst(world)
      const others = yield* Effect.forEach([["a"], ["b", poison], ["c"], ["d"]], (names) => world.send(names))
      yield* world.gate.open
      assert.deepStrictEqual(yield* answersOf([first, ...others]), [["first"], ["a"], "defect", ["c"], ["d"]])
      assert.deepStrictEqual(world.commits.flat(), ["first", "a", "c", "d"])
      assert.isTrue((yield* world.ingest.status).committing)
    }),
  )

  it.effect("after an unexpected exception failed a request, the next request succeeds", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      assert.strictEqual(yield* answerOf(yield* world.send([poison])), "defect")
      assert.deepStrictEqual(yield* answerOf(yield* world.send(["a"])), ["a"])
      yield* TestClock.adjust("1 second")
      assert.isTrue((yield* world.ingest.status).committing)
    }),
  )
})

describe("an interrupted request", () => {
  it.effect(
    "interrupting a request does not affect other requests, and applies all commands of the request or applies nothing",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const first = yield* holdFirst(world)
        const before = yield* world.send(["a"])
        const gone = yield* world.send(["b", "c"])
        const after = yield* world.send(["d", "e"])
        yield* Fiber.interrupt(gone)
        yield* world.gate.open
        assert.deepStrictEqual(yield* answersOf([first, before, after]), [["first"], ["a"], ["d", "e"]])
        const applied = world.commits.flat()
        assert.strictEqual(applied.includes("b"), applied.includes("c"))
        assert.strictEqual((yield* world.ingest.status).waitingCommands, 0)
        yield* Scope.close(world.scope, Exit.void)
      }),
  )

  it.effect("interrupting a request does not stop the commit that contains it", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const first = yield* holdFirst(world)
      yield* Fiber.interrupt(first)
      const second = yield* world.send(["a"])
      yield* world.gate.open
      assert.deepStrictEqual(yield* answerOf(second), ["a"])
      assert.deepStrictEqual(world.commits.flat(), ["first", "a"])
    }),
  )
})

describe("closing", () => {
  it.effect(
    "closing the ingestion service waits for the requests in the queue and refuses new requests",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const first = yield* holdFirst(world)
        const second = yield* world.send(["a"])
        const closing = yield* Effect.forkChild(Scope.close(world.scope, Exit.void), {
          startImmediately: true,
        })
        assert.strictEqual(yield* answerOf(yield* world.send(["b"])), "Overloaded")
        assert.isUndefined(closing.pollUnsafe())
        yield* world.gate.open
        yield* Fiber.join(closing)
        assert.deepStrictEqual(yield* answersOf([first, second]), [["first"], ["a"]])
        assert.deepStrictEqual(world.commits.flat(), ["first", "a"])
      }),
  )

  it.effect(
    "closing the ingestion service answers all requests even if the store is down, and sends no further requests to the store",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ commitCommandsMax: 1 })
        const first = yield* holdFirst(world)
        const others = yield* Effect.forEach(["a", "b"], (name) => world.send([name]))
        world.control.mood = "down"
        const closing = yield* Effect.forkChild(Scope.close(world.scope, Exit.void), {
          startImmediately: true,
        })
        yield* world.gate.open
        yield* Fiber.join(closing)
        assert.deepStrictEqual(yield* answersOf([first, ...others]), [
          "StoreUnavailable",
          "StoreUnavailable",
          "StoreUnavailable",
        ])
        assert.strictEqual(world.loads.length, 1)
      }),
  )

  it.effect("closing the ingestion service ends at once if no request is waiting", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* answerOf(yield* world.send(["a"]))
      yield* Scope.close(world.scope, Exit.void)
      assert.strictEqual(
        yield* Effect.flip(world.ingest.submit([named("b")], 1)).pipe(Effect.map(({ _tag }) => _tag)),
        "Overloaded",
      )
    }),
  )
})
