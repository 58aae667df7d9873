import { addressOfDelivery, addressOfEntry, withoutErasedAddress } from "@inlet/core/decision/erasure"
import { digestsOf, type Digest } from "@inlet/core/ports/Digest"
import type { Subject } from "@inlet/core/state/Subject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { integer, type Row } from "@inlet/storage/columns"
import { entryFromRow } from "@inlet/storage/entryRows"
import { subjectKey } from "@inlet/storage/ids"
import { subjectFromRow, subjectRow } from "@inlet/storage/subjectRows"
import { documentsMax, rowsPerDocument, type Progress } from "@inlet/storage/sweepBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { subjectColumns } from "../read/subjects.ts"
import { hasEntriesFrom } from "./entries.ts"
import { redactReports } from "./reports.ts"

/*
 * A delivery without a known person, and the reports on it, can contain the email address of the recipient. The table
 * `addressed` maps the digest of an address to the deliveries that contain the address. Therefore the cost of erasing a
 * person grows only with the number of deliveries to the person's address.
 */

/** The address of a deleted person. The address must be removed from reports on deliveries at earlier log positions. */
export interface ErasedAddress {
  readonly workspace: WorkspaceId
  readonly address: string
  readonly before: Sequence
}

const deliveriesSql = `
  SELECT ${subjectColumns}, addressed.cleaned FROM (
    SELECT delivery, cleaned FROM addressed WHERE workspace = $1 AND address = $2 AND delivery > $3 ORDER BY delivery LIMIT $4
  ) AS addressed
  JOIN subjects AS found ON found.workspace = $1 AND found.key = addressed.delivery
  ORDER BY found.key`

/**
 * Removes the address from deliveries with keys greater than `after`, and stops once about `rowsMax` rows were read or
 * written. Processes at least one delivery. In the result, `to` is the key of the last processed delivery.
 */
export const removeAddress = (
  connection: Connection,
  digest: Digest["Service"],
  erased: ErasedAddress,
  after: SubjectKey | undefined,
  rowsMax: number,
): Effect.Effect<Progress & { readonly to: SubjectKey | undefined }, DatabaseError> =>
  Effect.gen(function* () {
    const { address, workspace } = erased
    const deliveries = documentsMax(rowsMax)
    const found = yield* connection.query(deliveriesSql, [workspace, address, after ?? 0, deliveries])
    let rows = 0
    let to = after
    for (const row of found) {
      if (rows > 0 && rows >= rowsMax) return { rows, isDone: false, to }
      const cleaned = yield* cleanDelivery(connection, digest, erased, row)
      rows += cleaned.rows
      if (!cleaned.isDone) return { rows, isDone: false, to }
      to = subjectKey(integer(row["key"]))
    }
    return { rows, isDone: found.length < deliveries, to }
  })

/** Marks the address of a deleted person as removed from all deliveries. */
export const finishAddress = (
  connection: Connection,
  { address, workspace }: ErasedAddress,
  deleted: SubjectKey,
): Effect.Effect<number, DatabaseError> =>
  connection.execute("DELETE FROM erased_addresses WHERE workspace = $1 AND address = $2 AND subject = $3", [
    workspace,
    address,
    deleted,
  ])

/** Removes an address from one delivery and from the reports on that delivery. */
const cleanDelivery = (
  connection: Connection,
  digest: Digest["Service"],
  erased: ErasedAddress,
  row: Row,
): Effect.Effect<Progress, DatabaseError> =>
  Effect.gen(function* () {
    const { address, before, workspace } = erased
    const delivery = subjectFromRow(row)
    const { key } = delivery
    const digestOf = digestsOf(digest, workspace)
    const holdsAddress = (entry: Row) => addressOfEntry(digestOf, entryFromRow(entry), delivery) === address
    const from = integer(row["cleaned"])
    const { isDone, rows, to } = yield* redactReports(connection, workspace, key, before, from, holdsAddress)
    const saveProgress = (cleaned: number) =>
      connection.execute(
        "UPDATE addressed SET cleaned = $4 WHERE workspace = $1 AND address = $2 AND delivery = $3",
        [workspace, address, key, cleaned],
      )
    if (!isDone) {
      yield* saveProgress(to)
      return { rows, isDone }
    }
    const isInUse =
      !(yield* cleanDocument(connection, digestOf, erased, delivery)) ||
      (yield* hasEntriesFrom(connection, workspace, key, before + 1))
    if (isInUse) yield* saveProgress(0)
    else {
      yield* connection.execute(
        "DELETE FROM addressed WHERE workspace = $1 AND address = $2 AND delivery = $3",
        [workspace, address, key],
      )
    }
    return { rows: rows + rowsPerDocument, isDone }
  })

/**
 * Removes an address from a delivery's document. Returns false and changes nothing if a newer report recorded the
 * address again after the person was deleted.
 */
const cleanDocument = (
  connection: Connection,
  digestOf: (text: string) => string,
  { address, before, workspace }: ErasedAddress,
  delivery: Subject,
): Effect.Effect<boolean, DatabaseError> =>
  Effect.gen(function* () {
    if (delivery._tag !== "Delivery" || addressOfDelivery(digestOf, delivery) !== address) return true
    const erasedAddresses = new Map([[address, before]])
    const cleaned = withoutErasedAddress({ digest: digestOf, erasedAddresses }, delivery)
    if (cleaned === delivery) return false
    yield* connection.execute("UPDATE subjects SET doc = $3 WHERE workspace = $1 AND key = $2", [
      workspace,
      delivery.key,
      subjectRow(cleaned).doc,
    ])
    return true
  })
