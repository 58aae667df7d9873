import { Effect, Layer } from "effect"
import {
  AuditPosition,
  auditPositionAt,
  auditTimeOf,
  type AuditRecord,
} from "@inlethq/core/audit/AuditRecord"
import type { PageRequest } from "@inlethq/core/values/Page"
import {
  AuditLog,
  auditPrunedMax,
  auditReadMax,
  type AuditPlace,
  type AuditReach,
} from "@inlethq/core/ports/AuditLog"
import { dayMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { MemoryState } from "./MemoryState.ts"

/** Stores the audit log in memory. */
export const auditLog = Layer.effect(
  AuditLog,
  Effect.map(MemoryState, ({ audit, workspaces }) =>
    AuditLog.of({
      append: (record, at) =>
        Effect.sync(() => {
          const appended = { ...record, position: freePosition(audit, record.workspace, at) }
          const after = audit.findLastIndex((earlier) => compare(earlier, appended) < 0)
          audit.splice(after + 1, 0, appended)
          return appended
        }),
      replace: (record) =>
        Effect.sync(() => {
          const index = audit.findIndex((found) => compare(found, record) === 0)
          if (index >= 0) audit[index] = record
        }),
      read: (reach, page) => Effect.sync(() => pageOf(audit, reach, page)),
      prune: (now, days) =>
        Effect.sync(() => {
          const expired = audit.filter(({ position, workspace }) => {
            const kept = workspace === null ? undefined : workspaces.get(workspace)?.auditDays
            return auditTimeOf(position) < now - (kept ?? days) * dayMs
          })
          const removed = new Set(expired.slice(0, auditPrunedMax))
          audit.splice(0, audit.length, ...audit.filter((record) => !removed.has(record)))
          return removed.size === expired.length
        }),
    }),
  ),
)

const compare = (a: AuditPlace, b: AuditPlace): number =>
  a.position - b.position || (a.workspace ?? 0) - (b.workspace ?? 0)

const freePosition = (
  audit: ReadonlyArray<AuditRecord>,
  workspace: AuditRecord["workspace"],
  at: EpochMillis,
): AuditPosition => {
  const taken = new Set(audit.flatMap((record) => (record.workspace === workspace ? [record.position] : [])))
  let position = AuditPosition.make(auditPositionAt(at))
  while (taken.has(position)) position = AuditPosition.make(position + 1)
  return position
}

const pageOf = (
  audit: ReadonlyArray<AuditRecord>,
  reach: AuditReach,
  { after, limit, order }: PageRequest<AuditPlace>,
) => {
  const wanted = Math.min(limit, auditReadMax)
  const inOrder = order === "asc" ? audit : audit.toReversed()
  const found = inOrder.filter(
    (record) =>
      (reach === "everything" || (record.workspace ?? "installation") === reach) &&
      (after === null || (order === "asc" ? compare(record, after) > 0 : compare(record, after) < 0)),
  )
  const items = found.slice(0, wanted)
  const last = items.at(-1)
  return { items, next: last === undefined || found.length <= wanted ? null : placeOf(last) }
}

const placeOf = ({ position, workspace }: AuditRecord): AuditPlace => ({ position, workspace })
