import { Effect } from "effect"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Provenance } from "@inlethq/core/log/Provenance"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Person } from "@inlethq/core/state/Person"
import { nextAfter, type Sequence, type SubjectKey } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import type { LastSeenDocument } from "@inlethq/contract/people/LastSeen"
import { appOf, deviceOf, pageOf } from "../explanation/cameFrom.ts"
import type { PastMoment } from "../history/PastMoment.ts"
import { pageInPeriod } from "./receiptPeriod.ts"

/** The most of a person's newest entries that are searched for where they were last seen. */
const lastSeenEntriesMax = 200

/** The entries that are read first. Whoever is seen often was seen in one of them. */
const newestEntries = 10

/**
 * Returns where a person was when they were last seen, as they are now or as they were at a moment. Null if none of their newest
 * entries tells. Entries are found by the index of the person's activity, so that writing them costs nothing for it.
 */
export const lastSeen = Effect.fnUntraced(function* (
  catalog: Pick<Snapshot, "activity">,
  person: Person,
  moment: PastMoment | null,
): Effect.fn.Return<LastSeenDocument | null, StoreUnavailable> {
  const own = new Set([person.key, ...person.attached.map(({ key }) => key)])
  let page = yield* pageUpTo(catalog, person, moment)
  for (const limit of [newestEntries, lastSeenEntriesMax - newestEntries]) {
    if (page === undefined) return null
    const { items, next } = yield* catalog.activity(
      person.workspace,
      { ...noFilter, person },
      { ...page, limit },
    )
    for (const { entry } of items) {
      const seen = seenIn(entry, own)
      if (seen !== null) return seen
    }
    page = next === null ? undefined : { ...page, after: next }
  }
  return null
})

/** Returns the page of the log that ends at a moment, or undefined if it is before all entries. */
const pageUpTo = (catalog: Pick<Snapshot, "activity">, { workspace }: Person, moment: PastMoment | null) => {
  const newest = { after: null, limit: newestEntries, order: "desc" } as const
  if (moment?._tag === "AtTime") {
    return pageInPeriod(catalog, workspace, { since: Number.NEGATIVE_INFINITY, until: moment.at + 1 }, newest)
  }
  const after: Sequence | null = moment === null ? null : nextAfter(moment.position)
  return Effect.succeed({ ...newest, after })
}

const seenIn = (entry: ActivityEntry, own: ReadonlySet<SubjectKey>): LastSeenDocument | null => {
  const { context = {}, geo } = ownProvenance(entry, own)
  const seen = {
    page: pageOf(context) ?? null,
    app: appOf(context) ?? null,
    device: deviceOf(context) ?? null,
    country: geo?.country ?? null,
  }
  const isTold = Object.values(seen).some((value) => value !== null)
  return isTold ? { at: toIso(entry.at), ...seen } : null
}

/** A person also has entries of calls of others, such as those about their groups. */
const ownProvenance = (
  { parts, provenance, subject }: ActivityEntry,
  own: ReadonlySet<SubjectKey>,
): Provenance =>
  (subject !== null && own.has(subject)
    ? provenance
    : parts.find((part) => part.provenance !== undefined && own.has(part.subject))?.provenance) ?? {}
