import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, PubSub, Scope } from "effect"
import { TestClock } from "effect/testing"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import {
  answerOf,
  answersOf,
  holdFirst,
  makeWorld,
  named,
  slowName,
  type Answer,
  type World,
} from "./ingestWorld.ts"

/** Limits with which the store commits batches of up to eight workspaces at the same time. */
const concurrent = { gatherMs: 0, writingMax: 8, inFlightMax: 8, spreadOver: () => 1 }

/** Limits with which the store writes a second batch while the first batch is not durable yet. */
const pipelined = { gatherMs: 0, writingMax: 1, inFlightMax: 2, spreadOver: () => 1 }

const sendAll = (world: World, requests: ReadonlyArray<readonly [name: string, workspace: number]>) =>
  Effect.forEach(requests, ([name, workspace]) => world.send([name], 1, workspace))

/** Submits events of several workspaces in one request, without waiting for the answer. */
const sendMixed = (
  world: World,
  events: ReadonlyArray<readonly [name: string, workspace: number]>,
): Effect.Effect<Answer> =>
  Effect.forkChild(
    world.ingest.submit(
      events.map(([name, workspace]) => named(name, workspace)),
      events.length,
    ),
    { startImmediately: true },
  )

describe("commits of several workspaces", () => {
  it.effect(
    "commits of two workspaces do not wait for each other if the store accepts both commits at once",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({}, concurrent)
        yield* world.slow.close
        const slow = yield* world.send([slowName])
        yield* world.nextCommit
        const waiting = yield* world.send(["behind it"])
        const [one, two] = yield* sendAll(world, [
          ["one", 2],
          ["two", 3],
        ])
        assert.isDefined(one)
        assert.isDefined(two)
        assert.deepStrictEqual(yield* answersOf([one, two]), [["one"], ["two"]])
        assert.isUndefined(slow.pollUnsafe())
        assert.isUndefined(waiting.pollUnsafe())
        yield* world.slow.open
        assert.deepStrictEqual(yield* answersOf([slow, waiting]), [[slowName], ["behind it"]])
      }),
  )

  it.effect("commits of several workspaces are written at once only if they are small together", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ writingCommandsMax: 5 }, concurrent)
      yield* world.gate.close
      const requests = [["a", "b"], ["c", "d"], ["e", "f"], ["g"]]
      const answers = yield* Effect.forEach(requests, (names, i) => world.send(names, 1, i + 1))
      yield* world.nextCommit
      yield* world.nextCommit
      yield* Effect.repeat(Effect.yieldNow, { times: 20 })
      assert.deepStrictEqual(world.begun, requests.slice(0, 2))
      yield* world.gate.open
      assert.deepStrictEqual(yield* answersOf(answers), requests)
    }),
  )

  it.effect(
    "a request with more commands than may be written at the same time is written alone, without other requests",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ commitCommandsMax: 5, writingCommandsMax: 2 }, concurrent)
        const answers = yield* Effect.forEach([["a", "b", "c"], ["d"]], (names, i) =>
          world.send(names, 1, i + 1),
        )
        assert.deepStrictEqual(yield* answersOf(answers), [["a", "b", "c"], ["d"]])
      }),
  )

  it.effect("batches that wait for further requests leave room for the batches of other workspaces", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ writingCommandsMax: 8 }, { ...concurrent, gatherMs: 5 })
      yield* world.gate.close
      const names = Array.from({ length: 16 }, (_, i) => `${i}`)
      const answers = yield* Effect.forEach(names, (name, i) => world.send([name], 1, (i % 4) + 1))
      yield* TestClock.adjust(5)
      yield* Effect.repeat(Effect.yieldNow, { times: 20 })
      assert.strictEqual(world.begun.flat().length, 8)
      yield* world.gate.open
      yield* TestClock.adjust(100)
      assert.deepStrictEqual(
        yield* answersOf(answers),
        names.map((name) => [name]),
      )
    }),
  )

  it.effect("each batch contains requests of only one workspace", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const first = yield* holdFirst(world)
      const requests = ["a", "b", "c", "d", "e", "f"].map((name, i) => [name, (i % 3) + 1] as const)
      const answers = yield* sendAll(world, requests)
      yield* world.gate.open
      yield* answersOf([first, ...answers])
      assert.deepStrictEqual(world.commits, [["first"], ["b", "e"], ["c", "f"], ["a", "d"]])
    }),
  )

  it.effect("workspaces take turns if the store accepts only one batch at a time", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ commitCommandsMax: 1 })
      const first = yield* holdFirst(world)
      const answers = yield* sendAll(world, [
        ["a", 1],
        ["b", 1],
        ["c", 1],
        ["d", 2],
        ["e", 2],
      ])
      yield* world.gate.open
      yield* answersOf([first, ...answers])
      assert.deepStrictEqual(world.commits.flat(), ["first", "d", "a", "e", "b", "c"])
    }),
  )

  it.effect("the limits of the queue count the waiting commands of all workspaces together", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ waitingCommandsMax: 2 })
      const first = yield* holdFirst(world)
      const [a, b, over] = yield* sendAll(world, [
        ["a", 2],
        ["b", 3],
        ["over", 4],
      ])
      assert.isDefined(a)
      assert.isDefined(b)
      assert.isDefined(over)
      assert.strictEqual(yield* answerOf(over), "Overloaded")
      const empty = yield* Effect.flip(world.ingest.submit([], 1))
      assert.strictEqual(empty._tag, "Overloaded")
      yield* world.gate.open
      assert.deepStrictEqual(yield* answersOf([first, a, b]), [["first"], ["a"], ["b"]])
      assert.deepStrictEqual(yield* world.ingest.submit([], 1), [])
    }),
  )

  it.effect("closing the ingestion service waits for the commits of all workspaces", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({}, concurrent)
      yield* world.gate.close
      const answers = yield* sendAll(world, [
        ["a", 1],
        ["b", 2],
      ])
      const closing = yield* Effect.forkChild(Scope.close(world.scope, Exit.void), { startImmediately: true })
      assert.isUndefined(closing.pollUnsafe())
      yield* world.gate.open
      yield* Fiber.join(closing)
      assert.deepStrictEqual(yield* answersOf(answers), [["a"], ["b"]])
    }),
  )
})

describe("several batches of a workspace in flight", () => {
  it.effect("waiting requests are spread over several batches if the store asks for several batches", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({}, { ...pipelined, spreadOver: () => 4 })
      const first = yield* holdFirst(world)
      const names = Array.from({ length: 100 }, (_, i) => `${i}`)
      const answers = yield* Effect.forEach(names, (name) => world.send([name]))
      yield* world.gate.open
      assert.deepStrictEqual(yield* answersOf([first, ...answers]), [
        ["first"],
        ...names.map((name) => [name]),
      ])
      // After the first batch, each batch has a quarter of the requests that still wait, but at least 16 requests.
      assert.deepStrictEqual(
        world.begun.map(({ length }) => length),
        [1, 25, 19, 16, 16, 16, 8],
      )
    }),
  )

  it.effect(
    "the batches of a workspace reach the store in order, and at most as many are in flight as the store accepts",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ commitCommandsMax: 1 }, pipelined)
        yield* world.gate.close
        const answers = yield* Effect.forEach(["a", "b", "c", "d"], (name) => world.send([name]))
        yield* world.nextCommit
        yield* world.nextCommit
        assert.strictEqual(world.loads.length, 2)
        assert.strictEqual((yield* world.ingest.status).waitingCommands, 2)
        yield* world.gate.open
        assert.deepStrictEqual(yield* answersOf(answers), [["a"], ["b"], ["c"], ["d"]])
        assert.deepStrictEqual(world.begun, [["a"], ["b"], ["c"], ["d"]])
      }),
  )

  it.effect(
    "batches in flight are answered independently, and a failed batch does not change the order of the other batches",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ commitCommandsMax: 1 }, pipelined)
        yield* world.slow.close
        const slow = yield* world.send([slowName])
        const answers = yield* Effect.forEach(["a", "b"], (name) => world.send([name]))
        assert.deepStrictEqual(yield* answersOf(answers), [["a"], ["b"]])
        assert.isUndefined(slow.pollUnsafe())
        const later = yield* world.send(["c"])
        yield* answerOf(later)
        world.control.mood = "down"
        yield* world.slow.open
        assert.strictEqual(yield* answerOf(slow), "StoreUnavailable")
        assert.deepStrictEqual(world.begun, [[slowName], ["a"], ["b"], ["c"]])
      }),
  )
})

describe("a request for several workspaces", () => {
  it.effect(
    "a request for several workspaces is applied in one commit for each workspace, and its answers have the order of its commands",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const answer = yield* sendMixed(world, [
          ["a", 1],
          ["b", 2],
          ["c", 1],
          ["d", 3],
          ["e", 2],
        ])
        const entries = yield* Fiber.join(answer)
        assert.deepStrictEqual(
          entries.map(({ name, sequence, workspace }) => [name, Number(workspace), Number(sequence)]),
          [
            ["a", 1, 1],
            ["b", 2, 1],
            ["c", 1, 2],
            ["d", 3, 1],
            ["e", 2, 2],
          ],
        )
        assert.deepStrictEqual(world.commits, [["a", "c"], ["b", "e"], ["d"]])
      }),
  )

  it.effect(
    "an empty queue accepts a request for several workspaces that exceeds its limits as a whole",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ waitingCommandsMax: 1 })
        const first = yield* holdFirst(world)
        const answer = yield* sendMixed(world, [
          ["a", 2],
          ["b", 3],
        ])
        yield* world.gate.open
        assert.deepStrictEqual(yield* answersOf([first, answer]), [["first"], ["a", "b"]])
      }),
  )

  it.effect("a request for several workspaces fails if the commit of one workspace fails", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({}, concurrent)
      yield* world.slow.close
      const answer = yield* sendMixed(world, [
        ["a", 1],
        [slowName, 2],
      ])
      yield* world.nextCommit
      yield* world.nextCommit
      world.control.mood = "down"
      yield* world.slow.open
      assert.strictEqual(yield* answerOf(answer), "StoreUnavailable")
      assert.deepStrictEqual(world.commits, [["a"]])
    }),
  )
})

describe("commit notices", () => {
  it.effect(
    "a slow subscriber receives the newest position of its own workspace, whatever other workspaces commit",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const own = yield* world.ingest.commits(WorkspaceId.make(1))
        const others = yield* world.ingest.commits(WorkspaceId.make(2))
        yield* answerOf(yield* world.send(["a", "b"]))
        for (const name of ["c", "d", "e"]) yield* answerOf(yield* world.send([name], 1, 2))
        assert.strictEqual(yield* PubSub.take(own), 2)
        assert.strictEqual(yield* PubSub.take(others), 3)
      }),
  )

  it.effect(
    "a subscriber of a workspace receives each notification of a commit, also after another subscriber left",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const stays = yield* world.ingest.commits(WorkspaceId.make(1))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const leaves = yield* world.ingest.commits(WorkspaceId.make(1))
            yield* answerOf(yield* world.send(["a"]))
            assert.strictEqual(yield* PubSub.take(leaves), 1)
            assert.strictEqual(yield* PubSub.take(stays), 1)
          }),
        )
        yield* answerOf(yield* world.send(["b"]))
        assert.strictEqual(yield* PubSub.take(stays), 2)
      }),
  )
})
