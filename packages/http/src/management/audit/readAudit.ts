import { auditExaminedMax, matchesAudit, type AuditQuery } from "@inlethq/contract/workspaces/Audit"
import { periodOf, type Period } from "@inlethq/log/reading/receiptPeriod"
import {
  AuditPosition,
  auditPositionAt,
  auditTimeOf,
  type AuditRecord,
} from "@inlethq/core/audit/AuditRecord"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { auditReadMax, type AuditLog, type AuditPlace, type AuditReach } from "@inlethq/core/ports/AuditLog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"

/** What a principal asks for, within what it may see. */
export interface AuditRequest {
  readonly reach: AuditReach
  /** The workspaces whose records are shown; null for all, and for those of the installation. */
  readonly workspaces: ReadonlyArray<WorkspaceId> | null
  readonly query: AuditQuery
}

/**
 * Reads a page of the records that match. Examines at most `auditExaminedMax` records, in small reads, so that other
 * work can use the thread in between.
 */
export const readAudit = Effect.fnUntraced(function* (
  log: AuditLog["Service"],
  { query, reach, workspaces }: AuditRequest,
  { after, limit, order }: PageRequest<AuditPlace>,
): Effect.fn.Return<Page<AuditRecord, AuditPlace>, StoreUnavailable> {
  const period = periodOf(query)
  const items: Array<AuditRecord> = []
  let place = startIn(period, after, order)
  for (let examined = 0; examined < auditExaminedMax; examined += auditReadMax) {
    const page: Page<AuditRecord, AuditPlace> = yield* log.read(reach, {
      after: place,
      limit: auditReadMax,
      order,
    })
    for (const record of page.items) {
      const at = auditTimeOf(record.position)
      if (order === "asc" ? at >= period.until : at < period.since) return { items, next: null }
      const isShown =
        workspaces === null || (record.workspace !== null && workspaces.includes(record.workspace))
      const isInPeriod = at >= period.since && at < period.until
      if (isShown && isInPeriod && matchesAudit(query, record)) items.push(record)
      place = { position: record.position, workspace: record.workspace }
      if (items.length === limit) {
        const isLast = record === page.items.at(-1) && page.next === null
        return { items, next: isLast ? null : place }
      }
    }
    if (page.next === null) return { items, next: null }
    yield* Effect.yieldNow
  }
  return { items, next: place }
})

/** Returns the place after which a read begins, so that it does not examine records before its period. */
const startIn = (
  { since, until }: Period,
  after: AuditPlace | null,
  order: "asc" | "desc",
): AuditPlace | null => {
  if (after !== null) return after
  const edge = order === "asc" ? auditPositionAt(since) - 1 : auditPositionAt(until)
  return edge > 0 && edge < Number.MAX_SAFE_INTEGER
    ? { position: AuditPosition.make(edge), workspace: null }
    : null
}
