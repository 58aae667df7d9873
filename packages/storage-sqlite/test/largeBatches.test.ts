import { decideInSlices } from "@inlethq/core/Batch"
import { needsOf } from "@inlethq/core/CommandTable"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { byId, event, first, identify } from "@inlethq/store-conformance/script/commands"
import { activity, apply } from "@inlethq/store-conformance/script/scenario"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { temporaryStore } from "./temporary.ts"

const size = 4000
const commands = Array.from({ length: size }, (_, i) => [
  identify(byId(`person ${i}`), [["plan", "pro"]]),
  event(byId(`person ${i}`), "bought"),
]).flat()

const transactAll = Effect.flatMap(Store, (store) =>
  Effect.flatten(store.transact(needsOf(first.id, commands), (seen) => decideInSlices(seen, commands))),
)

describe("a large batch", () => {
  it.live(
    "other work runs between the slices of a large batch, and reads see either the whole batch or no part of it",
    () =>
      Effect.gen(function* () {
        yield* apply(identify(byId("before")))
        const batch = yield* Effect.forkChild(transactAll, { startImmediately: true })
        assert.strictEqual((yield* activity()).length, 1)
        assert.isUndefined(batch.pollUnsafe())
        yield* Fiber.join(batch)
        assert.strictEqual((yield* activity({}, { limit: 100 })).length, 2 * size + 1)
      }).pipe(Effect.provide(temporaryStore, { local: true })),
  )

  it.live("a large batch that fails in one of its slices is rolled back, and later writes succeed", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const failing = store.transact(needsOf(first.id, commands), function* (seen) {
        yield* decideInSlices(seen, commands)
        throw new Error("a bug in a decision")
      })
      const batch = yield* Effect.forkChild(failing, { startImmediately: true })
      const later = yield* Effect.forkChild(apply(identify(byId("later"))), { startImmediately: true })
      assert.isTrue(Exit.hasDies(yield* Fiber.await(batch)))
      yield* Fiber.join(later)
      assert.strictEqual((yield* activity()).length, 1)
    }).pipe(Effect.provide(temporaryStore, { local: true })),
  )

  it.live("other writes to the store wait until a large batch is committed", () =>
    Effect.gen(function* () {
      const registry = yield* Registry
      const store = yield* Store
      const batch = yield* Effect.forkChild(transactAll, { startImmediately: true })
      const probe = yield* Effect.forkChild(store.probe, { startImmediately: true })
      const workspaces = yield* registry.workspaces
      assert.isUndefined(probe.pollUnsafe())
      yield* Fiber.join(probe)
      yield* Fiber.join(batch)
      assert.deepStrictEqual(yield* registry.workspaces, workspaces)
      assert.strictEqual((yield* activity({ kind: "event" }, { limit: 100 })).length, size)
    }).pipe(Effect.provide(temporaryStore, { local: true })),
  )
})
