import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Command } from "@inlethq/core/Command"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { answerOf, answersOf, holdFirst, makeWorld, named, type Answer, type World } from "./ingestWorld.ts"

const breaks = () => {
  throw new Error("a codec that broke")
}

/** Submits a request that decodes to these commands, without waiting for the answer. */
const submitEncoded = (
  world: World,
  bytes: number,
  receivedAt: number,
  commands: () => ReadonlyArray<Command>,
): Effect.Effect<Answer> => {
  const decode = () => ({ commands: commands(), value: undefined })
  const submitted = world.ingest.submitEncoded({
    workspace: WorkspaceId.make(1),
    bytes,
    receivedAt,
    decode,
  })
  return Effect.forkChild(
    Effect.map(submitted, ({ entries }) => entries),
    { startImmediately: true },
  )
}

describe("an encoded request in the commit queue", () => {
  it.effect("an encoded request in the commit queue is decoded once, when its commit starts", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const first = yield* holdFirst(world)
      let decoded = 0
      const waiting = yield* submitEncoded(world, 300, 5, () => {
        decoded++
        return [named("late")]
      })
      const { oldestWaitingAt, waitingCommands } = yield* world.ingest.status
      assert.deepStrictEqual([decoded, oldestWaitingAt, waitingCommands], [0, 5, 2])
      yield* world.gate.open
      assert.deepStrictEqual(yield* answersOf([first, waiting]), [["first"], ["late"]])
      assert.strictEqual(decoded, 1)
      assert.strictEqual((yield* world.ingest.status).waitingCommands, 0)
    }),
  )

  it.effect(
    "an encoded request in the commit queue is not decoded again if it moves to the next commit",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld({ commitCommandsMax: 2 })
        const first = yield* holdFirst(world)
        let decoded = 0
        const two = yield* world.send(["a", "b"])
        const waiting = yield* submitEncoded(world, 1, 0, () => {
          decoded++
          return [named("c")]
        })
        yield* world.gate.open
        assert.deepStrictEqual(yield* answersOf([first, two, waiting]), [["first"], ["a", "b"], ["c"]])
        assert.deepStrictEqual([decoded, world.commits], [1, [["first"], ["a", "b"], ["c"]]])
      }),
  )

  it.effect("an encoded request without a body counts as one command in the commit queue", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld({ waitingCommandsMax: 2 })
      yield* holdFirst(world)
      const [one, two, over] = yield* Effect.forEach([1, 2, 3], () =>
        submitEncoded(world, 0, 0, () => [named("empty")]),
      )
      assert.isDefined(over)
      assert.strictEqual(yield* answerOf(over), "Overloaded")
      yield* world.gate.open
      assert.isDefined(one)
      assert.isDefined(two)
      assert.deepStrictEqual(yield* answersOf([one, two]), [["empty"], ["empty"]])
    }),
  )

  it.effect("if the decoder of a request throws, all other requests succeed", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const first = yield* holdFirst(world)
      const broken = yield* submitEncoded(world, 1, 0, breaks)
      const other = yield* world.send(["other"])
      yield* world.gate.open
      assert.deepStrictEqual(yield* answersOf([first, broken, other]), [["first"], "defect", ["other"]])
      assert.deepStrictEqual(yield* answerOf(yield* world.send(["after"])), ["after"])
    }),
  )
})
