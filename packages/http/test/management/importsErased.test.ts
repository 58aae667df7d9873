import { assert, it } from "@effect/vitest"
import type { ExportedEntity } from "@inlet/api/management/Imports"
import { ErasureLedger } from "@inlet/core/ports/ErasureLedger"
import { Store } from "@inlet/core/ports/Store"
import { toIso } from "@inlet/core/values/Timestamp"
import * as Memory from "@inlet/storage-memory/Memory"
import { byId, first, identify, noon, remove } from "@inlet/store-conformance/commands"
import { plainDigest } from "@inlet/store-conformance/digest"
import { apply } from "@inlet/store-conformance/scenario"
import { Effect, Layer } from "effect"
import { ImportedErasures } from "../../src/management/imports/importsErased.ts"

const replayed = (id: string): ExportedEntity => ({
  entity: { type: "person", action: "identify", identifiers: { id } },
  key: id,
  received_at: toIso(noon - 1000),
})

const entities = ["ada", "bob", "cid", "dan"].map(replayed)

it.effect.each([0, 1, 50_000])(
  "a replay leaves out all who were erased, with room for %s records of the ledger",
  (recordsMax) =>
    Effect.gen(function* () {
      const erasures = new ImportedErasures(yield* ErasureLedger, yield* Store, recordsMax)
      const left = Effect.map(erasures.withoutErased(first.id, entities), (kept) =>
        Array.from(kept, ({ key }) => key),
      )
      yield* apply(...["ada", "bob", "cid", "dan"].map((id) => identify(byId(id))))
      assert.deepStrictEqual(yield* left, ["ada", "bob", "cid", "dan"])
      yield* apply(remove(byId("ada")), remove(byId("bob")))
      assert.deepStrictEqual(yield* left, ["cid", "dan"])
      yield* apply(remove(byId("dan")))
      assert.deepStrictEqual(yield* left, ["cid"])
      assert.deepStrictEqual(yield* left, ["cid"])
    }).pipe(Effect.provide(Memory.layer.pipe(Layer.provide(plainDigest)))),
)
