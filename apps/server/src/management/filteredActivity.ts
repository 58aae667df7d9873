import { indexedPart } from "@inlet/api/filter/indexedPart"
import { entryMatcher, type EntryMatcher } from "@inlet/api/filter/matchFilter"
import { parseFilter } from "@inlet/api/filter/parseFilter"
import { activityDocument } from "@inlet/api/management/ActivityLog"
import { InvalidRequest } from "@inlet/api/management/Problem"
import type { WrittenBrand } from "@inlet/api/wire/WrittenBrand"
import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import type { ActivityFilter, Catalog, Page, PageRequest } from "@inlet/core/catalog/Catalog"
import type { ReadTurns, Slices } from "@inlet/core/catalog/ReadTurns"
import { nameSearch } from "@inlet/core/log/NameSearch"
import type { ActivityKind } from "@inlet/core/log/ActivityEntry"
import type { Outcome } from "@inlet/core/log/Outcome"
import type { Person } from "@inlet/core/state/Person"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import { Effect, Result } from "effect"
import { details } from "./details.ts"

/** Entries that one read of a filtered list takes from the store, and the most reads for one page. */
const entriesPerRead = 200
const readsPerPageMax = 50

/** Characters of the data and changes of the entries on a filtered page. At least one entry is shown. */
const pageCharactersMax = 1024 * 1024

/** The filters of a request: what the store looks up, and what is decided on each entry that it returns. */
export interface RequestedActivity {
  readonly stored: ActivityFilter
  /** Null if `stored` already matches exactly what was requested. */
  readonly matches: EntryMatcher | null
}

/** Reads the query parameters of an activity list, restricted to one person if given. Fails with a 400 for a wrong filter. */
export const requestedActivity = (
  query: {
    readonly kind?: ActivityKind
    readonly outcome?: Outcome
    readonly name?: string
    readonly search?: string
    readonly filter?: string
  },
  person: Person | null,
): Effect.Effect<RequestedActivity, InvalidRequest> => {
  const parsed = parseFilter(query.filter ?? "")
  if (Result.isFailure(parsed)) {
    return Effect.fail(
      new InvalidRequest({ detail: details.wrongFilter({ problem: parsed.failure.message }) }),
    )
  }
  const filter = parsed.success
  const indexed = indexedPart(filter)
  const indexedTerms = [indexed.kind, indexed.outcome, indexed.name].filter((value) => value !== null).length
  const isReplaced = [query.kind, query.outcome, query.name].some((value) => value !== undefined)
  const isStored = indexedTerms === filter.length && !isReplaced
  return Effect.succeed({
    stored: {
      kind: query.kind ?? indexed.kind,
      outcome: query.outcome ?? indexed.outcome,
      name: query.name ?? indexed.name,
      search: query.search === undefined ? null : nameSearch(query.search),
      person,
    },
    matches: filter.length === 0 || isStored ? null : entryMatcher(filter),
  })
}

/** The log to read, and how entries are shown. */
export interface ActivityReader {
  readonly catalog: Catalog["Service"]
  readonly turns: ReadTurns
  readonly brand: WrittenBrand
}

/**
 * Reads a page of matching entries. It examines at most `readsPerPageMax` times `entriesPerRead` entries, so it can return fewer
 * than the limit, or none, and still a `next`.
 */
export const readActivity = Effect.fnUntraced(function* (
  { brand, catalog, turns }: ActivityReader,
  workspace: WorkspaceId,
  { matches, stored }: RequestedActivity,
  page: PageRequest<Sequence>,
) {
  if (matches === null) return yield* catalog.activity(workspace, stored, page)
  const shown = new ShownEntries(page.limit)
  let after = page.after
  for (let reads = 0; reads < readsPerPageMax; reads++) {
    const found = yield* catalog.activity(workspace, stored, { ...page, limit: entriesPerRead, after })
    const cut = yield* turns.work(() =>
      shown.add(found.items, (record) => matches(activityDocument(record, brand))),
    )
    if (cut) return { items: shown.items, next: shown.items.at(-1)?.entry.sequence ?? null }
    after = found.next
    if (after === null) break
  }
  return { items: shown.items, next: after } satisfies Page<ActivityRecord, Sequence>
})

/** The entries of a page, up to its limits. */
class ShownEntries {
  readonly items: Array<ActivityRecord> = []
  private charactersLeft = pageCharactersMax
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  /** Adds the matching entries in order. Returns true if one of them no longer fits. */
  *add(
    records: ReadonlyArray<ActivityRecord>,
    matches: (record: ActivityRecord) => boolean,
  ): Slices<boolean> {
    for (const record of records) {
      if (!matches(record)) continue
      if (this.items.length === this.limit || this.charactersLeft < 0) return true
      this.items.push(record)
      this.charactersLeft -= JSON.stringify([
        record.entry.data,
        record.entry.changes,
        record.entry.parts,
      ]).length
    }
    return false
  }
}
