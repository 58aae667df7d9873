import { assert, layer } from "@effect/vitest"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Overloaded } from "@inlethq/engine/commits/IngestBounds"
import { Context, type Duration, Effect, Fiber, Latch, Layer, Schema, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { Draining } from "../../src/management/node/Draining.ts"
import { assertProblem, call, memory, newWorkspace, server, serverWith, token } from "./managementServer.ts"

const encoder = new TextEncoder()

/** Sends a file. Returns the lines of the response, and whether the response ended normally or failed. */
const answerTo = Effect.fnUntraced(function* (file: Stream.Stream<Uint8Array>, sender = token) {
  const workspace = yield* newWorkspace
  const response = yield* HttpClientRequest.post(
    `${managementPath}/workspaces/${workspace.id}/imports/people`,
  ).pipe(
    HttpClientRequest.bearerToken(sender),
    HttpClientRequest.bodyStream(file, { contentType: "text/csv" }),
    HttpClient.execute,
  )
  assert.strictEqual(response.status, 200)
  const lines: Array<string> = []
  const ended = yield* response.stream.pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.runForEach((line) => Effect.sync(() => void lines.push(line))),
    Effect.exit,
  )
  return { lines, ended: ended._tag }
})

const IssuedJson = Schema.Struct({ token: Schema.String, token_id: Schema.String })

const isSummary = (line: string | undefined) => line?.includes('"errors"') === true

/**
 * While `isFull` is true, every commit is rejected, as if the commit queue were full. `rejected` counts these commits.
 */
class QueueControl extends Context.Service<QueueControl, { isFull: boolean; rejected: number }>()(
  "@inlethq/http/test/management/managementImportsBreaks.test/QueueControl",
) {
  static readonly layer = Layer.sync(this, () => ({ isFull: true, rejected: 0 }))
}

const controlled = Layer.effect(
  Ingest,
  Effect.gen(function* () {
    const ingest = yield* Ingest
    const control = yield* QueueControl
    return Ingest.of({
      ...ingest,
      submit: (commands, bytes) =>
        Effect.suspend(() => {
          if (!control.isFull) return ingest.submit(commands, bytes)
          control.rejected++
          return Effect.fail(new Overloaded())
        }),
    })
  }),
).pipe(Layer.provideMerge(memory), Layer.provide(QueueControl.layer))

/** Advances the test clock until a condition holds. */
const passTime = (step: Duration.Input, until: () => boolean) =>
  Effect.repeat(Effect.andThen(Effect.yieldNow, TestClock.adjust(step)), { until })

const file = Stream.succeed(encoder.encode("id\nada\n"))

layer(Layer.provideMerge(serverWith(controlled), QueueControl.layer))(
  "an import while the commit queue is full",
  (it) => {
    it.effect(
      "an import fails and sends no summary if the commit queue is still full at the 40th retry",
      () =>
        Effect.gen(function* () {
          const control = yield* QueueControl
          const answer = yield* Effect.forkChild(answerTo(file))
          yield* passTime("250 millis", () => answer.pollUnsafe() !== undefined)
          const { ended, lines } = yield* Fiber.join(answer)
          assert.strictEqual(ended, "Failure")
          assert.isFalse(isSummary(lines.at(-1)))
          assert.strictEqual(control.rejected, 41)
        }),
    )

    it.effect("an import succeeds if the commit queue has room again before the last retry", () =>
      Effect.gen(function* () {
        const control = yield* QueueControl
        control.rejected = 0
        const answer = yield* Effect.forkChild(answerTo(file))
        yield* passTime("250 millis", () => control.rejected === 3)
        control.isFull = false
        yield* passTime("250 millis", () => answer.pollUnsafe() !== undefined)
        const { ended, lines } = yield* Fiber.join(answer)
        assert.strictEqual(ended, "Success")
        assert.strictEqual(lines.at(-1), '{"rows":1,"imported":1,"skipped":0,"failed":0,"errors":[]}')
      }),
    )
  },
)

layer(server)("an import while its upload stalls", (it) => {
  it.effect("an import that gets no data for a minute fails and sends no summary", () =>
    Effect.gen(function* () {
      const answer = yield* Effect.forkChild(answerTo(Stream.concat(file, Stream.never)))
      yield* passTime("1 minute", () => answer.pollUnsafe() !== undefined)
      const { ended, lines } = yield* Fiber.join(answer)
      assert.strictEqual(ended, "Failure")
      assert.isFalse(isSummary(lines.at(-1)))
    }),
  )
})

layer(server)("an import whose client sends a byte every 30 seconds", (it) => {
  it.effect("an import fails if a block takes longer than 3 minutes to arrive", () =>
    Effect.gen(function* () {
      let sent = 0
      const byte = Effect.as(Effect.sleep("30 seconds"), encoder.encode("a")).pipe(
        Effect.tap(() => Effect.sync(() => sent++)),
      )
      const answer = yield* Effect.forkChild(answerTo(Stream.concat(file, Stream.fromEffectRepeat(byte))))
      yield* passTime("10 seconds", () => answer.pollUnsafe() !== undefined)
      const { ended, lines } = yield* Fiber.join(answer)
      assert.strictEqual(ended, "Failure")
      assert.isFalse(isSummary(lines.at(-1)))
      assert.isAtLeast(sent, 5)
    }),
  )
})

layer(server)("imports beyond the limit", (it) => {
  it.effect(
    "the management API answers 503 to further imports while 4 run and 32 wait, and reads none of them",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const send = (body: Stream.Stream<Uint8Array>) =>
          HttpClientRequest.post(`${managementPath}/workspaces/${workspace.id}/imports/people`).pipe(
            HttpClientRequest.bearerToken(token),
            HttpClientRequest.bodyStream(body, { contentType: "text/csv" }),
            HttpClient.execute,
          )
        const ended = yield* Latch.make(false)
        const halfOpen = Stream.concat(file, Stream.fromEffectDrain(ended.await))
        for (let i = 0; i < 36; i++) {
          const { status } = yield* send(halfOpen)
          assert.strictEqual(status, 200)
        }
        const refused = yield* send(file)
        assert.strictEqual(refused.headers["retry-after"], "10")
        assertProblem(
          { headers: refused.headers, status: refused.status, json: yield* refused.json },
          503,
          "Service Unavailable",
          "4 imports are running and 32 more are waiting; try again later",
        )
        yield* ended.open
        yield* Effect.repeat(
          Effect.map(send(file), ({ status }) => status),
          { until: (status) => status === 200 },
        )
      }),
  )
})

layer(server)("an import whose sender loses access", (it) => {
  it.effect("an import ends without a summary when the token that sent it is revoked", () =>
    Effect.gen(function* () {
      const made = yield* call("POST", "/tokens", { body: { name: "CI", scope: "write", workspaces: null } })
      const issued = yield* Schema.decodeUnknownEffect(IssuedJson)(made.json)
      const isArriving = yield* Latch.make(false)
      const slow = Stream.fromEffectRepeat(Effect.as(Effect.sleep("30 seconds"), encoder.encode("a")))
      const endless = file.pipe(Stream.concat(Stream.fromEffectDrain(isArriving.open)), Stream.concat(slow))
      const answer = yield* Effect.forkChild(answerTo(endless, issued.token))
      yield* isArriving.await
      yield* call("DELETE", `/tokens/${issued.token_id}`)
      yield* passTime("500 millis", () => answer.pollUnsafe() !== undefined)
      const { ended, lines } = yield* Fiber.join(answer)
      assert.isFalse(isSummary(lines.at(-1)))
      // An import that sends too slowly fails instead.
      assert.strictEqual(ended, "Success")
    }),
  )
})

const stopping = Latch.makeUnsafe(false)

layer(serverWith(memory).pipe(Layer.provide(Layer.succeed(Draining, stopping.await))))(
  "an import on a stopping server",
  (it) => {
    it.effect("an import ends without a summary when the server stops", () =>
      Effect.gen(function* () {
        const endless = Stream.concat(
          file,
          Stream.fromEffectDrain(Effect.andThen(stopping.open, Effect.never)),
        )
        const { lines } = yield* answerTo(endless)
        assert.isFalse(isSummary(lines.at(-1)))
      }),
    )
  },
)
