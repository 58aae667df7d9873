import { Context, type Effect } from "effect"
import type { Alert, NewAlert } from "../alert/Alert.ts"
import type { Sequence, WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The largest number of alerts of a workspace. The oldest that have ended make room for others. */
export const alertsPerWorkspaceMax = 200

/** What is not well in each workspace, and what was. Of one thing, only the last time is kept. */
export class Alerts extends Context.Service<
  Alerts,
  {
    /** Lists the alerts of a workspace, the one that began last first. */
    list(workspace: WorkspaceId): Effect.Effect<ReadonlyArray<Alert>, StoreUnavailable>
    /**
     * Begins an alert. Its mark is after `newest`, the newest entry of the log, and after all other marks. Returns false and
     * saves nothing if the alert lasts already, if `alertsPerWorkspaceMax` others do, or if the workspace was deleted.
     */
    begin(alert: NewAlert, newest: Sequence | null): Effect.Effect<boolean, StoreUnavailable>
    /** Ends an alert. Returns false if it does not last. */
    end(
      alert: Pick<Alert, "workspace" | "alertId">,
      at: EpochMillis,
      newest: Sequence | null,
    ): Effect.Effect<boolean, StoreUnavailable>
  }
>()("@inlethq/core/ports/Alerts") {}

/** What decides whether an alert can begin, and where. */
export type AlertMarks = Pick<Alert, "alertId" | "beganMark" | "endedMark">

/** Returns the next mark: after the newest entry, and after all marks there are. */
export const nextMark = (alerts: ReadonlyArray<AlertMarks>, newest: Sequence | null): number =>
  alerts.reduce(
    (next, { beganMark, endedMark }) => Math.max(next, beganMark + 1, (endedMark ?? 0) + 1),
    (newest ?? 0) + 1,
  )

/** Returns the alerts that make room for one more: the oldest that have ended. Returns null if there are none. */
export const roomFor = (alerts: ReadonlyArray<AlertMarks>, alertId: string): ReadonlyArray<string> | null => {
  const excess = alerts.filter((one) => one.alertId !== alertId).length + 1 - alertsPerWorkspaceMax
  if (excess <= 0) return []
  const ended = alerts
    .filter((one) => one.endedMark !== null && one.alertId !== alertId)
    .toSorted((a, b) => (a.endedMark ?? 0) - (b.endedMark ?? 0))
  return ended.length < excess ? null : ended.slice(0, excess).map((one) => one.alertId)
}
