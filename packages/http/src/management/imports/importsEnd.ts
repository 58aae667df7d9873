import type { ImportKind } from "@inlethq/wire/csv/ImportFile"
import type { AuditAction } from "@inlethq/contract/access/AuditAction"
import type { AuditActor, AuditOutcome } from "@inlethq/core/audit/AuditRecord"
import type { AuditLog } from "@inlethq/core/ports/AuditLog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Clock, Effect } from "effect"
import type { Tally } from "./importsTally.ts"

/** How an import ended. */
interface EndedImport {
  readonly workspace: WorkspaceId
  readonly kind: ImportKind
  readonly actor: AuditActor
  readonly outcome: Extract<AuditOutcome, "done" | "failed">
  readonly counts: Tally["counts"]
  /** The id of an import that went on without its client. */
  readonly id?: string
  readonly state?: string
}

const action: AuditAction = "import.end"

/** Records in the audit log how an import ended, with what it did. */
export const recordEnd = (
  log: AuditLog["Service"],
  { actor, counts, id, kind, outcome, state, workspace }: EndedImport,
): Effect.Effect<void, StoreUnavailable> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.asVoid(
      log.append(
        {
          workspace,
          action,
          outcome,
          status: null,
          actor,
          target: id === undefined ? null : { id, name: null },
          changes: [],
          details: { kind, ...(state !== undefined && { state }), ...counts },
          address: null,
          forwardedFor: null,
          userAgent: null,
          count: 1,
        },
        now,
      ),
    ),
  )
