import { Schema } from "effect"
import { envelope } from "../fold/Envelope.ts"
import type { NeedsCollector } from "../fold/Needs.ts"
import { SubjectKey } from "../values/Identifier.ts"
import { ErasureRecord } from "../ledger/ErasureRecord.ts"

/**
 * Erase again what a record of the ledger says was erased, because the data were restored from before the erasure
 * (contract §16 *erasure ledger*). `subjects` are the keys whose digests the record has, in its order.
 */
export const RepeatErasure = Schema.TaggedStruct("RepeatErasure", {
  ...envelope,
  record: ErasureRecord,
  subjects: Schema.NonEmptyArray(SubjectKey),
})
export type RepeatErasure = typeof RepeatErasure.Type

export const collectRepeated = (needs: NeedsCollector, { subjects }: RepeatErasure): void => {
  for (const key of subjects) needs.subject(key)
}
