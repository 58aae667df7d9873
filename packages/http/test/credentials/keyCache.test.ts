import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@inlethq/storage-memory/Memory"
import { Digest } from "@inlethq/core/ports/Digest"
import { Registry, type KeyLookup } from "@inlethq/core/ports/Registry"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { makeKeyCache } from "../../src/credentials/KeyCache.ts"

const store = Memory.layer.pipe(Layer.provide(Layer.succeed(Digest, { of: (text) => text })))

const keyOf = (digest: string) => ({
  keyId: digest,
  kind: "pipelines" as const,
  name: digest,
  siteId: null,
  digest,
  createdAt: 0,
  prefix: null,
  lastUsedAt: null,
  expiresAt: null,
})

const lookupOf = (digest: string): KeyLookup => ({ kind: "pipelines", digest })

/**
 * A cache in front of the memory store with one workspace that has the key "known". Look-ups of the key wait until
 * `open` is done.
 */
const setUp = Effect.gen(function* () {
  const registry = yield* Registry
  const workspace = yield* registry.createWorkspace(defaultSettings("default", "us"), [keyOf("known")])
  const open = yield* Deferred.make<void>()
  const lookUps: Array<KeyLookup> = []
  const waiting = Registry.of({
    ...registry,
    find: (lookup) =>
      Effect.suspend(() => {
        lookUps.push(lookup)
        return Effect.andThen(Deferred.await(open), registry.find(lookup))
      }),
  })
  const cache = yield* Effect.provideService(makeKeyCache, Registry, waiting)
  const find = (digest: string) => Effect.map(cache.find(lookupOf(digest)), Option.isSome)
  return { cache, find, lookUps, open, registry, workspace }
}).pipe(Effect.provide(store))

/** Lets all fibers run until they wait. */
const settled = Effect.repeat(Effect.yieldNow, { times: 20 })

describe("the cache of keys", () => {
  it.effect(
    "the cache of keys looks up a key once for concurrent calls, even if the first caller is interrupted",
    () =>
      Effect.gen(function* () {
        const { find, lookUps, open } = yield* setUp
        const first = yield* Effect.forkChild(find("known"))
        const others = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(find("known")))
        yield* settled
        yield* Fiber.interrupt(first)
        yield* Deferred.succeed(open, undefined)
        assert.deepStrictEqual(yield* Effect.forEach(others, Fiber.join), [true, true, true])
        assert.strictEqual(lookUps.length, 1)
      }),
  )

  it.effect("the cache of keys looks up at most four credentials at a time", () =>
    Effect.gen(function* () {
      const { find, lookUps, open } = yield* setUp
      const unknown = Array.from({ length: 100 }, (_, n) => `unknown ${n}`)
      const calls = yield* Effect.forEach(unknown, (digest) => Effect.forkChild(find(digest)))
      yield* settled
      assert.strictEqual(lookUps.length, 4)
      yield* Deferred.succeed(open, undefined)
      assert.isFalse((yield* Effect.forEach(calls, Fiber.join)).includes(true))
      assert.strictEqual(lookUps.length, 100)
    }),
  )

  it.effect("the cache of keys finds a new key within a second, although the key was unknown before", () =>
    Effect.gen(function* () {
      const { find, lookUps, open, registry, workspace } = yield* setUp
      yield* Deferred.succeed(open, undefined)
      assert.isFalse(yield* find("new"))
      yield* registry.addKey({ ...keyOf("new"), workspace: workspace.id })
      assert.isFalse(yield* find("new"))
      assert.strictEqual(lookUps.length, 1)
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* find("new"))
    }),
  )

  it.effect("the cache of keys does not find a key from the time at which it expires", () =>
    Effect.gen(function* () {
      const { find, open, registry, workspace } = yield* setUp
      yield* Deferred.succeed(open, undefined)
      yield* registry.addKey({ ...keyOf("short"), expiresAt: 300, workspace: workspace.id })
      assert.isTrue(yield* find("short"))
      yield* TestClock.adjust("299 millis")
      assert.isTrue(yield* find("short"))
      yield* TestClock.adjust("1 milli")
      assert.isFalse(yield* find("short"))
    }),
  )

  it.effect(
    "the cache of keys discards the result of a look-up that was running when a key was revoked",
    () =>
      Effect.gen(function* () {
        const { cache, find, open, registry, workspace } = yield* setUp
        const call = yield* Effect.forkChild(cache.find(lookupOf("known")))
        yield* settled
        yield* cache.forget
        yield* Deferred.succeed(open, undefined)
        assert.isTrue(Option.exists(yield* Fiber.join(call), (found) => found.isForgotten()))
        yield* registry.revokeKey(workspace.id, "known")
        assert.isFalse(yield* find("known"))
      }),
  )
})
