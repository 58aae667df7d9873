import { Context, Schema, type Effect, type Option } from "effect"
import { storeTexts } from "../log/operationTexts.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { Attempt, AttemptKey, AttemptStatus, RecordedAttempt } from "../webhook/Attempt.ts"
import type { DeliveryProgress } from "../webhook/DeliveryQueue.ts"
import type { EventPosition } from "../webhook/EventPosition.ts"
import type { HeldEvent } from "../webhook/HeldEvent.ts"
import type { Webhook } from "../webhook/Webhook.ts"
import type { ChangedMeanwhile } from "./ChangedMeanwhile.ts"
import type { StoreUnavailable } from "./Store.ts"

/**
 * Identifies a webhook. The primary key of each table for webhooks begins with the workspace and the id of the webhook.
 */
export interface WebhookKey {
  readonly workspace: WorkspaceId
  readonly webhookId: string
}

/**
 * A change to the stored events of a webhook. An event is stored if its first attempt failed, or if the event must wait
 * for an earlier event.
 */
export type HeldChange =
  /**
   * Stores an undelivered event, or updates its stored state. If an operator has skipped the event in the meantime, the
   * event stays skipped.
   */
  | { readonly _tag: "Hold"; readonly event: HeldEvent }
  | { readonly _tag: "Drop"; readonly position: EventPosition }

/**
 * An update of the stored data of a webhook: its new progress in the log, the change to one stored event, and an
 * attempt to add. If `held` or `attempt` is null, the stored events or attempts do not change.
 */
export interface WebhookRecord extends WebhookKey {
  readonly progress: DeliveryProgress
  readonly held: HeldChange | null
  readonly attempt: Attempt | null
}

/** An event that an operator wants to send again. */
export interface SendAgain {
  readonly attempt: Attempt
  readonly receivedAt: EpochMillis
  readonly now: EpochMillis
}

/** The largest number of attempts that are stored for one webhook. Older attempts are removed. */
export const attemptsKeptMax = 100_000

/** The largest number of webhooks of one workspace. */
export const webhooksPerWorkspaceMax = 1000

/** A webhook was not added, because its workspace has `webhooksPerWorkspaceMax` webhooks. */
export class TooManyWebhooks extends Schema.TaggedError<TooManyWebhooks>()("TooManyWebhooks", {}) {
  override get message() {
    return storeTexts.tooManyWebhooks({ max: webhooksPerWorkspaceMax })
  }
}

/**
 * The webhooks of all workspaces. For each webhook, the store holds the settings, the progress in the log, the
 * undelivered events and the attempts.
 */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** Returns every webhook of the installation. */
    readonly all: Effect.Effect<ReadonlyArray<Webhook>, StoreUnavailable>
    /** Returns the webhooks of a workspace, oldest first. */
    webhooks(workspace: WorkspaceId): Effect.Effect<ReadonlyArray<Webhook>, StoreUnavailable>
    webhook(key: WebhookKey): Effect.Effect<Option.Option<Webhook>, StoreUnavailable>
    /** Adds a webhook. The webhook sends only events after the given position of the log. */
    create(webhook: Webhook, position: EventPosition): Effect.Effect<void, StoreUnavailable | TooManyWebhooks>
    /** Replaces the settings of a webhook by later ones that were decided from them: `updatedAt` tells them apart. */
    update(before: Webhook, after: Webhook): Effect.Effect<void, StoreUnavailable | ChangedMeanwhile>
    /** Removes a webhook. Returns false if it does not exist. `prune` later removes its events and attempts. */
    remove(key: WebhookKey): Effect.Effect<boolean, StoreUnavailable>
    progress(key: WebhookKey): Effect.Effect<DeliveryProgress, StoreUnavailable>
    /**
     * Returns up to `limit` events that a webhook still has to retry, ordered by position. Events that an operator
     * sends again come after all others.
     */
    held(key: WebhookKey, limit: number): Effect.Effect<ReadonlyArray<HeldEvent>, StoreUnavailable>
    /**
     * Stores the records of many attempts in one transaction. The records survive a crash of the process. A power
     * failure may lose the newest records, and the events of these records are then sent again. Ignores records of a
     * webhook that does not exist.
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
    /** Returns the newest attempt to send an event, as far as attempts are kept. */
    newestAt(
      key: WebhookKey,
      position: EventPosition,
    ): Effect.Effect<Option.Option<RecordedAttempt>, StoreUnavailable>
    /**
     * Gives up an event that a webhook still retries, and records an attempt with the status `skipped`. Returns false
     * if the webhook does not retry the event.
     */
    skip(key: WebhookKey, attempt: Attempt, now: EpochMillis): Effect.Effect<boolean, StoreUnavailable>
    /**
     * Makes a webhook send an event now. If the webhook no longer retries the event (it was delivered, failed or
     * skipped), the event is retried for another `retriedForMs` milliseconds and does not wait for other events.
     */
    sendAgain(key: WebhookKey, event: SendAgain): Effect.Effect<void, StoreUnavailable>
    /**
     * Schedules all undelivered events that were received at `since` or later to be sent now. As with `sendAgain`,
     * events that failed or were skipped are retried for another `retriedForMs` milliseconds and do not wait for other
     * events. Returns the number of scheduled events.
     */
    recover(key: WebhookKey, since: EpochMillis, now: EpochMillis): Effect.Effect<number, StoreUnavailable>
    /**
     * Removes expired attempts, expired events, and the data of removed webhooks in one bounded step. Returns whether
     * nothing is left to remove.
     */
    prune(now: EpochMillis): Effect.Effect<boolean, StoreUnavailable>
  }
>()("@inlethq/core/ports/WebhookStore") {}
