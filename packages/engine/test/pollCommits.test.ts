import { assert, describe, it } from "@effect/vitest"
import { OtherCommits } from "@inlethq/core/ports/OtherCommits"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, PubSub } from "effect"
import { TestClock } from "effect/testing"
import { makeWorld } from "./ingestWorld.ts"

const first = WorkspaceId.make(1)

describe("commits of other processes", () => {
  it.effect(
    "commits of other processes are published exactly once to the subscribers of their workspace, even after the store was unavailable or a read ended in a defect",
    () =>
      Effect.gen(function* () {
        const asked: Array<ReadonlyArray<WorkspaceId>> = []
        let position: number | "away" | "defect" = 1
        const newest = (workspaces: ReadonlyArray<WorkspaceId>) =>
          Effect.suspend(() => {
            asked.push(workspaces)
            if (position === "defect") return Effect.die("a bug")
            return position === "away"
              ? Effect.fail(new StoreUnavailable({ operation: "read", cause: "away" }))
              : Effect.succeed(new Map([[first, Sequence.make(position)]]))
          })
        const { ingest } = yield* Effect.provideService(makeWorld(), OtherCommits, {
          newest,
          hints: () => Effect.void,
        })
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(asked, [])
        const subscription = yield* ingest.commits(first)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* PubSub.take(subscription), 1)
        yield* TestClock.adjust("1 second")
        position = "away"
        yield* TestClock.adjust("1 second")
        position = "defect"
        yield* TestClock.adjust("1 second")
        position = 3
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* PubSub.take(subscription), 3)
        assert.deepStrictEqual(
          asked,
          Array.from({ length: 5 }, () => [first]),
        )
      }),
  )

  it.effect(
    "commits of other processes are published as soon as the store hints that there may be new commits",
    () =>
      Effect.gen(function* () {
        let position = 1
        let hint: Effect.Effect<void> = Effect.void
        const { ingest } = yield* makeWorld().pipe(
          Effect.provideService(OtherCommits, {
            newest: () => Effect.sync(() => new Map([[first, Sequence.make(position)]])),
            hints: (onHint) => Effect.sync(() => void (hint = onHint)),
          }),
        )
        const subscription = yield* ingest.commits(first)
        yield* hint
        assert.strictEqual(yield* PubSub.take(subscription), 1)
        position = 2
        yield* hint
        assert.strictEqual(yield* PubSub.take(subscription), 2)
      }),
  )
})
