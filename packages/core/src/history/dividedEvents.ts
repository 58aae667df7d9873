import { Effect, Option } from "effect"
import type { ActivityRecord } from "../catalog/ActivityView.ts"
import { noFilter } from "../catalog/Catalog.ts"
import type { Snapshot } from "../catalog/Snapshots.ts"
import type { ActivityEntry } from "../log/ActivityEntry.ts"
import { viaOf } from "../person/movedNames.ts"
import type { DividedEvents } from "../person/commands.ts"
import type { StoreUnavailable } from "../ports/Store.ts"
import { countedIn, counts, occurrenceIn } from "../rule/Occurrence.ts"
import { insert } from "../rule/Ring.ts"
import type { RuleIndex } from "../rule/RuleIndex.ts"
import type { Ring } from "../state/LeafState.ts"
import type { Person } from "../state/Person.ts"
import type { Sequence, SubjectKey } from "../values/Identifier.ts"
import type { Page } from "../values/Page.ts"
import type { RecordedMerge } from "../person/mergeReceipt.ts"

/** The largest number of entries since a merge that can be divided. Reading them takes some seconds. */
export const dividedEntriesMax = 100_000

/** The entries that are read at once. */
const entriesPerPage = 200

/**
 * Counts the events since a merge apart for the two people: those that named an identifier which the merge moved, and the
 * others. Returns none if there are more than `entriesMax`. `readTo` is the last position of the log.
 */
export const dividedEvents = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  rules: RuleIndex,
  person: Person,
  { receipt, secondary }: Pick<RecordedMerge, "receipt" | "secondary">,
  readTo: number,
  entriesMax = dividedEntriesMax,
): Effect.fn.Return<Option.Option<DividedEvents>, StoreUnavailable> {
  const via = viaOf(person, secondary, receipt.position)?.key
  const found = { readTo, primary: new Map<SubjectKey, Ring>(), secondary: new Map<SubjectKey, Ring>() }
  if (via === undefined || rules.leaves.groups.size === 0) return Option.some(found)
  let after: Sequence | null = receipt.position
  let read = 0
  do {
    if (read >= entriesMax) return Option.none()
    const page: Page<ActivityRecord, Sequence> = yield* snapshot.activity(
      person.workspace,
      { ...noFilter, person },
      { after, limit: entriesPerPage, order: "asc" },
    )
    for (const { entry } of page.items) {
      if (entry.subject === via) count(rules, entry, found.secondary)
      else if (entry.subject === person.key) count(rules, entry, found.primary)
    }
    read += page.items.length
    after = page.next
  } while (after !== null)
  return Option.some(found)
})

const count = (rules: RuleIndex, entry: ActivityEntry, rings: Map<SubjectKey, Ring>): void => {
  const occurrence = occurrenceIn(entry)
  if (occurrence === null) return
  const counted = countedIn(entry)
  for (const { counted: leaf, group } of rules.leaves.counts(occurrence)) {
    if (!counts(leaf, entry, counted)) continue
    rings.set(group.key, insert(rings.get(group.key) ?? [], counted, group.needed))
  }
}
