import { Context } from "effect"
import type { ActivityEntry } from "../log/ActivityEntry.ts"
import type { UploadPart } from "../ports/Upload.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { Sequence, WorkspaceId } from "../values/Identifier.ts"
import type { RecordedAttempt } from "../webhook/Attempt.ts"
import type { DeliveryProgress } from "../webhook/DeliveryQueue.ts"
import type { EventPosition } from "../webhook/EventPosition.ts"
import type { HeldEvent } from "../webhook/HeldEvent.ts"
import type { Webhook } from "../webhook/Webhook.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import type { ApiKey } from "../workspace/Credentials.ts"
import type { NamedToken } from "../workspace/NamedToken.ts"
import type { Workspace } from "../workspace/Workspace.ts"

/** The data of one workspace: the state after all committed changes, and the log. */
export interface Island {
  readonly everything: WorkingSet
  readonly log: Map<Sequence, ActivityEntry>
}

/** A webhook with its progress, its undelivered events and its attempts. */
export interface WebhookRecords {
  webhook: Webhook
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
export const MemoryAccess = Context.Reference<MemoryAccess>("@inlet/core/memory/MemoryAccess", {
  defaultValue: () => ({ initial: undefined, dataOpened: () => {}, webhooksOpened: () => {} }),
})
