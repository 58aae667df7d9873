import { assert, layer } from "@effect/vitest"
import { managementPath } from "@inlet/api/management/ManagementApi"
import { Ingest } from "@inlet/core/engine/Ingest"
import { Overloaded } from "@inlet/core/engine/IngestBounds"
import { Context, type Duration, Effect, Fiber, Latch, Layer, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { Draining } from "../src/management/Draining.ts"
import { memory, newWorkspace, server, serverBefore, token } from "./managementServer.ts"

const encoder = new TextEncoder()

/** Sends a file, and gives the lines of the answer as far as it goes and how it ended. */
const answerTo = Effect.fnUntraced(function* (file: Stream.Stream<Uint8Array>) {
  const workspace = yield* newWorkspace
  const response = yield* HttpClientRequest.post(
    `${managementPath}/workspaces/${workspace.id}/imports/people`,
  ).pipe(
    HttpClientRequest.bearerToken(token),
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

const isSummary = (line: string | undefined) => line?.includes('"errors"') === true

/** A queue that is full until there is room: it counts what it turns away. */
class Crowd extends Context.Service<Crowd, { isFull: boolean; turnedAway: number }>()(
  "@inlet/server/test/managementImportsBreaks.test/Crowd",
) {
  static readonly layer = Layer.sync(this, () => ({ isFull: true, turnedAway: 0 }))
}

const crowded = Layer.effect(
  Ingest,
  Effect.gen(function* () {
    const ingest = yield* Ingest
    const crowd = yield* Crowd
    return Ingest.of({
      ...ingest,
      submit: (commands, bytes) =>
        Effect.suspend(() => {
          if (!crowd.isFull) return ingest.submit(commands, bytes)
          crowd.turnedAway++
          return Effect.fail(new Overloaded())
        }),
    })
  }),
).pipe(Layer.provideMerge(memory), Layer.provide(Crowd.layer))

/** Lets time pass until something is so. */
const passTime = (step: Duration.Input, until: () => boolean) =>
  Effect.repeat(Effect.andThen(Effect.yieldNow, TestClock.adjust(step)), { until })

const file = Stream.succeed(encoder.encode("id\nada\n"))

layer(Layer.provideMerge(serverBefore(crowded), Crowd.layer))("an import before a full queue", (it) => {
  it.effect("breaks off after a while, without a summary", () =>
    Effect.gen(function* () {
      const crowd = yield* Crowd
      const answer = yield* Effect.forkChild(answerTo(file))
      yield* passTime("250 millis", () => answer.pollUnsafe() !== undefined)
      const { ended, lines } = yield* Fiber.join(answer)
      assert.strictEqual(ended, "Failure")
      assert.isFalse(isSummary(lines.at(-1)))
      assert.strictEqual(crowd.turnedAway, 41)
    }),
  )

  it.effect("waits until there is room", () =>
    Effect.gen(function* () {
      const crowd = yield* Crowd
      crowd.turnedAway = 0
      const answer = yield* Effect.forkChild(answerTo(file))
      yield* passTime("250 millis", () => crowd.turnedAway === 3)
      crowd.isFull = false
      yield* passTime("250 millis", () => answer.pollUnsafe() !== undefined)
      const { ended, lines } = yield* Fiber.join(answer)
      assert.strictEqual(ended, "Success")
      assert.strictEqual(lines.at(-1), '{"rows":1,"imported":1,"skipped":0,"failed":0,"errors":[]}')
    }),
  )
})

layer(server)("an import whose file does not come", (it) => {
  it.effect("breaks off after a minute of silence", () =>
    Effect.gen(function* () {
      const answer = yield* Effect.forkChild(answerTo(Stream.concat(file, Stream.never)))
      yield* passTime("1 minute", () => answer.pollUnsafe() !== undefined)
      const { ended, lines } = yield* Fiber.join(answer)
      assert.strictEqual(ended, "Failure")
      assert.isFalse(isSummary(lines.at(-1)))
    }),
  )
})

const stopping = Latch.makeUnsafe(false)

layer(serverBefore(memory).pipe(Layer.provide(Layer.succeed(Draining, stopping.await))))(
  "an import into a server that stops",
  (it) => {
    it.effect("ends without a summary", () =>
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
