import { Effect } from "effect"
import { noFilter, type Catalog } from "@inlethq/core/catalog/Catalog"
import type { ActivityEntry, SegmentEffect } from "@inlethq/core/log/ActivityEntry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Person } from "@inlethq/core/state/Person"
import type { Segment, SilentBuild } from "@inlethq/core/state/Segment"
import type { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"

/** An entry that says that a person entered or left a segment. */
export interface Crossing {
  readonly at: EpochMillis
  readonly position: Sequence
  readonly batchIndex: number | null
  readonly change: SegmentEffect["change"]
}

/** Since when a person is in a segment, and the entry with which they entered. */
export type Entrance = Omit<Crossing, "change">

/** What is known of a person's way into a segment. */
export interface KnownPast {
  readonly person: Pick<Person, "createdAt">
  readonly silentBuild: SilentBuild | null
  /** The person's last crossing that was read. */
  readonly last: Crossing | undefined
  /** All entries about the person at this position and later were read. */
  readonly toldFrom: number
}

/** The largest number of a person's entries that are read to find out how they entered segments. */
const entranceEntriesMax = 500

/** Returns how a person entered those of the given segments of theirs of which the log tells it. */
export const entrancesOf = Effect.fnUntraced(function* (
  catalog: Pick<Catalog["Service"], "activity" | "prunedTo">,
  person: Person,
  segments: ReadonlyArray<Pick<Segment, "key" | "silentBuild">>,
): Effect.fn.Return<ReadonlyMap<SubjectKey, Entrance>, StoreUnavailable> {
  const page = { limit: entranceEntriesMax, after: null, order: "desc" } as const
  const { items, next } = yield* catalog.activity(
    person.workspace,
    { ...noFilter, person, withErased: true },
    page,
  )
  const crossings = lastCrossings(
    items.map(({ entry }) => entry),
    person.key,
  )
  const prunedTo = yield* catalog.prunedTo(person.workspace)
  const toldFrom = Math.max(next ?? 0, prunedTo + 1)
  const found = new Map<SubjectKey, Entrance>()
  for (const { key, silentBuild } of segments) {
    const entrance = entranceOf({ person, silentBuild, last: crossings.get(key), toldFrom })
    if (entrance !== null) found.set(key, entrance)
  }
  return found
})

/**
 * Returns how a person who is in a segment entered: by the operation that the log tells, or by a silent build. Returns null if
 * the log does not tell it. Somebody who was in the segment before one silent build, and is in it now, was in it all the time.
 * With two builds since, they may have been out between them, so the last of them is since when they are surely in.
 */
export const entranceOf = ({ last, person, silentBuild, toldFrom }: KnownPast): Entrance | null => {
  const entered = last?.change === "entered" ? last : null
  if (silentBuild === null || (entered !== null && entered.position > silentBuild.after)) return entered
  const { at, position } = silentBuild
  const isTold = position >= toldFrom && person.createdAt <= at
  return isTold ? { at, position, batchIndex: null } : null
}

/** Returns a person's last crossing of each segment. `entries` are those of the person, newest first. */
const lastCrossings = (
  entries: Iterable<ActivityEntry>,
  person: SubjectKey,
): ReadonlyMap<SubjectKey, Crossing> => {
  const found = new Map<SubjectKey, Crossing>()
  for (const { batchIndex, effects, receivedAt: at, sequence: position } of entries) {
    for (const { change, segment, subject } of effects.toReversed()) {
      if (subject === person && !found.has(segment)) found.set(segment, { at, position, batchIndex, change })
    }
  }
  return found
}
