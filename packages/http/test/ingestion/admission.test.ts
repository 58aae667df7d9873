import { assert, it } from "@effect/vitest"
import type { Command } from "@inlethq/core/Command"
import { first } from "@inlethq/store-conformance/script/commands"
import { Effect, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Admission } from "../../src/ingestion/Admission.ts"
import { defaultSettings, ingestOf } from "./ingestionLayers.ts"

const workspace = { ...first, limits: { ...first.limits, rateRequestsMax: 2, rateWindowSeconds: 3 } }

/** Starts `Admission`. Collects the number of requests in each `ReportExcess` command that `Admission` submits. */
const admission = Effect.gen(function* () {
  const written: Array<number> = []
  const submit = (commands: ReadonlyArray<Command>) =>
    Effect.sync(() => {
      for (const command of commands) if (command._tag === "ReportExcess") written.push(command.requests)
      return []
    })
  const scope = yield* Scope.make()
  const layer = Admission.layer.pipe(Layer.provide(ingestOf({ submit })), Layer.provide(defaultSettings))
  const context = yield* Layer.buildWithScope(layer, scope)
  const { admit } = yield* Effect.provide(Admission, context)
  const send = (requests: number) => {
    for (let i = 0; i < requests; i++) admit(workspace, 0)
  }
  return { scope, send, written }
})

it.effect(
  "contract §15: the server records an exceeded rate window once the window has ended, with the number of requests in it",
  () =>
    Effect.gen(function* () {
      const { send, written } = yield* admission
      send(7)
      yield* TestClock.adjust("2900 millis")
      assert.deepStrictEqual(written, [])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(written, [7])
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(written, [7])
    }),
)

it.effect(
  "contract §15: a server that stops records the current rate window if the window is already exceeded",
  () =>
    Effect.gen(function* () {
      const { scope, send, written } = yield* admission
      send(4)
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      assert.deepStrictEqual(written, [4])
    }),
)
