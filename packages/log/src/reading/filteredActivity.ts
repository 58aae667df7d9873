import { indexedPart } from "../filter/indexedPart.ts"
import { entryMatcher, type EntryMatcher } from "../filter/matchFilter.ts"
import { namedSubjects } from "../filter/namedSubjects.ts"
import { parseFilter, type WrongFilter } from "../filter/parseFilter.ts"
import type { SearchedTo } from "@inlethq/contract/activity/ActivityLog"
import { activityDocument } from "../documents/activityDocument.ts"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter, type ActivityFilter } from "@inlethq/core/catalog/Catalog"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { NamedSubjects } from "@inlethq/core/catalog/NamedSubjects"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import type { Slices } from "@inlethq/core/Slices"
import { nameSearch } from "@inlethq/core/log/NameSearch"
import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import type { Outcome } from "@inlethq/core/log/Outcome"
import type { Person } from "@inlethq/core/state/Person"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { nextAfter, Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Effect, Result } from "effect"
import { pageInPeriod, type Period } from "./receiptPeriod.ts"

/** The number of entries in one read from the store. */
const entriesPerRead = 200

/** The largest number of reads from the store for one page of activity. */
const readsPerPageMax = 50

/**
 * The number of characters above which a page of filtered entries ends. Only the characters in the JSON of `data`,
 * `changes` and `parts` of the entries are counted.
 */
const pageCharactersMax = 1024 * 1024

/**
 * The filters of a request for activity. The store applies `stored`. The server then applies `matches` to each entry
 * that the store returned.
 */
export interface RequestedActivity {
  readonly stored: ActivityFilter
  /** Null if `stored` matches only the requested entries, so that no second filter is needed. */
  readonly matches: EntryMatcher | null
  /**
   * Returns whom or what every requested entry is about, or null if it may be about anything. For pages only: while a
   * stream follows the log, a name can come to mean somebody else.
   */
  readonly about: (workspace: WorkspaceId) => NamedSubjects | null
}

/**
 * Reads the query parameters of a list of activity. If `person` is given, only the activity of this person matches.
 */
export const requestedActivity = (
  query: {
    readonly kind?: ActivityKind
    readonly outcome?: Outcome
    readonly name?: string
    readonly search?: string
    readonly filter?: string
  },
  person: Person | null,
): Result.Result<RequestedActivity, WrongFilter> => {
  const parsed = parseFilter(query.filter ?? "")
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
  const filter = parsed.success
  const indexed = indexedPart(filter)
  const indexedTerms = [indexed.kind, indexed.outcome, indexed.name].filter((value) => value !== null).length
  const isReplaced = [query.kind, query.outcome, query.name].some((value) => value !== undefined)
  const isStored = indexedTerms === filter.length && !isReplaced
  return Result.succeed({
    stored: {
      kind: query.kind ?? indexed.kind,
      outcome: query.outcome ?? indexed.outcome,
      name: query.name ?? indexed.name,
      search: query.search === undefined ? null : nameSearch(query.search),
      person,
      withErased: null,
      rules: indexed.rules,
      reasons: indexed.reasons,
      about: null,
    },
    about: (workspace) => namedSubjects(filter, workspace),
    matches: filter.length === 0 || isStored ? null : entryMatcher(filter),
  })
}

/** The services that read the log, and the prefix (`svc` or `cio`) of names in the returned entries. */
export interface ActivityReader {
  readonly catalog: Snapshot
  readonly turns: ReadTurns
  readonly brand: WrittenBrand
}

/** A page of matching entries. `searchedTo` is null if the page has no filter or ends the search. */
interface FilteredPage extends Page<ActivityRecord, Sequence> {
  readonly searchedTo: SearchedTo | null
}

/** Reads a page of matching entries, and says how far it has searched. */
export const readActivity = Effect.fnUntraced(function* (
  reader: ActivityReader,
  workspace: WorkspaceId,
  requested: RequestedActivity,
  period: Period,
  request: PageRequest<Sequence>,
): Effect.fn.Return<FilteredPage, StoreUnavailable> {
  const page = yield* readMatching(reader, workspace, requested, period, request)
  const { matches, stored } = requested
  const isFiltered = matches !== null || Object.values(stored).some((value) => value !== null)
  if (!isFiltered || page.next === null) return { ...page, searchedTo: null }
  return { ...page, searchedTo: yield* placeOf(reader, workspace, page.next, request.order) }
})

/**
 * Returns a log position with the receipt time of its entry. If the entry has been deleted since, the position is that of
 * the entry that a search in this order has examined before it.
 */
export const placeOf = Effect.fnUntraced(function* (
  { catalog }: Pick<ActivityReader, "catalog">,
  workspace: WorkspaceId,
  sequence: Sequence,
  order: "asc" | "desc",
): Effect.fn.Return<SearchedTo | null, StoreUnavailable> {
  const { items } = yield* catalog.activity(workspace, noFilter, {
    limit: 1,
    ...(order === "desc"
      ? { order: "asc", after: sequence > 1 ? Sequence.make(sequence - 1) : null }
      : { order: "desc", after: nextAfter(sequence) }),
  })
  const [found] = items
  return found === undefined ? null : { sequence: found.entry.sequence, at: toIso(found.entry.receivedAt) }
})

/**
 * Reads a page of matching entries. Receipt times ascend in the log, so a page begins at one end of the period, and the
 * read of the log stops at the other end. With `matches`, a page examines at most `readsPerPageMax` times
 * `entriesPerRead` entries. Therefore a page that is not the last may have fewer entries than the limit, or no entries.
 */
const readMatching = Effect.fnUntraced(function* (
  { brand, catalog, turns }: ActivityReader,
  workspace: WorkspaceId,
  { about, matches, ...requested }: RequestedActivity,
  period: Period,
  page: PageRequest<Sequence>,
): Effect.fn.Return<Page<ActivityRecord, Sequence>, StoreUnavailable> {
  const stored = { ...requested.stored, about: about(workspace) }
  const inPeriod = yield* pageInPeriod(catalog, workspace, period, page)
  if (inPeriod === undefined) return { items: [], next: null }
  if (matches === null) return yield* catalog.activity(workspace, stored, inPeriod)
  const shown = new ShownEntries(page.limit)
  let { after } = inPeriod
  for (let reads = 0; reads < readsPerPageMax; reads++) {
    const found: Page<ActivityRecord, Sequence> = yield* catalog.activity(workspace, stored, {
      ...inPeriod,
      limit: entriesPerRead,
      after,
    })
    const cut = yield* turns.work(() =>
      shown.add(found.items, (record) => matches(activityDocument(record, brand))),
    )
    if (cut) return { items: shown.items, next: shown.items.at(-1)?.entry.sequence ?? null }
    after = found.next
    if (after === null) break
  }
  return { items: shown.items, next: after }
})

/** Collects the entries of a page up to the limits of the page. */
class ShownEntries {
  readonly items: Array<ActivityRecord> = []
  private charactersLeft = pageCharactersMax
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  /** Adds the matching entries in order. Returns true if a matching entry does not fit into the page. */
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
