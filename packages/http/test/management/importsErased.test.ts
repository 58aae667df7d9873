import { assert, it } from "@effect/vitest"
import type { ExportedEntity } from "@inlethq/contract/transfer/Imports"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { Store } from "@inlethq/core/ports/Store"
import { toIso } from "@inlethq/core/values/Timestamp"
import * as Memory from "@inlethq/storage-memory/Memory"
import {
  byEmail,
  byId,
  bySvcId,
  first,
  identify,
  merge,
  noon,
  remove,
  unmerge,
} from "@inlethq/store-conformance/script/commands"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { apply } from "@inlethq/store-conformance/script/scenario"
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
        Array.from(kept.keys(), ({ key }) => key),
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

const keptOf = Effect.fnUntraced(function* (entities: ReadonlyArray<ExportedEntity>) {
  const kept = yield* new ImportedErasures(yield* ErasureLedger, yield* Store).withoutErased(
    first.id,
    entities,
  )
  return [...kept.values()]
})

const at = (receivedAt: number) => ({ receivedAt })

const bobAt = (receivedAt: number): ExportedEntity => ({ ...replayed("bob"), received_at: toIso(receivedAt) })

const person = (id: string, seenAt: number): ExportedEntity => ({
  entity: { type: "person", action: "identify", identifiers: { id } },
  key: id,
  seen_at: toIso(seenAt),
})

const object = (...ids: ReadonlyArray<string>): ExportedEntity => ({
  entity: {
    type: "object",
    action: "add_relationships",
    identifiers: { object_type_id: "1", object_id: "acme" },
    svc_relationships: ids.map((id) => ({ identifiers: { id } })),
  },
  key: "object",
})

const inMemory = Memory.layer.pipe(Layer.provide(plainDigest))

it.effect(
  "a replay of an older copy leaves out who was merged into an erased person, and not who came later",
  () =>
    Effect.gen(function* () {
      yield* apply(identify(byId("ada"), [], at(noon)), identify(byId("bob"), [], at(noon)))
      yield* apply(merge(byId("ada"), byId("bob"), at(noon + 1000)))
      yield* apply(identify(byId("bob"), [], at(noon + 3000)))
      yield* apply(remove(byId("ada"), at(noon + 4000)))
      const [before, after] = [bobAt(noon), bobAt(noon + 3000)]
      assert.deepStrictEqual(yield* keptOf([before, after]), [after])
    }).pipe(Effect.provide(inMemory)),
)

it.effect(
  "an import of an older export leaves out who was erased since, also among the people of objects",
  () =>
    Effect.gen(function* () {
      yield* apply(identify(byId("ada")), identify(byId("bob")), identify(byId("cid")))
      yield* apply(remove(byId("ada")), remove(byId("bob")))
      yield* apply(identify(byId("bob")))
      const [older, newer] = [person("ada", noon - 1), person("ada", noon + 1)]
      assert.deepStrictEqual(yield* keptOf([older, newer, object("ada", "bob", "cid", "dan")]), [
        newer,
        object("bob", "cid", "dan"),
      ])
    }).pipe(Effect.provide(inMemory)),
)

/** A person of an older export who had only an email. */
const withEmail = (email: string, seenAt: number): ExportedEntity => ({
  entity: { type: "person", action: "identify", identifiers: { email } },
  key: `${email} ${seenAt}`,
  seen_at: toIso(seenAt),
})

const changesOfEmail = [
  identify(byEmail("old@example.com"), [], at(noon)),
  identify(bySvcId(1), [], { ...at(noon + 1000), email: "new@example.com" }),
  identify(byId("ada"), [], at(noon + 2000)),
]

it.effect.each([
  { whose: "of their own", merges: [] },
  {
    whose: "of somebody merged into them",
    merges: [merge(byId("ada"), byEmail("new@example.com"), at(noon + 3000))],
  },
])("an import of an older export leaves out an erased person by a former email $whose", ({ merges }) =>
  Effect.gen(function* () {
    yield* apply(...changesOfEmail, ...merges, remove(byEmail("new@example.com"), at(noon + 4000)))
    const [before, after] = [
      withEmail("old@example.com", noon + 500),
      withEmail("old@example.com", noon + 1500),
    ]
    assert.deepStrictEqual(yield* keptOf([before, after]), [after])
  }).pipe(Effect.provide(inMemory)),
)

it.effect("a former email goes back to its person when a merge is undone", () =>
  Effect.gen(function* () {
    yield* apply(...changesOfEmail)
    const { entries } = yield* apply(merge(byId("ada"), byEmail("new@example.com"), at(noon + 3000)))
    const [merged] = entries
    const receipt = merged === undefined ? null : mergeIn(merged)
    assert.isNotNull(receipt)
    yield* apply(unmerge(receipt, at(noon + 3500)))
    const older = withEmail("old@example.com", noon + 500)
    yield* apply(remove(byId("ada"), at(noon + 4000)))
    assert.deepStrictEqual(yield* keptOf([older]), [older])
    yield* apply(remove(byEmail("new@example.com"), at(noon + 4000)))
    assert.deepStrictEqual(yield* keptOf([older]), [])
  }).pipe(Effect.provide(inMemory)),
)
