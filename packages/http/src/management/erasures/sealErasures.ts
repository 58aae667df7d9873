import { Digest } from "@inlet/core/ports/Digest"
import { ErasureLedger } from "@inlet/core/ports/ErasureLedger"
import { LakeFiles } from "@inlet/core/ports/LakeFiles"
import { Clock, Effect, Layer, Schedule } from "effect"
import { receiptKey, signatureOf } from "./receiptKey.ts"
import { erasedBy, isFinal, receiptText, stateReader } from "./receipts.ts"

/** The pause between two searches for finished erasures. */
const pauseMs = 1000

/**
 * Seals the receipts of erasures that are finished: signs what was done, and stores it. What is finished is read from the
 * store each time, so a process that is killed leaves the rest to the next one.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const ledger = yield* ErasureLedger
    const lake = yield* LakeFiles
    const digest = yield* Digest
    const key = receiptKey(digest)
    const sealFinished = Effect.gen(function* () {
      // These records are read before what is left of them, so that nothing of a finished one is overlooked.
      const records = yield* ledger.unsealed
      for (const [workspace, own] of Map.groupBy(records, (record) => record.workspace)) {
        const stateOf = yield* stateReader(ledger, digest, workspace)
        const now = yield* Clock.currentTimeMillis
        for (const record of own) {
          if (!isFinal(ledger, stateOf(record))) continue
          const rewrites = yield* lake.rewrites(workspace, record.position)
          const erased = yield* erasedBy(ledger, record)
          const text = receiptText(ledger, digest, record, erased, rewrites, now)
          yield* ledger.seal(workspace, record, { text, signature: signatureOf(key, text) })
        }
      }
    }).pipe(Effect.ignoreCause({ log: "Error", message: "receipts were not sealed; this will be retried" }))
    yield* Effect.forkScoped(Effect.repeat(sealFinished, Schedule.spaced(pauseMs)))
  }),
)
