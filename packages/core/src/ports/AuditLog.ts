import { Context, type Effect } from "effect"
import type { AuditPosition, AuditRecord, NewAuditRecord } from "../audit/AuditRecord.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The place of a record among all records. Those of the installation come first within a position. */
export interface AuditPlace {
  readonly position: AuditPosition
  /** Null for a record of the installation. */
  readonly workspace: WorkspaceId | null
}

/** The records to read: those of one workspace, those of no workspace, or all. */
export type AuditReach = WorkspaceId | "installation" | "everything"

/** The largest number of records that one read returns, whatever its limit. Readers that filter yield between reads. */
export const auditReadMax = 250

/** The largest number of records that one step of `prune` removes. */
export const auditPrunedMax = 500

/**
 * The audit log: what was done through the management API. It outlives the workspaces that it tells of, so that who
 * deleted one stays known.
 */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /** Adds a record at the position of its time. It is durable when the effect succeeds. */
    append(record: NewAuditRecord, at: EpochMillis): Effect.Effect<AuditRecord, StoreUnavailable>
    /** Replaces a record, durably. Does nothing if it was removed. */
    replace(record: AuditRecord): Effect.Effect<void, StoreUnavailable>
    /** Reads records in the order of their positions, and at most `auditReadMax` of them. */
    read(
      reach: AuditReach,
      page: PageRequest<AuditPlace>,
    ): Effect.Effect<Page<AuditRecord, AuditPlace>, StoreUnavailable>
    /**
     * Removes records in one bounded step: those of a workspace after its `auditDays`, and those of the installation and
     * of deleted workspaces after `days`. Returns whether nothing is left to remove.
     */
    prune(now: EpochMillis, days: number): Effect.Effect<boolean, StoreUnavailable>
  }
>()("@inlethq/core/ports/AuditLog") {}
