import { addressOfDelivery, addressOfEntry, withoutErasedAddress } from "@inlet/core/decision/erasure"
import { digestsOf, type Digest } from "@inlet/core/ports/Digest"
import type { Subject } from "@inlet/core/state/Subject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { integer } from "@inlet/storage/columns"
import { entryFromRow } from "@inlet/storage/entryRows"
import { subjectKey } from "@inlet/storage/ids"
import { subjectFromRow, subjectRow } from "@inlet/storage/subjectRows"
import { documentsMax, rowsPerDocument, type Progress } from "@inlet/storage/sweepBudget"
import type { Database } from "../engine/Database.ts"
import { rowId } from "../engine/rowIds.ts"
import { readTimeline } from "../log/timeline.ts"
import { activityColumns } from "../read/queries.ts"
import { subjectColumns } from "../read/subjects.ts"
import { reportRedactor } from "./reportRedactor.ts"

/*
 * The email address of a person can also be stored in deliveries that belong to no known person, and in reports on such
 * deliveries. The table `addressed` maps the digest of an address to the deliveries that contain the address. Therefore
 * the cost of erasing a person grows only with the number of deliveries to the person's address.
 */

/**
 * The digest of an email address of a deleted person. Reports on deliveries at log positions less than `before` must
 * not keep this address.
 */
interface ErasedAddress {
  readonly workspace: WorkspaceId
  readonly address: string
  readonly before: Sequence
}

/** Removes the addresses of deleted people from deliveries and from the reports on these deliveries. */
interface AddressRemover {
  /**
   * Removes the address from deliveries with keys greater than `from`, and stops once about `rowsMax` rows were read or
   * written. Processes at least one delivery. In the result, `to` is the key of the last processed delivery.
   */
  some(
    erased: ErasedAddress,
    from: SubjectKey | undefined,
    rowsMax: number,
  ): Progress & { readonly to: SubjectKey | undefined }
  /** Marks the address of a deleted person as removed from all deliveries. */
  done(erased: ErasedAddress, deleted: SubjectKey): void
}

/**
 * Prepares the statements that remove the addresses of deleted people. `redact` is a function that removes the details
 * of a log entry.
 */
export const addressRemover = (
  database: Database,
  digest: Digest["Service"],
  redact: (workspace: WorkspaceId, sequence: Sequence) => void,
): AddressRemover => {
  const holding = database.prepare(
    "SELECT delivery, cleaned FROM addressed WHERE workspace = ? AND address = ? AND delivery > ? ORDER BY delivery LIMIT ?",
  )
  const forget = database.prepare(
    "DELETE FROM addressed WHERE workspace = ? AND address = ? AND delivery = ?",
  )
  const saveProgress = database.prepare(
    "UPDATE addressed SET cleaned = ? WHERE workspace = ? AND address = ? AND delivery = ?",
  )
  const finish = database.prepare(
    "DELETE FROM erased_addresses WHERE workspace = ? AND address = ? AND subject = ?",
  )
  const subjectAt = database.prepare(`SELECT ${subjectColumns} FROM subjects AS found WHERE id = ?`)
  const entryAt = database.prepare(`SELECT ${activityColumns} FROM activity AS found WHERE id = ?`)
  const cleanDocument = documentCleaner(database, digest)
  const timeline = readTimeline(database)
  const redactReports = reportRedactor(database)

  /** Removes an address from one delivery and from the reports on that delivery. */
  const clean = (erased: ErasedAddress, delivery: Subject, cleanedTo: number): Progress => {
    const { address, before, workspace } = erased
    const { key } = delivery
    const digestOf = digestsOf(digest, workspace)
    const redactMatching = (sequence: Sequence): void => {
      const row = entryAt.get(rowId(workspace, sequence))
      if (row === undefined) return
      if (addressOfEntry(digestOf, entryFromRow(row), delivery) === address) redact(workspace, sequence)
    }
    const { isDone, rows, to } = redactReports(redactMatching, workspace, key, before, cleanedTo)
    if (!isDone) {
      saveProgress.run(to, workspace, address, key)
      return { rows, isDone }
    }
    const isInUse = !cleanDocument(erased, delivery) || timeline(workspace, key, before, "asc", 1).length > 0
    if (isInUse) saveProgress.run(0, workspace, address, key)
    else forget.run(workspace, address, key)
    return { rows: rows + rowsPerDocument, isDone }
  }

  return {
    some: (erased, from, rowsMax) => {
      const { address, workspace } = erased
      let rows = 0
      let to = from
      const deliveries = documentsMax(rowsMax)
      const found = holding.all(workspace, address, from ?? 0, deliveries)
      for (const link of found) {
        if (rows > 0 && rows >= rowsMax) return { rows, isDone: false, to }
        const key = subjectKey(integer(link["delivery"]))
        const row = subjectAt.get(rowId(workspace, key))
        if (row === undefined)
          throw new TypeError(`delivery ${key} is in the table addressed but not in the table subjects`)
        const cleaned = clean(erased, subjectFromRow(row), integer(link["cleaned"]))
        rows += cleaned.rows
        if (!cleaned.isDone) return { rows, isDone: false, to }
        to = key
      }
      return { rows, isDone: found.length < deliveries, to }
    },
    done: ({ address, workspace }, deleted) => void finish.run(workspace, address, deleted),
  }
}

/**
 * Returns a function that removes an address from a delivery's document. That function returns false if a newer report
 * recorded the address again after the person was deleted.
 */
const documentCleaner = (
  database: Database,
  digest: Digest["Service"],
): ((erased: ErasedAddress, delivery: Subject) => boolean) => {
  const save = database.prepare("UPDATE subjects SET doc = ? WHERE id = ?")
  return ({ address, before, workspace }, delivery) => {
    const digestOf = digestsOf(digest, workspace)
    if (delivery._tag !== "Delivery" || addressOfDelivery(digestOf, delivery) !== address) return true
    const erasedAddresses = new Map([[address, before]])
    const cleaned = withoutErasedAddress({ digest: digestOf, erasedAddresses }, delivery)
    if (cleaned === delivery) return false
    save.run(subjectRow(cleaned).doc, rowId(workspace, delivery.key))
    return true
  }
}
