import { Context } from "effect"
import type { AuditRecord } from "@inlethq/core/audit/AuditRecord"
import type { ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Sender, SenderId } from "@inlethq/core/log/Sender"
import type { UploadPart } from "@inlethq/core/ports/Upload"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { RecordedAttempt } from "@inlethq/core/webhook/Attempt"
import type { DeliveryProgress } from "@inlethq/core/webhook/DeliveryQueue"
import type { EventPosition } from "@inlethq/core/webhook/EventPosition"
import type { HeldEvent } from "@inlethq/core/webhook/HeldEvent"
import type { Forward } from "@inlethq/core/forward/Forward"
import type { SealedNames } from "@inlethq/core/ports/ForwardStore"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import type { ApiKey } from "@inlethq/core/workspace/Credentials"
import type { NamedToken } from "@inlethq/core/workspace/NamedToken"
import type { Workspace } from "@inlethq/core/workspace/Workspace"

/** The data of one workspace: the state after all committed changes, and the log. */
export interface Island {
  readonly everything: WorkingSet
  readonly log: Map<Sequence, ActivityEntry>
  /** The last log position that pruning has passed. Later entries that are not events are all there. */
  prunedTo: number
  readonly senders: Map<SenderId, Sender>
  /** The numbers of the senders by their documents. */
  readonly senderIds: Map<string, SenderId>
  /** The groups of identifiers that the erasure ledger suppressed again, by the digests of the identifiers. */
  readonly suppressedDigests: Map<string, SubjectKey>
  /** The sizes of segments by day, as `SegmentSizes` keeps them. */
  readonly segmentSizes: Map<SubjectKey, ReadonlyMap<number, number>>
}

/** A webhook or a forward with its progress, its undelivered events and its attempts. */
export interface WebhookRecords {
  webhook: Webhook | Forward
  /** The names of erased people that a forward has still to tell. */
  readonly names: Map<Sequence, SealedNames>
  progress: DeliveryProgress
  readonly held: Map<EventPosition, HeldEvent>
  attempts: Array<RecordedAttempt>
  lastKey: number
}

/** A copy of everything in a memory store except webhooks. Later commits do not change the copy. */
export interface DataImage {
  readonly islands: ReadonlyMap<WorkspaceId, Island>
  readonly workspaces: ReadonlyMap<WorkspaceId, Workspace>
  readonly keys: ReadonlyMap<string, ApiKey>
  readonly tokens: ReadonlyMap<string, NamedToken>
  /** The audit log, in the order of positions. */
  readonly audit: ReadonlyArray<AuditRecord>
  /** The records of the erasure ledger, in the order of their commits. */
  readonly erasures: ReadonlyArray<ErasureRecord>
  readonly uploads: ReadonlyMap<string, UploadPart>
  /** The deleted workspaces, with the time of the deletion, or null once they are erased. */
  readonly deleted: ReadonlyMap<WorkspaceId, EpochMillis | null>
}

/**
 * A copy of the webhooks of a memory store, by workspace and webhook id. Later changes in the store do not change the
 * copy.
 */
export type WebhooksImage = ReadonlyMap<string, WebhookRecords>

export interface MemoryImage {
  readonly data: DataImage
  readonly webhooks: WebhooksImage
}

/** The data with which a memory store starts, and functions that copy its data while it runs. */
export interface MemoryAccess {
  readonly initial: MemoryImage | undefined
  readonly dataOpened: (copy: () => DataImage) => void
  readonly webhooksOpened: (copy: () => WebhooksImage) => void
}

/**
 * By default a memory store starts empty, and nothing copies its data. The emulator for tests replaces this default.
 */
export const MemoryAccess = Context.Reference<MemoryAccess>("@inlethq/core/memory/MemoryAccess", {
  defaultValue: () => ({ initial: undefined, dataOpened: () => {}, webhooksOpened: () => {} }),
})
