import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { ErasureLedger, unsealedMax } from "@inlethq/core/ports/ErasureLedger"
import { lakeCursor, LakeFiles } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { forwardOf } from "@inlethq/store-conformance/tables/forwardLaws"
import { Sequence } from "@inlethq/core/values/Identifier"
import * as MemoryForwards from "@inlethq/storage-memory/forwards"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as Memory from "@inlethq/storage-memory/Memory"
import { byId, first, identify, noon, remove } from "@inlethq/store-conformance/script/commands"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { apply, moveLake, sweepAll } from "@inlethq/store-conformance/script/scenario"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { DataFolder } from "../../src/management/node/DataFolder.ts"
import { knownBackupsMax, noteBackup, readBackups } from "../../src/management/erasures/knownBackups.ts"
import * as SealErasures from "../../src/management/erasures/sealErasures.ts"

const stores = Layer.mergeAll(Memory.layer, MemoryForwards.layer, MemoryLogCursors.layer).pipe(
  Layer.provideMerge(plainDigest),
)

const eraseMany = (name: string, count: number, receivedAt: number) => {
  const people = Array.from({ length: count }, (_, n) => byId(`${name} ${n}`))
  return apply(...people.flatMap((one) => [identify(one, [], { receivedAt }), remove(one, { receivedAt })]))
}

/** Returns how many receipts of the ledger are sealed. */
const sealedCount = Effect.gen(function* () {
  const ledger = yield* ErasureLedger
  const { items } = yield* ledger.read(first.id, { after: null, limit: 250, order: "asc" })
  const receipts = yield* Effect.forEach(items, (record) => ledger.receipt(first.id, record))
  return receipts.filter((receipt) => receipt !== null).length
})

it.effect(
  "contract §16 erasure receipts: are sealed in few searches although many newer ones wait for a lake",
  () =>
    Effect.gen(function* () {
      yield* eraseMany("early", 2, noon)
      const { token } = yield* (yield* LogCursors).claim(lakeCursor(first.id))
      const nothing = { added: [], replaced: [], noticed: [], followed: [], rewritten: [] }
      const lake = yield* LakeFiles
      yield* lake.commit({ ...nothing, workspace: first.id, token, now: noon, to: Sequence.make(4) })
      yield* eraseMany("late", 3 * unsealedMax, noon + 1)
      yield* sweepAll(noon + 1)
      yield* Layer.build(SealErasures.layer)
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(yield* sealedCount, 2)
      yield* moveLake(first.id)
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(yield* sealedCount, 250)
    }).pipe(Effect.provide(stores)),
)

it.effect("contract §16 erasure receipts: name the forwards that have still to tell it", () =>
  Effect.gen(function* () {
    const forwards = yield* ForwardStore
    yield* forwards.create(forwardOf("one", { workspace: first.id, name: "hosted" }), EventPosition.make(0))
    yield* forwards.create(forwardOf("two", { workspace: first.id, name: "other" }), EventPosition.make(0))
    yield* eraseMany("ada", 1, noon)
    yield* forwards.forget(forwardOf("two", { workspace: first.id }), [Sequence.make(2)])
    yield* sweepAll(noon)
    yield* Layer.build(SealErasures.layer)
    yield* TestClock.adjust("3 seconds")
    const ledger = yield* ErasureLedger
    const { items } = yield* ledger.read(first.id, { after: null, limit: 1, order: "asc" })
    const [receipt] = yield* Effect.forEach(items, (record) => ledger.receipt(first.id, record))
    assert.deepStrictEqual(receipt && Object(JSON.parse(receipt.text))["untold_forwards"], ["hosted"])
  }).pipe(Effect.provide(stores), Effect.scoped),
)

const backupAt = (at: number) => ({ file: `/backups/${at}`, created_at: toIso(at), bytes: 12 })

it.effect("contract §16 erasure receipts: name the backups that were begun before the erasure", () =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "inlet-backups-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
    for (const at of [noon - 1000, noon + 1000]) noteBackup(folder, backupAt(at))
    yield* eraseMany("ada", 1, noon)
    yield* sweepAll(noon)
    yield* Layer.build(Layer.provide(SealErasures.layer, Layer.succeed(DataFolder, folder)))
    yield* TestClock.adjust("3 seconds")
    const ledger = yield* ErasureLedger
    const { items } = yield* ledger.read(first.id, { after: null, limit: 2, order: "asc" })
    const receipts = yield* Effect.forEach(items, (record) => ledger.receipt(first.id, record))
    const backups = receipts.map((receipt) => receipt && Object(JSON.parse(receipt.text))["backups"])
    assert.deepStrictEqual(backups, [[backupAt(noon - 1000)]])
  }).pipe(Effect.provide(stores), Effect.scoped),
)

it("the oldest backups make room for new ones", () => {
  const folder = mkdtempSync(join(tmpdir(), "inlet-backups-"))
  for (let n = 0; n <= knownBackupsMax; n++) {
    noteBackup(folder, { file: `/${n}`, created_at: toIso(noon + n), bytes: n })
  }
  const known = readBackups(folder)
  rmSync(folder, { recursive: true })
  assert.deepStrictEqual([known.length, known[0]?.file], [knownBackupsMax, "/1"])
})
