import { assert, describe, it } from "@effect/vitest"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Exit, Fiber, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { ExportTurns } from "../../src/management/exports/ExportTurns.ts"

const of = (workspace: number, token: string) => ({ workspace: WorkspaceId.make(workspace), token })

/** Takes a turn, in a scope that the caller closes. */
const taken = Effect.fnUntraced(function* (turns: ExportTurns, workspace: number, token: string) {
  const scope = yield* Scope.make()
  const fiber = yield* Effect.forkChild(Scope.provide(turns.take(of(workspace, token)), scope))
  yield* TestClock.adjust(1)
  return { fiber, end: Scope.close(scope, Exit.void) }
})

const has = ({ fiber }: Effect.Success<ReturnType<typeof taken>>): boolean => fiber.pollUnsafe() !== undefined

describe("the turns of exports", () => {
  it.effect("leave room for another workspace and another token, whoever takes all they may", () =>
    Effect.gen(function* () {
      const turns = new ExportTurns()
      const [one, two, three] = [
        yield* taken(turns, 1, "reader"),
        yield* taken(turns, 1, "reader"),
        yield* taken(turns, 1, "another"),
      ]
      assert.deepStrictEqual([one, two, three].map(has), [true, true, false])
      const elsewhere = yield* taken(turns, 2, "reader")
      const other = yield* taken(turns, 2, "owner")
      assert.deepStrictEqual([elsewhere, other].map(has), [false, true])
      yield* one.end
      yield* TestClock.adjust(1)
      assert.deepStrictEqual([three, elsewhere].map(has), [true, false])
      yield* Effect.forEach([two, three, elsewhere, other], ({ end }) => end)
      yield* Fiber.interrupt(elsewhere.fiber)
    }),
  )

  it.effect("are given up by an export that nobody reads once another one waits", () =>
    Effect.gen(function* () {
      const turns = new ExportTurns()
      const unread = yield* taken(turns, 1, "reader")
      const read = yield* taken(turns, 1, "owner")
      const turn = yield* Fiber.join(unread.fiber)
      let isOpen = true
      yield* Scope.addFinalizer(
        turn.scope,
        Effect.sync(() => {
          isOpen = false
        }),
      )
      const pull = yield* Stream.toPull(turn.noting(Stream.make(1, 2).pipe(Stream.rechunk(1))))
      yield* pull
      yield* TestClock.adjust("1 minute")
      assert.isTrue(isOpen)
      const waiting = yield* taken(turns, 1, "another")
      assert.isFalse(has(waiting))
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual([has(waiting), isOpen, has(read)], [true, false, true])
      assert.include(String(yield* Effect.flip(pull)), "was not read")
      yield* Effect.forEach([unread, read, waiting], ({ end }) => end)
    }).pipe(Effect.scoped),
  )
})
