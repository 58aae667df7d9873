import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { connect, type Socket } from "node:net"
import { afterEach, beforeEach, vi } from "vitest"
import { bodyTimeoutMs } from "../../src/ingestion/Body.ts"
import { checkIntervalMs, Deadlines } from "../../src/ingestion/Deadlines.ts"
import { drainTimeoutMs, headersTimeoutMs, Listener, timeoutCheckMs } from "../../src/listener/Listener.ts"
import { RefusedCalls } from "../../src/listener/RefusedCalls.ts"
import { defaultSettings } from "./ingestionLayers.ts"

describe("the time limit of a request body", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("a deadline expires no earlier than its duration and at most one check interval later", () => {
    const deadlines = new Deadlines(bodyTimeoutMs)
    const expired: Array<string> = []
    deadlines.begin(() => expired.push("first"))
    vi.advanceTimersByTime(bodyTimeoutMs - 1)
    assert.deepStrictEqual(expired, [])
    deadlines.begin(() => expired.push("second"))
    vi.advanceTimersByTime(1 + checkIntervalMs)
    assert.deepStrictEqual(expired, ["first"])
    vi.advanceTimersByTime(bodyTimeoutMs)
    assert.deepStrictEqual(expired, ["first", "second"])
  })

  it("the time limit of a request body does not expire once the body has arrived", () => {
    const deadlines = new Deadlines(bodyTimeoutMs)
    const expired: Array<string> = []
    const arrived = deadlines.begin(() => expired.push("arrived"))
    deadlines.begin(() => expired.push("late"))
    arrived()
    vi.advanceTimersByTime(2 * bodyTimeoutMs)
    assert.deepStrictEqual(expired, ["late"])
  })
})

describe("the time limits of the server", () => {
  it("the server waits at most 12 s for headers, 35 s for a body and 10 s for its own stop", () => {
    assert.strictEqual(headersTimeoutMs, 10_000)
    assert.isAtMost(headersTimeoutMs + timeoutCheckMs, 12_000)
    assert.strictEqual(bodyTimeoutMs, 30_000)
    assert.isAtMost(bodyTimeoutMs + checkIntervalMs, 35_000)
    assert.isBelow(drainTimeoutMs, 10_000)
  })
})

/** Opens a connection, sends bytes on it, and closes it with the scope. */
const openTo = (url: URL, bytes: string) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connect(Number(url.port), url.hostname, () => resume(Effect.succeed(socket)))
      socket.on("error", () => {})
      socket.write(bytes)
    }),
    (socket) => Effect.sync(() => socket.destroy()),
  )

describe("a stopping server", () => {
  it.effect("a stopping server waits 8 s for a response in progress, then closes its connection", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const listener = Context.get(
        yield* Layer.buildWithScope(
          Listener.layer.pipe(Layer.provide([defaultSettings, RefusedCalls.layer])),
          scope,
        ),
        Listener,
      )
      const asked = yield* Deferred.make<void>()
      const { ingestion: url } = yield* listener.listen(() => Deferred.doneUnsafe(asked, Effect.void))
      const socket = yield* openTo(url, "GET / HTTP/1.1\r\nhost: x\r\n\r\n")
      yield* Deferred.await(asked)
      const ended = yield* Effect.forkChild(
        Effect.callback<void>((resume) => {
          socket.once("close", () => resume(Effect.void))
        }),
      )
      const stop = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust(drainTimeoutMs - 1)
      assert.deepStrictEqual([listener.isStopping(), stop.pollUnsafe()], [true, undefined])
      yield* TestClock.adjust(1)
      yield* Fiber.join(stop)
      yield* Fiber.join(ended)
    }),
  )
})
