import { addErasedRows, noErasedRows, type ErasedRows } from "@inlethq/core/ledger/ErasedRows"
import { isGoneOnceErased, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { isOfOther } from "@inlethq/core/log/Overwritten"
import { addressOfDelivery, addressOfEntry } from "@inlethq/core/decision/erasure"
import { recipientsOf, type Delivery } from "@inlethq/core/state/Delivery"
import type { Erased } from "@inlethq/core/state/Subject"
import { sequenceAt } from "@inlethq/core/webhook/EventPosition"
import type { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import type { Island, WebhookRecords } from "./MemoryImage.ts"

/** How an entry is counted that an erasure changes. */
type Loss = "events" | "entries" | "mentions"

/**
 * Counts what housekeeping is about to erase of each of these deleted subjects, one after the other in the order of their
 * keys: what one takes with it is not counted again for the next.
 */
export const countErased = (
  { everything, log }: Island,
  webhooks: ReadonlyArray<WebhookRecords>,
  deleted: ReadonlyArray<Erased>,
): ReadonlyMap<Erased, ErasedRows> => {
  const inOrder = deleted.toSorted((a, b) => a.key - b.key)
  const counted = new Map<Erased, ErasedRows>(inOrder.map((erased) => [erased, noErasedRows]))
  const add = (erased: Erased, rows: Partial<ErasedRows>): void => {
    const before = counted.get(erased) ?? noErasedRows
    counted.set(erased, addErasedRows(before, { ...noErasedRows, ...rows }))
  }
  const answers = answersIn(webhooks, everything.workspace)
  for (const entry of log.values()) {
    const { sequence } = entry
    const about = entry.subject === null ? undefined : everything.subjects.get(entry.subject)
    const delivery = about?._tag === "Delivery" ? about : null
    const address = addressOfEntry(everything.digest, entry, delivery)
    let taken: Loss | null = null
    for (const erased of inOrder) {
      if (sequence >= erased.before || taken === "events") continue
      const isBare: boolean = taken !== null
      const loss: Loss | null =
        delivery === null
          ? lossOf(entry, erased.key, isBare)
          : recipientsOf(delivery).includes(erased.key) || (!isBare && includes(erased.addresses, address))
            ? "entries"
            : null
      if (loss === null) continue
      add(erased, { [loss]: 1, from: sequence, to: sequence, answers: answers.get(sequence) ?? 0 })
      answers.delete(sequence)
      if (loss !== "mentions") taken = loss
    }
  }
  for (const subject of everything.subjects.values()) {
    if (subject._tag !== "Delivery") continue
    for (const erased of inOrder) {
      add(erased, { deliveries: placesIn(everything.digest, subject, erased) })
    }
  }
  return counted
}

/** `isBare` is true if the entry has lost its parts, except what it overwrote of others. */
const lossOf = (entry: ActivityEntry, key: SubjectKey, isBare: boolean): Loss | null => {
  if (entry.subject === key) return isGoneOnceErased(entry) ? "events" : "entries"
  const isMentioned =
    entry.overwritten.some((one) => one.subject === key && (!isBare || isOfOther(one, entry.subject))) ||
    (!isBare &&
      (entry.parts.some(({ subject }) => subject === key) ||
        entry.refused.some(({ other }) => other === key)))
  return isMentioned ? "mentions" : null
}

/** Returns in how many places a delivery names a deleted person: as a recipient, and by their address. */
const placesIn = (
  digest: (text: string) => string,
  delivery: Delivery,
  { addresses, before, key }: Erased,
): number => {
  const isAddressed =
    delivery.registered !== null &&
    delivery.registered < before &&
    includes(addresses, addressOfDelivery(digest, delivery))
  return Number(recipientsOf(delivery).includes(key)) + Number(isAddressed)
}

const includes = (addresses: ReadonlyArray<string>, address: string | null): boolean =>
  address !== null && addresses.includes(address)

/** Returns how many attempts to send the entry at each position have an answer. */
const answersIn = (
  webhooks: ReadonlyArray<WebhookRecords>,
  workspace: Island["everything"]["workspace"],
): Map<Sequence, number> => {
  const found = new Map<Sequence, number>()
  for (const { attempts, webhook } of webhooks) {
    if (webhook.workspace !== workspace) continue
    for (const { position, responseExcerpt } of attempts) {
      const sequence = sequenceAt(position)
      if (sequence !== null && responseExcerpt !== null) found.set(sequence, (found.get(sequence) ?? 0) + 1)
    }
  }
  return found
}
