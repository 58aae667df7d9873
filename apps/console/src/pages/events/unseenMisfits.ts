import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { rollingPeriods, type RollingName } from "../../shared/time/period.ts"
import type { ViolationCount } from "./violations.ts"

/** The most rejected operations that are looked at. */
const operationsMax = 200

/** The milliseconds between two reads. */
const refreshMs = 30_000

/** What a plan has rejected of a name in the shown period. */
export interface UnseenMisfits {
  readonly violations: ViolationCount
  readonly newest: ActivityDocument
}

/**
 * Reads what plans have rejected in the shown period, by kind and name. Names of which nothing else came are not summarized, so
 * nobody else counts it.
 */
export const useUnseenMisfits = (
  w: string,
  since: RollingName,
  isWanted: boolean,
): ReadonlyMap<string, UnseenMisfits> => {
  const { data } = useQuery({
    queryKey: [w, "misfits", "rejected", since],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - rollingPeriods[since].ms).toISOString()
      const filter = "plan:violated outcome:rejected"
      return api.activity.list(w, { filter, since: from, limit: operationsMax }, signal)
    },
    enabled: isWanted,
    refetchInterval: refreshMs,
  })
  return useMemo(() => {
    const groups = Map.groupBy(data?.items ?? [], ({ kind, plan }) => {
      const shown = kind === "anonymous_event" ? "event" : kind
      return `${shown} ${plan?.name}`
    })
    const isExact = data?.next === null
    return new Map(
      Array.from(groups, ([key, [newest, ...others]]) =>
        newest === undefined
          ? []
          : [[key, { newest, violations: { count: others.length + 1, isExact } }] as const],
      ).flat(),
    )
  }, [data])
}
