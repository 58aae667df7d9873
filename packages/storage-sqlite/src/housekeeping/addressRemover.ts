import type { Digest } from "@inlet/core/ports/Digest"
import { addressOfDelivery, addressOfEntry, withoutErasedAddress } from "@inlet/core/decision/erasure"
import type { Sequence, SubjectKey } from "@inlet/core/values/Identifier"
import type { Subject } from "@inlet/core/state/Subject"
import type { WorkingSet } from "@inlet/core/WorkingSet"
import { integer, text } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { entryOf, sequenceOf } from "@inlet/storage/entryRows"
import { reportRedactor, rowsPerDocument, type Progress } from "./referenceRemover.ts"
import { columnsOf, subjectOf } from "@inlet/storage/subjectRows"
import { readTimeline } from "../log/timeline.ts"

/*
 * Reports about deliveries that were never registered name their recipient by address. `addressed` leads from the digest of
 * an address to the deliveries that hold it, so that erasing a person costs as much as there is of them. `erased_addresses`
 * are the addresses of deleted people until housekeeping is done with them; readers leave those out meanwhile.
 */

/** Saves which deliveries hold which addresses since a batch, and the addresses of those it deleted. */
export const addressWriter = (database: Database): ((seen: WorkingSet) => void) => {
  const insert = database.prepare("INSERT OR IGNORE INTO addressed (address, delivery) VALUES (?, ?)")
  const erase = database.prepare(
    "INSERT OR REPLACE INTO erased_addresses (address, subject, before) VALUES (?, ?, ?)",
  )
  return ({ subjects, written }) => {
    for (const [delivery, addresses] of written.addresses) {
      for (const address of addresses) insert.run(address, delivery)
    }
    for (const key of written.subjects) {
      const subject = subjects.get(key)
      if (subject?._tag !== "Erased") continue
      for (const address of subject.addresses) erase.run(address, key, subject.before)
    }
  }
}

/** Reads up to which position some addresses are erased. */
export const readErasedAddresses = (database: Database) => {
  const any = database.prepare("SELECT 1 FROM erased_addresses WHERE address > '' LIMIT 1")
  const among = database.prepare(
    "SELECT found.address AS address, max(found.before) AS before FROM json_each(?) AS wanted CROSS JOIN erased_addresses AS found ON found.address = wanted.value GROUP BY found.address",
  )
  return {
    /** Whether there are any: if not, readers need not compute digests. */
    any: (): boolean => any.get() !== undefined,
    among: (addresses: ReadonlySet<string>): Map<string, Sequence> =>
      new Map(
        (addresses.size === 0 ? [] : among.all(JSON.stringify([...addresses]))).map((row) => [
          text(row["address"]),
          sequenceOf(integer(row["before"])),
        ]),
      ),
  }
}

/** Removes the address of a deleted person from reports and deliveries. */
interface AddressRemover {
  /** Cleans deliveries behind `from`, at least one, at the cost of about so many rows; returns the last that is done. */
  some(address: string, before: Sequence, from: number, rowsMax: number): Progress & { readonly to: number }
  /** Notes that nothing holds an address any more that a subject had. */
  done(gone: SubjectKey, address: string): void
}

export const addressRemover = (
  database: Database,
  digest: Digest["Service"],
  redact: (sequence: number) => void,
): AddressRemover => {
  const holding = database.prepare(
    "SELECT delivery, cleaned FROM addressed WHERE address = ? AND delivery > ? ORDER BY delivery LIMIT ?",
  )
  const forget = database.prepare("DELETE FROM addressed WHERE address = ? AND delivery = ?")
  const note = database.prepare("UPDATE addressed SET cleaned = ? WHERE address = ? AND delivery = ?")
  const finish = database.prepare("DELETE FROM erased_addresses WHERE address = ? AND subject = ?")
  const subjectAt = database.prepare("SELECT * FROM subjects WHERE key = ?")
  const entryAt = database.prepare("SELECT * FROM activity WHERE sequence = ?")
  const save = database.prepare("UPDATE subjects SET doc = ? WHERE key = ?")
  const timeline = readTimeline(database)
  const redactReports = reportRedactor(database)

  /** Removes an address from the document of a delivery; false if it was recorded there again since. */
  const cleanDocument = (delivery: Subject, address: string, before: Sequence): boolean => {
    if (delivery._tag !== "Delivery" || addressOfDelivery(digest.of, delivery) !== address) return true
    const erasedAddresses = new Map([[address, before]])
    const left = withoutErasedAddress({ digest: digest.of, erasedAddresses }, delivery)
    if (left === delivery) return false
    save.run(columnsOf(left).doc, delivery.key)
    return true
  }

  /** Removes an address from one delivery and its reports. */
  const clean = (address: string, before: Sequence, delivery: Subject, cleaned: number): Progress => {
    const { key } = delivery
    const redactMatching = (sequence: number): void => {
      const row = entryAt.get(sequence)
      if (row !== undefined && addressOfEntry(digest.of, entryOf(row), delivery) === address) redact(sequence)
    }
    const { isDone, rows, to } = redactReports(redactMatching, key, before, cleaned)
    if (!isDone) {
      note.run(to, address, key)
      return { rows, isDone }
    }
    const isInUse = !cleanDocument(delivery, address, before) || timeline(key, before, "asc", 1).length > 0
    if (isInUse) note.run(0, address, key)
    else forget.run(address, key)
    return { rows: rows + rowsPerDocument, isDone }
  }

  return {
    some: (address, before, from, rowsMax) => {
      let rows = 0
      let to = from
      const deliveries = Math.max(Math.floor(rowsMax / rowsPerDocument), 1)
      const found = holding.all(address, from, deliveries)
      for (const link of found) {
        if (rows > 0 && rows >= rowsMax) return { rows, isDone: false, to }
        const key = integer(link["delivery"])
        const row = subjectAt.get(key)
        if (row === undefined) throw new TypeError(`delivery ${key} holds an address and is missing`)
        const cleaned = clean(address, before, subjectOf(row), integer(link["cleaned"]))
        rows += cleaned.rows
        if (!cleaned.isDone) return { rows, isDone: false, to }
        to = key
      }
      return { rows, isDone: found.length < deliveries, to }
    },
    done: (gone, address) => void finish.run(address, gone),
  }
}
