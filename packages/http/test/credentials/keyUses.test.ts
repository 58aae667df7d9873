import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@inlethq/storage-memory/Memory"
import { Digest } from "@inlethq/core/ports/Digest"
import { Registry } from "@inlethq/core/ports/Registry"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { KeyUse } from "@inlethq/core/workspace/Credentials"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Context, Effect, Exit, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Authenticator } from "../../src/credentials/Authenticator.ts"
import { storedSecret } from "../../src/credentials/Secret.ts"

const store = Memory.layer.pipe(Layer.provide(Layer.succeed(Digest, { of: (text) => text })))

/** A server's authenticator in front of the memory store, and the writes of key uses, of which the first may fail. */
const setUp = Effect.fnUntraced(function* (failures: number) {
  const registry = yield* Registry
  const key = { keyId: "web", kind: "pipelines", name: "web", siteId: null, createdAt: 0 } as const
  yield* registry.createWorkspace(defaultSettings("default", "us"), [
    { ...key, ...storedSecret("secret"), lastUsedAt: null, expiresAt: null },
  ])
  const writes: Array<ReadonlyArray<KeyUse>> = []
  const counted = Registry.of({
    ...registry,
    recordUses: (uses) =>
      Effect.suspend(() => {
        writes.push(uses)
        return writes.length > failures
          ? registry.recordUses(uses)
          : Effect.fail(new StoreUnavailable({ operation: "record", cause: null }))
      }),
  })
  const scope = yield* Scope.make()
  const services = yield* Layer.buildWithScope(
    Authenticator.layer.pipe(Layer.provide(Layer.succeed(Registry, counted))),
    scope,
  )
  const call = (secret: string) =>
    Effect.map(Context.get(services, Authenticator).pipelines(secret), Option.isSome)
  const lastUsed = Effect.map(
    registry.find({ kind: "pipelines", digest: storedSecret("secret").digest }),
    (found) => Option.getOrThrow(found).key.lastUsedAt,
  )
  return { call, lastUsed, stop: Scope.close(scope, Exit.void), writes }
})

describe("the uses of keys", () => {
  it.effect("writes the minute of a key's last use once a minute, however often the key is used", () =>
    Effect.gen(function* () {
      const { call, lastUsed, writes } = yield* setUp(0)
      yield* TestClock.adjust("130 seconds")
      for (let n = 0; n < 100; n++) {
        assert.isTrue(yield* call("secret"))
        yield* TestClock.adjust("100 millis")
      }
      assert.isNull(yield* lastUsed)
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(writes, [[{ keyId: "web", at: 120_000 }]])
      yield* call("secret")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* lastUsed, 240_000)
      assert.strictEqual(writes.length, 2)
    }).pipe(Effect.provide(store)),
  )

  it.effect("a wrong secret is not a use of any key", () =>
    Effect.gen(function* () {
      const { call, stop, writes } = yield* setUp(0)
      assert.isFalse(yield* call("guess"))
      yield* stop
      assert.deepStrictEqual(writes, [])
    }).pipe(Effect.provide(store)),
  )

  it.effect("writes the use of a key when the server stops", () =>
    Effect.gen(function* () {
      const { call, lastUsed, stop } = yield* setUp(0)
      yield* TestClock.adjust("90 seconds")
      yield* call("secret")
      yield* stop
      assert.strictEqual(yield* lastUsed, 60_000)
    }).pipe(Effect.provide(store)),
  )

  it.effect("writes the use of a key later if the store is unavailable", () =>
    Effect.gen(function* () {
      const { call, lastUsed, writes } = yield* setUp(1)
      yield* TestClock.adjust("61 seconds")
      yield* call("secret")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(writes.length, 1)
      assert.isNull(yield* lastUsed)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* lastUsed, 60_000)
    }).pipe(Effect.provide(store)),
  )
})
