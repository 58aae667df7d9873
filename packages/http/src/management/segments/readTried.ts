import { noFilter, type Catalog } from "@inlethq/core/catalog/Catalog"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Store, StoreUnavailable } from "@inlethq/core/ports/Store"
import type { RuleTrial, Tried } from "@inlethq/core/rule/RuleTrial"
import type { Person } from "@inlethq/core/state/Person"
import type { Subject } from "@inlethq/core/state/Subject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { Effect } from "effect"
import type { TriedPeople } from "./triedPeople.ts"

/** The number of people in one read from the store. */
const peoplePerRead = 200

/** The number of entries in one read of a person's log. */
const entriesPerRead = 500

/** The most entries of one person that a trial reads. */
const entriesPerPersonMax = 2000

/** What a trial reads with, and how much it may read. */
export interface TrialReader {
  readonly catalog: Catalog["Service"]
  readonly store: Store["Service"]
  readonly turns: ReadTurns
  readonly workspace: WorkspaceId
  readonly peopleMax: number
  readonly entriesMax: number
}

/** How many people a trial looked at, and whether these are all, with all that the rule can count. */
export interface Reached {
  readonly checked: number
  readonly complete: boolean
}

/**
 * Reads people, and calls `visit` for each in slices. Reads the entries of a person back to the time `since`, if the rule
 * needs the log. Ends when the largest number of people or entries is reached.
 */
export const readTried = Effect.fnUntraced(function* (
  reader: TrialReader,
  tried: TriedPeople,
  trial: RuleTrial,
  since: EpochMillis | null,
  visit: (tried: Tried) => void,
): Effect.fn.Return<Reached, StoreUnavailable> {
  const { entriesMax, peopleMax, turns } = reader
  let [checked, entriesLeft, complete] = [0, entriesMax, true]
  while (checked < peopleMax && entriesLeft > 0) {
    const people = yield* tried.next(Math.min(peoplePerRead, peopleMax - checked))
    if (people === null) break
    const subjects = trial.readsObjects ? yield* objectsOf(reader, people) : new Map<SubjectKey, Subject>()
    const known: Array<Tried> = []
    for (const person of people) {
      const read = since === null ? nothing : yield* entriesOf(reader, person, since)
      entriesLeft -= read.entries.length
      if (!read.complete) complete = false
      known.push({ person, subjects, entries: read.entries })
    }
    yield* turns.work(function* () {
      for (const one of known) {
        visit(one)
        yield
      }
    })
    checked += people.length
  }
  return { checked, complete: complete && tried.isWhole }
})

interface ReadEntries {
  readonly entries: ReadonlyArray<ActivityEntry>
  readonly complete: boolean
}

const nothing: ReadEntries = { entries: [], complete: true }

/** Reads the entries of a person that were received at a time or later, newest first. */
const entriesOf = Effect.fnUntraced(function* (
  { catalog, workspace }: TrialReader,
  person: Person,
  since: EpochMillis,
): Effect.fn.Return<ReadEntries, StoreUnavailable> {
  const entries: Array<ActivityEntry> = []
  let after: Sequence | null = null
  do {
    const limit = Math.min(entriesPerRead, entriesPerPersonMax - entries.length)
    const page: Page<{ readonly entry: ActivityEntry }, Sequence> = yield* catalog.activity(
      workspace,
      { ...noFilter, person },
      { limit, after, order: "desc" },
    )
    for (const { entry } of page.items) {
      if (entry.receivedAt < since) return { entries, complete: true }
      entries.push(entry)
    }
    after = page.next
  } while (after !== null && entries.length < entriesPerPersonMax)
  return { entries, complete: after === null }
})

/** Reads the objects that people are related to. */
const objectsOf = Effect.fnUntraced(function* (
  { store, workspace }: TrialReader,
  people: ReadonlyArray<Person>,
): Effect.fn.Return<ReadonlyMap<SubjectKey, Subject>, StoreUnavailable> {
  const keys = new Set(people.flatMap(({ relationships }) => [...relationships.keys()]))
  const { subjects } = yield* store.view(readingOf(workspace, keys))
  return subjects
})

/** Returns the needs of a read of subjects, with what rules remember about them. */
export const readingOf = (workspace: WorkspaceId, subjects: ReadonlySet<SubjectKey>, receivedAt = 0) => ({
  workspace,
  subjects,
  identifiers: new Set<string>(),
  deduplication: new Set<string>(),
  freed: new Set<string>(),
  looksBack: false,
  merges: false,
  concerns: {
    events: new Set<string>(),
    eventTargets: [],
    identifies: [],
    renames: false,
    others: true,
    deletesObjects: false,
    objects: false,
    rules: false,
    receivedAt,
  },
})
