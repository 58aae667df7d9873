import type { ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import { Digest } from "@inlethq/core/ports/Digest"
import { ErasureLedger, type LedgerPlace } from "@inlethq/core/ports/ErasureLedger"
import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import { LakeFiles } from "@inlethq/core/ports/LakeFiles"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { whileFit } from "@inlethq/engine/whileFit"
import { Clock, Effect, Layer, Schedule } from "effect"
import { DataFolder } from "../node/DataFolder.ts"
import { backupsBefore } from "./knownBackups.ts"
import { receiptKey, signatureOf } from "./receiptKey.ts"
import { erasedBy, isFinal, receiptText, stateReader, untoldReader } from "./receipts.ts"

/** The pause between two searches for finished erasures. */
const pauseMs = 1000

/**
 * Seals the receipts of erasures that are finished: signs what was done, and stores it. What is finished is read from the
 * store each time, so a process that is killed leaves the rest to the next one. Each search looks at two pages of receipts,
 * however many wait for a lake: at the newest, and at the next ones before those of the search before.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const ledger = yield* ErasureLedger
    const seal = sealer(ledger, yield* LakeFiles, yield* ForwardStore, yield* Digest, yield* DataFolder)
    let before: LedgerPlace | null = null
    const sealFinished = Effect.gen(function* () {
      const newest = yield* ledger.unsealed(null)
      yield* seal(newest.items)
      if (newest.next === null) return
      const older = yield* ledger.unsealed(before ?? newest.next)
      before = older.next
      yield* seal(older.items)
    }).pipe(Effect.ignoreCause({ log: "Error", message: "receipts were not sealed; this will be retried" }))
    yield* Effect.forkScoped(Effect.repeat(whileFit(sealFinished), Schedule.spaced(pauseMs)))
  }),
)

/** Returns a function that seals the receipts of those records whose erasure is finished. */
const sealer = (
  ledger: ErasureLedger["Service"],
  lake: LakeFiles["Service"],
  forwards: ForwardStore["Service"],
  digest: Digest["Service"],
  dataFolder: string | null,
): ((records: ReadonlyArray<ErasureRecord>) => Effect.Effect<void, StoreUnavailable>) => {
  const key = receiptKey(digest)
  return Effect.fnUntraced(function* (records) {
    // These records are read before what is left of them, so that nothing of a finished one is overlooked.
    for (const [workspace, own] of Map.groupBy(records, (record) => record.workspace)) {
      const stateOf = yield* stateReader(ledger, digest, workspace)
      const untoldOf = yield* untoldReader(forwards, workspace)
      const now = yield* Clock.currentTimeMillis
      for (const record of own) {
        if (!isFinal(ledger, stateOf(record))) continue
        const rewrites = yield* lake.rewrites(workspace, record.position)
        const erased = { ...(yield* erasedBy(ledger, record)), untold: yield* untoldOf(record) }
        const backups = yield* backupsBefore(dataFolder, record.at)
        const text = receiptText(ledger, digest, record, erased, rewrites, backups, now)
        yield* ledger.seal(workspace, record, { text, signature: signatureOf(key, text) })
      }
    }
  })
}
