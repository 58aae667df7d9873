import { Ingest } from "@inlethq/engine/commits/Ingest"
import { byId, first, identify, noon, second, workspaceOf } from "@inlethq/store-conformance/script/commands"
import { apply, load, personBy } from "@inlethq/store-conformance/script/scenario"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { hourMs } from "@inlethq/core/values/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { storeIn, temporaryDirectory } from "./temporary.ts"

const plan = Effect.map(
  personBy({ kind: "id", value: "ada" }),
  (person) => person?.attributes.get("plan")?.value,
)

/** Receives an update that has no timestamp. As in a server, its receipt time is the current time. */
const receive = Effect.fnUntraced(function* (value: string) {
  const ingest = yield* Ingest
  const receivedAt = yield* Clock.currentTimeMillis
  const [entry] = yield* ingest.submit([identify(byId("ada"), [["plan", value]], { receivedAt })], 1)
  return [entry?.receivedAt, entry?.at]
})

describe("receipt time", () => {
  it.effect("receipt times do not decrease if the clock is set back an hour during a restart", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const started = Effect.provide(Layer.provideMerge(Ingest.layer, storeIn(directory)), { local: true })
      yield* TestClock.setTime(noon)
      assert.deepStrictEqual(yield* receive("before").pipe(started), [noon, noon])
      yield* TestClock.setTime(noon - hourMs)
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* receive("after the restart"), [noon, noon])
        assert.strictEqual(yield* plan, "after the restart")
      }).pipe(started)
      yield* TestClock.setTime(noon + 1)
      assert.deepStrictEqual(yield* receive("later").pipe(started), [noon + 1, noon + 1])
    }),
  )

  it.effect(
    "the latest receipt time is stored for each workspace and loaded with each batch of the workspace",
    () =>
      Effect.gen(function* () {
        const inIt = Effect.provide(storeIn(yield* temporaryDirectory), { local: true })
        yield* apply(
          identify(byId("ada"), [], { receivedAt: noon }),
          identify(byId("ada"), [], { receivedAt: noon + hourMs, in: second }),
        ).pipe(inIt)
        const latestIn = ({ id }: Workspace) =>
          Effect.map(load({ workspace: id }), ({ latestReceipt }) => latestReceipt).pipe(inIt)
        assert.strictEqual(yield* latestIn(first), noon)
        assert.strictEqual(yield* latestIn(second), noon + hourMs)
        assert.isNull(yield* latestIn(workspaceOf(3)))
      }),
  )
})
