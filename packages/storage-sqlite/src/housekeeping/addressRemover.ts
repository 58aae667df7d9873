import { addressOfDelivery, addressOfEntry, withoutErasedAddress } from "@inlet/core/decision/erasure"
import type { Digest } from "@inlet/core/ports/Digest"
import type { Subject } from "@inlet/core/state/Subject"
import type { Sequence, SubjectKey } from "@inlet/core/values/Identifier"
import { integer } from "@inlet/storage/columns"
import { entryFromRow } from "@inlet/storage/entryRows"
import { subjectFromRow, subjectRow } from "@inlet/storage/subjectRows"
import { documentsMax, rowsPerDocument, type Progress } from "@inlet/storage/sweepBudget"
import type { Database } from "../engine/Database.ts"
import { readTimeline } from "../log/timeline.ts"
import { reportRedactor } from "./reportRedactor.ts"

/*
 * A report on a delivery that was never registered names its recipient by email address. The table `addressed` maps the
 * digest of an address to the deliveries that contain the address. Erasing a person therefore costs only as much as the
 * deliveries with the person's address.
 */

/** Removes the addresses of deleted people from deliveries and from the reports on these deliveries. */
interface AddressRemover {
  /**
   * Removes the address from deliveries with keys greater than `from`, at a cost of about `rowsMax` rows. Processes at
   * least one delivery. In the result, `to` is the key of the last processed delivery.
   */
  some(address: string, before: Sequence, from: number, rowsMax: number): Progress & { readonly to: number }
  /** Records that the address of a deleted subject is removed from all deliveries. */
  done(deleted: SubjectKey, address: string): void
}

/** Prepares the statements that remove addresses. `redact` removes the details of an entry. */
export const addressRemover = (
  database: Database,
  digest: Digest["Service"],
  redact: (sequence: number) => void,
): AddressRemover => {
  const holding = database.prepare(
    "SELECT delivery, cleaned FROM addressed WHERE address = ? AND delivery > ? ORDER BY delivery LIMIT ?",
  )
  const forget = database.prepare("DELETE FROM addressed WHERE address = ? AND delivery = ?")
  const saveProgress = database.prepare("UPDATE addressed SET cleaned = ? WHERE address = ? AND delivery = ?")
  const finish = database.prepare("DELETE FROM erased_addresses WHERE address = ? AND subject = ?")
  const subjectAt = database.prepare("SELECT * FROM subjects WHERE key = ?")
  const entryAt = database.prepare("SELECT * FROM activity WHERE sequence = ?")
  const save = database.prepare("UPDATE subjects SET doc = ? WHERE key = ?")
  const timeline = readTimeline(database)
  const redactReports = reportRedactor(database)

  /**
   * Removes an address from a delivery's document. Returns false if the address was recorded there again after the
   * subject's deletion.
   */
  const cleanDocument = (delivery: Subject, address: string, before: Sequence): boolean => {
    if (delivery._tag !== "Delivery" || addressOfDelivery(digest.of, delivery) !== address) return true
    const erasedAddresses = new Map([[address, before]])
    const cleaned = withoutErasedAddress({ digest: digest.of, erasedAddresses }, delivery)
    if (cleaned === delivery) return false
    save.run(subjectRow(cleaned).doc, delivery.key)
    return true
  }

  /** Removes an address from one delivery and from the reports on that delivery. */
  const clean = (address: string, before: Sequence, delivery: Subject, cleanedTo: number): Progress => {
    const { key } = delivery
    const redactMatching = (sequence: number): void => {
      const row = entryAt.get(sequence)
      if (row === undefined) return
      if (addressOfEntry(digest.of, entryFromRow(row), delivery) === address) redact(sequence)
    }
    const { isDone, rows, to } = redactReports(redactMatching, key, before, cleanedTo)
    if (!isDone) {
      saveProgress.run(to, address, key)
      return { rows, isDone }
    }
    const isInUse = !cleanDocument(delivery, address, before) || timeline(key, before, "asc", 1).length > 0
    if (isInUse) saveProgress.run(0, address, key)
    else forget.run(address, key)
    return { rows: rows + rowsPerDocument, isDone }
  }

  return {
    some: (address, before, from, rowsMax) => {
      let rows = 0
      let to = from
      const deliveries = documentsMax(rowsMax)
      const found = holding.all(address, from, deliveries)
      for (const link of found) {
        if (rows > 0 && rows >= rowsMax) return { rows, isDone: false, to }
        const key = integer(link["delivery"])
        const row = subjectAt.get(key)
        if (row === undefined)
          throw new TypeError(`delivery ${key} is in the table addressed but not in the table subjects`)
        const cleaned = clean(address, before, subjectFromRow(row), integer(link["cleaned"]))
        rows += cleaned.rows
        if (!cleaned.isDone) return { rows, isDone: false, to }
        to = key
      }
      return { rows, isDone: found.length < deliveries, to }
    },
    done: (deleted, address) => void finish.run(address, deleted),
  }
}
