import { Context, type Effect, type Option } from "effect"
import type { Page, PageRequest } from "../catalog/Catalog.ts"
import type { WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { Attempt, AttemptKey, AttemptStatus, RecordedAttempt } from "../webhook/Attempt.ts"
import type { DeliveryProgress } from "../webhook/DeliveryQueue.ts"
import type { EventPosition } from "../webhook/EventPosition.ts"
import type { HeldEvent } from "../webhook/HeldEvent.ts"
import type { Webhook } from "../webhook/Webhook.ts"
import type { StoreUnavailable } from "./Store.ts"

/** Names a webhook. Every row of a webhook begins with its workspace. */
export interface WebhookKey {
  readonly workspace: WorkspaceId
  readonly webhookId: string
}

/** A change to the events that a webhook holds. */
export type HeldChange =
  /** Holds an event or updates a held one. An event that an operator skipped meanwhile stays skipped. */
  | { readonly _tag: "Hold"; readonly event: HeldEvent }
  | { readonly _tag: "Drop"; readonly position: EventPosition }

/** What one attempt, or one reading of the log, changes in the records of a webhook. */
export interface WebhookRecord extends WebhookKey {
  readonly progress: DeliveryProgress
  readonly held: HeldChange | null
  readonly attempt: Attempt | null
}

/** An event that an operator wants to be sent again. */
export interface SendAgain {
  readonly attempt: Attempt
  readonly receivedAt: EpochMillis
  readonly now: EpochMillis
}

/** The attempts that a webhook keeps at most. Older ones are removed. */
export const attemptsKeptMax = 100_000

/** The most webhooks of one workspace. */
export const webhooksPerWorkspaceMax = 1000

/** The webhooks of all workspaces, how far each of them has come, and the events that they hold. */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** Returns every webhook of the installation. */
    readonly all: Effect.Effect<ReadonlyArray<Webhook>, StoreUnavailable>
    /** Returns the webhooks of a workspace, oldest first. */
    webhooks(workspace: WorkspaceId): Effect.Effect<ReadonlyArray<Webhook>, StoreUnavailable>
    webhook(key: WebhookKey): Effect.Effect<Option.Option<Webhook>, StoreUnavailable>
    /** Adds a webhook that starts to send after a position of the log. */
    create(webhook: Webhook, position: EventPosition): Effect.Effect<void, StoreUnavailable>
    /** Replaces the settings of a webhook. Returns false if it does not exist. */
    update(webhook: Webhook): Effect.Effect<boolean, StoreUnavailable>
    /** Removes a webhook. Returns false if it does not exist. `prune` removes its records later. */
    remove(key: WebhookKey): Effect.Effect<boolean, StoreUnavailable>
    progress(key: WebhookKey): Effect.Effect<DeliveryProgress, StoreUnavailable>
    /**
     * Returns events that a webhook still retries, at most `limit` of them: those in order first, then those that an operator sends
     * again, both in order of their positions.
     */
    held(key: WebhookKey, limit: number): Effect.Effect<ReadonlyArray<HeldEvent>, StoreUnavailable>
    /**
     * Stores the records of many attempts in one transaction. Survives a crash of the process. A power failure may lose the newest
     * records, and their events are then sent again. Records of a webhook that does not exist are ignored.
     */
    record(records: ReadonlyArray<WebhookRecord>): Effect.Effect<void, StoreUnavailable>
    /** Lists the attempts of a webhook, in the order in which they were recorded. */
    attempts(
      key: WebhookKey,
      status: AttemptStatus | null,
      page: PageRequest<AttemptKey>,
    ): Effect.Effect<Page<RecordedAttempt, AttemptKey>, StoreUnavailable>
    attempt(
      key: WebhookKey,
      attempt: AttemptKey,
    ): Effect.Effect<Option.Option<RecordedAttempt>, StoreUnavailable>
    /** Skips an event that a webhook still retries, and records that. Returns false if it does not retry the event. */
    skip(key: WebhookKey, attempt: Attempt, now: EpochMillis): Effect.Effect<boolean, StoreUnavailable>
    /**
     * Makes an event due at once. If the webhook no longer retries the event, the event is held again for the whole time of retries,
     * and out of order.
     */
    sendAgain(key: WebhookKey, event: SendAgain): Effect.Effect<void, StoreUnavailable>
    /**
     * Makes all events due that were received at `since` or later and not delivered. Those that failed or were skipped are held again
     * like by `sendAgain`. Returns the number of events.
     */
    recover(key: WebhookKey, since: EpochMillis, now: EpochMillis): Effect.Effect<number, StoreUnavailable>
    /**
     * Removes expired attempts, expired events, and the records of removed webhooks in one bounded step. Returns whether no more work
     * is due.
     */
    prune(now: EpochMillis): Effect.Effect<boolean, StoreUnavailable>
  }
>()("@inlet/core/ports/WebhookStore") {}
