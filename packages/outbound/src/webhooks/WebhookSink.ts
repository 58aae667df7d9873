import type { ActivityFilter, Catalog } from "@inlethq/core/catalog/Catalog"
import { Registry } from "@inlethq/core/ports/Registry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { WebhookStore, type HeldChange } from "@inlethq/core/ports/WebhookStore"
import { operationIdText, Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Attempt } from "@inlethq/core/webhook/Attempt"
import {
  DeliveryQueue,
  heldEventsMax,
  type AttemptResult,
  type NextStep,
  type Settled,
} from "@inlethq/core/webhook/DeliveryQueue"
import {
  endOfEntry,
  eventsPerEntryMax,
  lastCompleteEntry,
  sequenceAt,
  type EventPosition,
} from "@inlethq/core/webhook/EventPosition"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Cause, Clock, Effect, Latch, Option, Random } from "effect"
import type { Batch, BatchSink, Progress } from "../follower/Destination.ts"
import { ConnectionPools } from "./ConnectionPools.ts"
import { RecordWriter } from "./RecordWriter.ts"
import type { SecretBox } from "../SecretBox.ts"
import type { Sender } from "./Sender.ts"
import { webhookEvents, type Sent, type WebhookEvents } from "./webhookEvents.ts"
import { countAttempt } from "./webhookMetrics.ts"

/** The number of entries after which a webhook stores its position, even if it sends no event. */
const unstoredEntriesMax = 1000

/** The page request for the newest attempt of a webhook. */
const newestAttempt = { limit: 1, after: null, order: "desc" } as const

/** The services that webhooks need. */
export type WebhookServices =
  | Catalog
  | ConnectionPools
  | RecordWriter
  | Registry
  | SecretBox
  | Sender
  | WebhookStore

/** Sends the events of one webhook until `stop` is called. */
export class WebhookSink implements BatchSink<Webhook, WebhookServices> {
  readonly settings: Webhook
  readonly filter: ActivityFilter
  readonly pagesMax = 1
  private readonly queue: DeliveryQueue
  private readonly events: WebhookEvents
  /** A latch that is open while there may be work to do. */
  private readonly wake = Latch.makeUnsafe(true)
  /** A latch that is open while the queue wants to read more of the log. */
  private readonly wantsEvents = Latch.makeUnsafe(false)
  /** True if the store may contain more undelivered events of the webhook than were loaded. */
  private readonly hasMoreHeld: boolean
  private isStopping = false
  /** The cause of the first attempt that ended in a defect, or null. */
  private defect: Cause.Cause<never> | null = null
  private storedPosition: EventPosition

  private constructor(webhook: Webhook, queue: DeliveryQueue, events: WebhookEvents, hasMoreHeld: boolean) {
    this.settings = webhook
    this.filter = events.filter
    this.queue = queue
    this.events = events
    this.hasMoreHeld = hasMoreHeld
    this.storedPosition = queue.progress.position
  }

  /** Loads the state of a webhook. Returns an empty option if the workspace does not exist. */
  static readonly load = Effect.fnUntraced(function* (webhook: Webhook) {
    const store = yield* WebhookStore
    const registry = yield* Registry
    const workspace = yield* registry.workspace(webhook.workspace)
    if (Option.isNone(workspace)) return Option.none<WebhookSink>()
    const { ordering, retry } = webhook
    const progress = yield* store.progress(webhook)
    const held = yield* store.held(webhook, heldEventsMax)
    const [newest] = (yield* store.attempts(webhook, null, newestAttempt)).items
    const lastStatus = newest?.status ?? null
    const queue = new DeliveryQueue({ ordering, retry, progress, held, lastStatus })
    const events = yield* webhookEvents(webhook, workspace.value)
    return Option.some(new WebhookSink(webhook, queue, events, held.length === heldEventsMax))
  })

  /**
   * Starts no more attempts. `run` ends after the attempts in progress are recorded. Attempts that wait for a
   * connection are not sent, and their events stay undelivered.
   */
  stop(): void {
    this.isStopping = true
    this.wake.openUnsafe()
  }

  get ready(): Effect.Effect<void> {
    return this.wantsEvents.await
  }

  readFrom(): Sequence | null {
    return lastCompleteEntry(this.queue.readFrom)
  }

  /** Every event up to the position was delivered or recorded as undelivered. */
  progress(): Progress {
    const { oldestReceivedAt, progress } = this.queue
    return { position: lastCompleteEntry(progress.position), oldestReceivedAt, failure: null }
  }

  /** Adds the events of a batch to the queue, from which `run` sends them. */
  readonly send = Effect.fnUntraced(function* (
    this: WebhookSink,
    batch: Batch,
  ): Effect.fn.Return<void, StoreUnavailable, RecordWriter> {
    const events = yield* this.events.eventsIn(batch)
    this.queue.admit(events, batch.to === null ? this.queue.readFrom : endOfEntry(batch.to))
    this.wantsEvents.closeUnsafe()
    this.wake.openUnsafe()
    const passed = this.queue.progress.position - this.storedPosition
    if (passed > unstoredEntriesMax * eventsPerEntryMax) yield* this.storePosition()
  })

  /**
   * Sends events until `stop` is called, or until more undelivered events must be loaded. Then waits for the attempts
   * in progress. If an attempt ends in a defect, starts no more attempts, waits for those in progress, and dies.
   */
  readonly run = Effect.fnUntraced(function* (
    this: WebhookSink,
  ): Effect.fn.Return<void, never, WebhookServices> {
    while (!this.mustEnd()) {
      this.wake.closeUnsafe()
      this.wantsEvents.closeUnsafe()
      const now = yield* Clock.currentTimeMillis
      const step: NextStep =
        this.isStopping || this.defect !== null ? { _tag: "Wait", until: null } : this.queue.next(now)
      switch (step._tag) {
        case "Send":
          yield* Effect.forkChild(
            Effect.catchCause(this.attempt(step.position), this.endDefect(step.position)),
          )
          break
        case "Hold":
          yield* this.record({ _tag: "Hold", event: step.held }, null)
          break
        case "Read":
          this.wantsEvents.openUnsafe()
          yield* this.wait(this.queue.earliestRetry(), now)
          break
        case "Wait":
          yield* this.wait(step.until, now)
          break
      }
    }
    yield* this.storePosition()
    if (this.defect !== null) return yield* Effect.failCause(this.defect)
  })

  private mustEnd(): boolean {
    const mustReload = this.hasMoreHeld && this.queue.heldEvents === 0
    return (this.isStopping || this.defect !== null || mustReload) && this.queue.attemptsInProgress === 0
  }

  /** Waits until there is work to do. If `until` is not null, waits until that time at the latest. */
  private wait(until: EpochMillis | null, now: EpochMillis): Effect.Effect<void> {
    if (until === null) return this.wake.await
    return Effect.asVoid(Effect.timeoutOption(this.wake.await, Math.max(0, until - now)))
  }

  private storePosition(): Effect.Effect<void, never, RecordWriter> {
    return this.queue.progress.position > this.storedPosition ? this.record(null, null) : Effect.void
  }

  private readonly attempt = Effect.fnUntraced(function* (this: WebhookSink, position: EventPosition) {
    const pools = yield* ConnectionPools
    const send = Effect.suspend((): Effect.Effect<Sent | "stopped" | null, never, Sender> =>
      this.isStopping ? Effect.succeed("stopped") : this.events.send(position),
    )
    const sent = yield* pools.use(this.queue.isUnproven, send)
    if (sent === "stopped") return this.release(position)
    const now = yield* Clock.currentTimeMillis
    const settled = this.queue.settle(position, resultOf(sent), now, yield* Random.next)
    const recorded =
      sent === null && !settled.wasHeld
        ? null
        : attemptOf(this.settings.workspace, settled, sent, position, now)
    const durationMs = sent?.delivered.durationMs ?? 0
    if (recorded !== null) yield* countAttempt(settled.status, durationMs)
    yield* this.record(heldChange(settled, position), recorded)
    this.release(position)
  })

  private release(position: EventPosition): void {
    this.queue.release(position)
    this.wake.openUnsafe()
  }

  private readonly endDefect =
    (position: EventPosition) =>
    (cause: Cause.Cause<never>): Effect.Effect<void> =>
      Effect.sync(() => {
        this.defect ??= cause
        this.release(position)
      })

  private readonly record = Effect.fnUntraced(function* (
    this: WebhookSink,
    held: HeldChange | null,
    attempt: Attempt | null,
  ) {
    const { webhookId, workspace } = this.settings
    const { progress } = this.queue
    const writer = yield* RecordWriter
    this.storedPosition = progress.position
    yield* writer.store({ workspace, webhookId, progress, held, attempt })
  })
}

const resultOf = (sent: Sent | null): AttemptResult => {
  if (sent === null) return { _tag: "Gone" }
  const { failure, retryAfterMs } = sent.delivered
  return failure === null ? { _tag: "Delivered" } : { _tag: "Failed", failure, retryAfterMs }
}

const heldChange = ({ held, wasHeld }: Settled, position: EventPosition): HeldChange | null => {
  if (held !== null) return { _tag: "Hold", event: held }
  return wasHeld ? { _tag: "Drop", position } : null
}

const attemptOf = (
  workspace: WorkspaceId,
  { nextAt, number, status }: Settled,
  sent: Sent | null,
  position: EventPosition,
  now: EpochMillis,
): Attempt => ({
  position,
  // The log entry of an erased event no longer contains the event's index in a batch, so the event's id is unknown.
  eventId: sent?.event.eventId ?? "",
  operationId:
    sent?.event.operationId ?? operationIdText(workspace, sequenceAt(position) ?? Sequence.make(1), null),
  number,
  at: now - (sent?.delivered.durationMs ?? 0),
  status,
  responseStatus: sent?.delivered.status ?? null,
  durationMs: sent?.delivered.durationMs ?? 0,
  responseExcerpt: sent?.delivered.excerpt ?? null,
  nextAt,
})
