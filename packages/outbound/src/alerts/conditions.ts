import type { CauseDocument } from "@inlethq/contract/types/EventTypes"
import type { AlertSettings } from "@inlethq/core/alert/AlertSettings"
import type { OutcomeCount } from "@inlethq/core/catalog/ActivityCounts"
import { dayMs, hourMs, minuteMs, secondMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Drift } from "@inlethq/log/types/driftOf"
import type { FollowerStatus } from "../follower/follow.ts"
import type { Condition, Lasting } from "./Condition.ts"

/** A cause is new for this long after its first operation, and lasts until none came for the second time. */
export const newCauseMs = dayMs
export const quietMs = hourMs

/** The operations of this time are counted for the share of errors, in steps of a minute. */
export const errorMs = 10 * minuteMs

/** An alert ends when it is below this part of what lets it begin, so that it does not come and go. */
const endsBelow = 1 / 2

/** Returns the causes of refusals that are new, and those that were and still occur. */
export const newCauses = (
  causes: ReadonlyArray<CauseDocument>,
  now: EpochMillis,
  lasts: Lasting,
): ReadonlyArray<Condition> =>
  causes
    .filter(
      ({ cause, first, last }) =>
        Date.parse(last.at) > now - quietMs &&
        (Date.parse(first.at) > now - newCauseMs || lasts("new_cause", cause)),
    )
    .map(({ cause, first, outcome, reason, sender }) => ({
      condition: "new_cause" as const,
      subject: cause,
      summary: `Operations are ${outcome} for a new reason: ${(reason ?? "none is recorded").replace(/\.$/, "")}.${sentBy(sender)}`,
      operationId: first.operation_id,
    }))

const sentBy = (sender: CauseDocument["sender"]): string =>
  sender?.key == null ? "" : ` They are sent with the key ${sender.key.name}.`

/** Returns that too many of the operations of the last minutes were refused. */
export const errorRate = (
  counts: ReadonlyArray<OutcomeCount>,
  { errorRatePercent, errorsMin }: AlertSettings,
  lasts: Lasting,
): ReadonlyArray<Condition> => {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const faulty = counts
    .filter(({ outcome }) => outcome === "rejected" || outcome === "partial")
    .reduce((sum, { count }) => sum + count, 0)
  const part = lasts("error_rate", "operations") ? endsBelow : 1
  const isTooMany = faulty >= errorsMin * part && faulty * 100 >= total * errorRatePercent * part
  if (faulty === 0 || !isTooMany) return []
  const summary = `Of the ${total} operations of the last 10 minutes, ${faulty} were rejected or applied in part.`
  return [{ condition: "error_rate", subject: "operations", summary, operationId: null }]
}

/** What is behind, and since when. */
export interface Behind {
  readonly subject: string
  /** What it is called at the start of a sentence. */
  readonly title: string
  /** Null while nobody knows. */
  readonly lagMs: number | null
}

/** Returns how far the webhooks or the forwards of one workspace are behind. One without a name is called by its id. */
export const feedsBehind = (
  kind: "webhook" | "forward",
  { feeds }: FollowerStatus,
  workspace: number,
  names: ReadonlyMap<string, string>,
): ReadonlyArray<Behind> =>
  feeds.flatMap(({ id, lagMs, prepared, workspace: of }) =>
    of !== workspace || id === null
      ? []
      : [
          {
            subject: `${kind}:${id}`,
            title: `The ${kind} ${names.get(id) || id}`,
            lagMs: prepared ? lagMs : null,
          },
        ],
  )

/** Returns what is too far behind. */
export const lags = (
  behind: ReadonlyArray<Behind>,
  { lagSeconds }: AlertSettings,
  lasts: Lasting,
): ReadonlyArray<Condition> =>
  behind
    .filter(({ lagMs, subject }) => {
      const isLasting = lasts("lag", subject)
      return lagMs === null ? isLasting : lagMs >= lagSeconds * secondMs * (isLasting ? endsBelow : 1)
    })
    .map(({ lagMs, subject, title }) => ({
      condition: "lag" as const,
      subject,
      summary: `${title} is ${behindText(lagMs ?? 0)} behind.`,
      operationId: null,
    }))

const behindText = (lagMs: number): string => {
  const minutes = Math.floor(lagMs / minuteMs)
  return minutes === 1 ? "1 minute" : `${minutes} minutes`
}

/** Returns the names that are silent since lately, and those that are so still. */
export const silences = (
  silent: ReadonlyArray<Drift>,
  now: EpochMillis,
  lasts: Lasting,
): ReadonlyArray<Condition> =>
  silent
    .map(({ document }) => ({ ...document, subject: `${document.kind}:${document.name}` }))
    .filter(({ at, subject }) => Date.parse(at) > now - dayMs || lasts("silent", subject))
    .map(({ operation_id, subject, summary }) => ({
      condition: "silent" as const,
      subject,
      summary,
      operationId: operation_id,
    }))
