import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { ReadTurns, Turns } from "../src/reads/ReadTurns.ts"
import { Pace } from "../src/rules/Pace.ts"
import { makeWorld } from "./ingestWorld.ts"

const workspace = WorkspaceId.make(1)

/**
 * Runs commits that take so many milliseconds each, with a request between any two of them. Returns the pauses. `workedMs` is what
 * the store says that the thread has worked for each; by default, it does not say it.
 */
const pausesAfter = (durations: ReadonlyArray<number>, workedMs = 0) =>
  Effect.gen(function* () {
    const turns = yield* Turns
    const world = yield* makeWorld()
    const pace = new Pace(1 / 5)
    const pauses: Array<number> = []
    const runs = Effect.forEach(durations, (ms) =>
      Effect.gen(function* () {
        let ended = 0
        yield* pace.run(
          workspace,
          Effect.gen(function* () {
            yield* Effect.sleep(ms)
            turns.committedMs += workedMs
            yield* Fiber.join(yield* world.send(["request"]))
            const entries = yield* Fiber.join(yield* world.send(["of the server"]))
            ended = yield* Clock.currentTimeMillis
            return entries
          }),
        )
        pauses.push((yield* Clock.currentTimeMillis) - ended)
      }),
    )
    const running = yield* Effect.forkChild(runs)
    yield* TestClock.adjust("1 hour")
    yield* Fiber.join(running)
    return pauses
  })

it.effect(
  "a pause lasts as long as the share demands for the work of a commit, without the time it waits",
  () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* pausesAfter([10, 10, 10, 200, 10]), [40, 40, 40, 40, 40])
      assert.deepStrictEqual(yield* pausesAfter([20, 10]), [80, 40])
    }),
)

it.effect(
  "the time that a commit waits counts as a pause if the store says how much the thread has worked",
  () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* pausesAfter([10, 30, 60], 10), [40, 20, 0])
    }).pipe(Effect.provideService(Turns, new ReadTurns())),
)
