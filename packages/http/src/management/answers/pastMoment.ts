import { Gone, InvalidRequest } from "@inlethq/contract/access/Problem"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { readTime, toIso } from "@inlethq/core/values/Timestamp"
import type { PastMoment } from "@inlethq/log/history/PastMoment"
import { horizonAfter, type Horizon } from "@inlethq/log/history/personAsOf"
import { Effect } from "effect"
import { problemTexts } from "../../problems/problemTexts.ts"

/** The query parameters that name a moment of the past. */
interface Moment {
  readonly at?: string
  readonly position?: Sequence
}

/** Returns the moment that a query names, or null if it names none. */
export const pastMoment = ({ at, position }: Moment): Effect.Effect<PastMoment | null, InvalidRequest> => {
  if (at !== undefined && position !== undefined) {
    return Effect.fail(new InvalidRequest({ detail: problemTexts.oneMoment() }))
  }
  if (position !== undefined) return Effect.succeed({ _tag: "AtPosition", position })
  return Effect.succeed(at === undefined ? null : { _tag: "AtTime", at: readTime(at) ?? 0 })
}

/** Returns the moment that a query names, as answers give it. */
export const asOf = ({ at, position }: Moment) => ({ position: position ?? null, at: at ?? null })

/** Fails with a 410 that names the beginning of the history if a moment lies before it. */
export const expectHistory = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  moment: PastMoment,
) {
  const horizon = yield* horizonAfter(snapshot, workspace, moment)
  if (horizon !== null) return yield* new Gone({ detail: beforeHorizon(horizon) })
})

const beforeHorizon = ({ at, position }: Horizon): string =>
  at === null
    ? problemTexts.beforeHistory({ position })
    : problemTexts.beforeHistoryTime({ position, time: toIso(at) })
