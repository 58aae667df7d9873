import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { ActivityDocument } from "../../api/documents.ts"
import type { NewestEntries } from "../../shared/lists/newestEntries.ts"
import type { RollingName } from "../../shared/time/period.ts"
import { typeKey } from "./eventTypes.ts"
import { misfitsQuery, rejectedFilter } from "./misfitsQuery.ts"
import type { PlanOf } from "./plans.ts"
import type { ViolationCount } from "./violations.ts"

/** The milliseconds between two reads. */
const refreshMs = 30_000

/** What was rejected of a name in the shown period for what plans say. */
interface RejectedName {
  readonly of: PlanOf
  readonly violations: ViolationCount
  readonly newest: ActivityDocument
}

/** What was rejected in the shown period, by kind and name. */
export interface UnseenMisfits {
  readonly names: ReadonlyMap<string, RejectedName>
  /** False if there may be more than was looked at. */
  readonly isWhole: boolean
}

/** Groups what was rejected by kind and name. Events of visitors are of the kind `event`. */
export const unseenMisfitsIn = ({ items, searchedTo }: NewestEntries): UnseenMisfits => {
  const isWhole = searchedTo === null
  const named = items.flatMap((entry) => {
    const kind = entry.kind === "anonymous_event" ? "event" : entry.kind
    return kind === null || entry.name === null ? [] : [{ entry, of: { kind, name: entry.name } }]
  })
  const groups = Map.groupBy(named, ({ of }) => typeKey(of))
  return {
    isWhole,
    names: new Map(
      Array.from(groups, ([key, [newest, ...others]]) =>
        newest === undefined
          ? []
          : [
              [
                key,
                {
                  of: newest.of,
                  newest: newest.entry,
                  violations: { count: others.length + 1, isExact: isWhole },
                },
              ] as const,
            ],
      ).flat(),
    ),
  }
}

const nothing: NewestEntries = { items: [], searchedTo: null }

/**
 * Reads what was rejected in the shown period, because of plans or for want of one. Names of which nothing else came are not
 * summarized, so nobody else counts it.
 */
export const useUnseenMisfits = (w: string, since: RollingName, isWanted: boolean): UnseenMisfits => {
  const { data = nothing } = useQuery({
    ...misfitsQuery(w, rejectedFilter, since),
    enabled: isWanted,
    refetchInterval: refreshMs,
  })
  return useMemo(() => unseenMisfitsIn(data), [data])
}
