import type { Catalog } from "@inlethq/core/catalog/Catalog"
import * as Memory from "@inlethq/storage-memory/Memory"
import type { Registry } from "@inlethq/core/ports/Registry"
import type { Store } from "@inlethq/core/ports/Store"
import { byId, identify, noon, register, remove, report } from "@inlethq/store-conformance/script/commands"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { compare } from "@inlethq/store-conformance/differential/differential"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { activity, apply, sweepAll } from "@inlethq/store-conformance/script/scenario"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { slowStore, temporaryStore } from "./temporary.ts"

const inNew =
  <E>(layer: Layer.Layer<Store | Catalog | Registry, E>) =>
  <A, E2>(effect: Effect.Effect<A, E2, Store | Catalog | Registry>) =>
    Effect.provide(effect, layer, { local: true })

const memoryStore = Memory.layer.pipe(Layer.provide(plainDigest))

describe("the SQLite store and the memory store", () => {
  it.effect(
    "the SQLite store and the memory store show the same data, however commands are batched and whenever housekeeping runs",
    comparing(60, (scripts) => compare(slowStore, scripts)),
  )

  it.effect.each([true, false])(
    "the SQLite store and the memory store agree on a delivery that was registered twice (in one batch: %s)",
    (isOneBatch) => {
      const commands = [
        ...["ada", "bob"].map((id) => identify(byId(id))),
        report("delivery", "opened", { recipient: "ada@example.com" }),
        register("delivery", byId("ada")),
        register("delivery", byId("bob")),
        remove(byId("ada")),
        report("delivery", "clicked"),
      ]
      const all = Effect.gen(function* () {
        if (isOneBatch) yield* apply(...commands)
        else for (const command of commands) yield* apply(command)
        const inFlight = yield* activity()
        yield* sweepAll(noon)
        return [inFlight, yield* activity()]
      })
      return Effect.gen(function* () {
        assert.deepStrictEqual(yield* all.pipe(inNew(temporaryStore)), yield* all.pipe(inNew(memoryStore)))
      })
    },
  )
})
