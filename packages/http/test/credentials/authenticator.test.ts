import { assert, describe, it } from "@effect/vitest"
import * as Memory from "@inlethq/storage-memory/Memory"
import { Digest } from "@inlethq/core/ports/Digest"
import { Registry } from "@inlethq/core/ports/Registry"
import { siteIdLengthMax } from "@inlethq/core/workspace/Credentials"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Context, Effect, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Authenticator } from "../../src/credentials/Authenticator.ts"
import { storedSecret } from "../../src/credentials/Secret.ts"

const store = Memory.layer.pipe(Layer.provide(Layer.succeed(Digest, { of: (text) => text })))

const basic = (siteId: string, secret: string) =>
  `Basic ${Buffer.from(`${siteId}:${secret}`).toString("base64")}`

/** An authenticator in front of the memory store, where the site "web" has the API key "secret". */
const setUp = Effect.fnUntraced(function* (expiresAt: number | null = null) {
  const registry = yield* Registry
  const key = { keyId: "web", kind: "track", name: "web", siteId: "web", createdAt: 0 } as const
  const workspace = yield* registry.createWorkspace(defaultSettings("default", "us"), [
    { ...key, ...storedSecret("secret"), lastUsedAt: null, expiresAt },
  ])
  let finds = 0
  const counted = Registry.of({
    ...registry,
    find: (lookup) =>
      Effect.suspend(() => {
        finds++
        return registry.find(lookup)
      }),
  })
  const services = yield* Layer.buildWithScope(
    Authenticator.layer.pipe(Layer.provide(Layer.succeed(Registry, counted))),
    yield* Scope.make(),
  )
  const authenticator = Context.get(services, Authenticator)
  return {
    call: (header: string | undefined) => Effect.map(authenticator.track(header), Option.isSome),
    finds: () => finds,
    forget: authenticator.forget,
    revoke: registry.revokeKey(workspace.id, "web"),
  }
})

const right = basic("web", "secret")

/** The time after which a look-up is no longer cached. */
const afterCache = "500 millis"

describe("Track credentials", () => {
  it.effect("a site id that is longer than any key's is neither looked up nor kept", () =>
    Effect.gen(function* () {
      const { call, finds } = yield* setUp()
      assert.isFalse(yield* call(basic("x".repeat(siteIdLengthMax + 1), "secret")))
      assert.strictEqual(finds(), 0)
      assert.isFalse(yield* call(basic("x".repeat(siteIdLengthMax), "secret")))
      assert.strictEqual(finds(), 1)
    }).pipe(Effect.provide(store)),
  )

  it.effect("accepts the right secret again and again with one look-up", () =>
    Effect.gen(function* () {
      const { call, finds } = yield* setUp()
      for (let n = 0; n < 3; n++) assert.isTrue(yield* call(right))
      assert.strictEqual(finds(), 1)
      yield* TestClock.adjust(afterCache)
      for (let n = 0; n < 3; n++) assert.isTrue(yield* call(right))
      assert.strictEqual(finds(), 2)
    }).pipe(Effect.provide(store)),
  )

  it.effect("refuses every other header of a site whose right header is remembered", () =>
    Effect.gen(function* () {
      const { call } = yield* setUp()
      assert.isTrue(yield* call(right))
      for (const wrong of [
        basic("web", "guess"),
        basic("other", "secret"),
        basic("web", "secrets"),
        "Basic",
        "",
        undefined,
      ])
        assert.isFalse(yield* call(wrong), wrong)
      assert.isTrue(yield* call(right))
    }).pipe(Effect.provide(store)),
  )

  it.effect("refuses a remembered header once its key was revoked and is no longer cached", () =>
    Effect.gen(function* () {
      const { call, revoke } = yield* setUp()
      assert.isTrue(yield* call(right))
      assert.isTrue(yield* call(right))
      yield* revoke
      yield* TestClock.adjust(afterCache)
      assert.isFalse(yield* call(right))
      yield* TestClock.adjust("1 minute")
      assert.isFalse(yield* call(right))
    }).pipe(Effect.provide(store)),
  )

  it.effect("refuses a remembered header at once after the cache of keys was cleared", () =>
    Effect.gen(function* () {
      const { call, forget, revoke } = yield* setUp()
      assert.isTrue(yield* call(right))
      assert.isTrue(yield* call(right))
      yield* revoke
      yield* forget
      assert.isFalse(yield* call(right))
    }).pipe(Effect.provide(store)),
  )

  it.effect("refuses a remembered header from the time at which its key expires", () =>
    Effect.gen(function* () {
      const { call } = yield* setUp(300)
      assert.isTrue(yield* call(right))
      yield* TestClock.adjust("299 millis")
      assert.isTrue(yield* call(right))
      yield* TestClock.adjust("1 milli")
      assert.isFalse(yield* call(right))
    }).pipe(Effect.provide(store)),
  )
})
