import type { Alert } from "@inlethq/core/alert/Alert"
import { Alerts, nextMark, roomFor } from "@inlethq/core/ports/Alerts"
import { Sequence } from "@inlethq/core/values/Identifier"
import { Effect, Layer } from "effect"
import { MemoryState } from "./MemoryState.ts"

/** Stores alerts in memory. */
export const alerts = Layer.effect(
  Alerts,
  Effect.map(MemoryState, ({ alerts: stored, deleted }) => {
    const of = (workspace: Alert["workspace"]): ReadonlyArray<Alert> =>
      deleted.has(workspace) ? [] : (stored.get(workspace) ?? [])
    return Alerts.of({
      list: (workspace) => Effect.sync(() => of(workspace).toSorted((a, b) => b.beganMark - a.beganMark)),
      begin: (alert, newest) =>
        Effect.sync(() => {
          const known = of(alert.workspace)
          const before = known.find(({ alertId }) => alertId === alert.alertId)
          const room = roomFor(known, alert.alertId)
          const lasts = before !== undefined && before.endedMark === null
          if (deleted.has(alert.workspace) || lasts || room === null) return false
          const left = known.filter((one) => one !== before && !room.includes(one.alertId))
          const beganMark = Sequence.make(nextMark(known, newest))
          stored.set(alert.workspace, [...left, { ...alert, beganMark, endedAt: null, endedMark: null }])
          return true
        }),
      end: ({ alertId, workspace }, at, newest) =>
        Effect.sync(() => {
          const known = of(workspace)
          const before = known.find((one) => one.alertId === alertId && one.endedMark === null)
          if (before === undefined) return false
          const ended = { ...before, endedAt: at, endedMark: Sequence.make(nextMark(known, newest)) }
          stored.set(
            workspace,
            known.map((one) => (one === before ? ended : one)),
          )
          return true
        }),
    })
  }),
)
