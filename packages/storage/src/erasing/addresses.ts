import { addressOfDelivery, addressOfEntry, withoutErasedAddress } from "@inlethq/core/decision/erasure"
import { digestsOf, type Digest } from "@inlethq/core/ports/Digest"
import type { Subject } from "@inlethq/core/state/Subject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { integer, type Row } from "../columns/columns.ts"
import { entryFromRow } from "../rows/entryRows.ts"
import { subjectKey } from "../columns/ids.ts"
import { subjectFromRow, subjectRow } from "../rows/subjectRows.ts"
import { documentsMax, rowsPerDocument, type Progress } from "../budgets/sweepBudget.ts"
import { redactReports } from "./entries.ts"
import type { ErasureQueries } from "./ErasureQueries.ts"
import type { ErasureTally } from "./ErasureTally.ts"

/*
 * A delivery without a known person, and the reports on it, can contain the email address of the recipient. The table
 * `addressed` maps the digest of an address to the deliveries that contain the address. Therefore the cost of erasing a
 * person grows only with the number of deliveries to the person's address.
 */

/** The digest of an address of a deleted person, which must be removed from reports at positions less than `before`. */
export interface ErasedAddress {
  readonly workspace: WorkspaceId
  readonly address: string
  readonly before: Sequence
}

/**
 * Removes the address from deliveries with keys greater than `after`, and stops once about `rowsMax` rows were read or
 * written. Processes at least one delivery. In the result, `to` is the key of the last processed delivery.
 */
export const removeAddress = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  digest: Digest["Service"],
  erased: ErasedAddress,
  after: SubjectKey | undefined,
  rowsMax: number,
  tally: ErasureTally,
): Effect.fn.Return<Progress & { readonly to: SubjectKey | undefined }, E> {
  const { address, workspace } = erased
  const deliveries = documentsMax(rowsMax)
  const found = yield* queries.addressedTo(workspace, address, after ?? 0, deliveries)
  let rows = 0
  let to = after
  for (const row of found) {
    if (rows > 0 && rows >= rowsMax) return { rows, isDone: false, to }
    const cleaned = yield* cleanDelivery(queries, digest, erased, row, tally)
    rows += cleaned.rows
    if (!cleaned.isDone) return { rows, isDone: false, to }
    to = subjectKey(integer(row["key"]))
  }
  return { rows, isDone: found.length < deliveries, to }
})

/** Marks the address of a deleted person as removed from all deliveries. */
export const finishAddress = <E>(
  { ask }: ErasureQueries<E>,
  { address, workspace }: ErasedAddress,
  deleted: SubjectKey,
): Effect.Effect<number, E> =>
  ask.run(
    "DELETE FROM erased_addresses WHERE workspace = $1 AND address = $2 AND subject = $3",
    workspace,
    address,
    deleted,
  )

const ofDelivery = "workspace = $1 AND address = $2 AND delivery = $3"

/** Removes an address from one delivery and from the reports on that delivery. */
const cleanDelivery = Effect.fnUntraced(function* <E>(
  queries: ErasureQueries<E>,
  digest: Digest["Service"],
  erased: ErasedAddress,
  row: Row,
  tally: ErasureTally,
): Effect.fn.Return<Progress, E> {
  const { ask, entriesOf } = queries
  const { address, before, workspace } = erased
  const delivery = subjectFromRow(row)
  const { key } = delivery
  const digestOf = digestsOf(digest, workspace)
  const holdsAddress = (entry: Row) => addressOfEntry(digestOf, entryFromRow(entry), delivery) === address
  const from = integer(row["cleaned"])
  const { isDone, rows, to } = yield* redactReports(
    queries,
    workspace,
    key,
    before,
    from,
    holdsAddress,
    tally,
  )
  const saveProgress = (cleaned: number) =>
    ask.run(`UPDATE addressed SET cleaned = $4 WHERE ${ofDelivery}`, workspace, address, key, cleaned)
  if (!isDone) {
    yield* saveProgress(to)
    return { rows, isDone }
  }
  const later = { from: before, before: Number.MAX_SAFE_INTEGER }
  const isInUse =
    !(yield* cleanDocument(queries, digestOf, erased, delivery, tally)) ||
    (yield* entriesOf(workspace, key, later, 1)).rows.length > 0
  if (isInUse) yield* saveProgress(0)
  else yield* ask.run(`DELETE FROM addressed WHERE ${ofDelivery}`, workspace, address, key)
  return { rows: rows + rowsPerDocument, isDone }
})

/**
 * Removes an address from a delivery's document. Returns false and changes nothing if a newer report recorded the
 * address again after the person was deleted.
 */
const cleanDocument = Effect.fnUntraced(function* <E>(
  { saveDocument }: ErasureQueries<E>,
  digestOf: (text: string) => string,
  { address, before, workspace }: ErasedAddress,
  delivery: Subject,
  tally: ErasureTally,
): Effect.fn.Return<boolean, E> {
  if (delivery._tag !== "Delivery" || addressOfDelivery(digestOf, delivery) !== address) return true
  const erasedAddresses = new Map([[address, before]])
  const cleaned = withoutErasedAddress({ digest: digestOf, erasedAddresses }, delivery)
  if (cleaned === delivery) return false
  yield* saveDocument(workspace, delivery.key, subjectRow(cleaned).doc)
  tally.add({ deliveries: 1 })
  return true
})
