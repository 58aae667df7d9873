import { Catalog } from "@inlet/core/catalog/Catalog"
import { Registry } from "@inlet/core/ports/Registry"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { WebhookStore, type HeldChange } from "@inlet/core/ports/WebhookStore"
import { operationIdText, Sequence, type WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import type { Attempt } from "@inlet/core/webhook/Attempt"
import {
  DeliveryQueue,
  heldEventsMax,
  type AttemptResult,
  type NextStep,
  type Settled,
} from "@inlet/core/webhook/DeliveryQueue"
import {
  eventsPerEntryMax,
  lastCompleteEntry,
  sequenceAt,
  type EventPosition,
} from "@inlet/core/webhook/EventPosition"
import type { Webhook } from "@inlet/core/webhook/Webhook"
import { Cause, Clock, Effect, Latch, Option, Random, Schedule } from "effect"
import { ConnectionPools } from "./ConnectionPools.ts"
import { deliver, targetOf, type Delivered, type Target } from "./deliver.ts"
import { EventSource } from "./EventSource.ts"
import type { OutgoingEvent } from "./outgoingEvents.ts"
import { RecordWriter } from "./RecordWriter.ts"
import type { Sender } from "./Sender.ts"
import { countAttempt } from "./webhookMetrics.ts"

/**
 * The longest time, in milliseconds, that a webhook waits at the end of the log. The webhook then reads the log again,
 * because another node may have committed entries.
 */
const idleMs = 5000

/** The number of entries after which a webhook stores its position, even if it sends no event. */
const unstoredEntriesMax = 1000

/** The page request for the newest attempt of a webhook. */
const newestAttempt = { limit: 1, after: null, order: "desc" } as const

/** The pause after a failed read of the store. */
const unavailablePause = "1 second"

/**
 * The event's person may be erased during an attempt. After an attempt of at least this many milliseconds, the event is
 * read again, and the excerpt of the response is recorded only if the event has not changed.
 */
const lateAnswerMs = 1000

/** The services that a running webhook needs. */
export type RunnerServices = Catalog | ConnectionPools | RecordWriter | Sender

/** Sends the events of one webhook until `stop` is called. */
export class WebhookRunner {
  readonly webhook: Webhook
  private readonly target: Target
  private readonly queue: DeliveryQueue
  private readonly source: EventSource
  /** A latch that is open while there may be work to do. */
  private readonly wake = Latch.makeUnsafe(true)
  /** True if the store may contain more undelivered events of the webhook than were loaded. */
  private readonly hasMoreHeld: boolean
  private isStopping = false
  private caughtUp = false
  /** True if entries were committed since the last read began. */
  private isAnnounced = false
  private readAt: EpochMillis = 0
  /** The cause of the first attempt that ended in a defect, or null. */
  private defect: Cause.Cause<never> | null = null
  private storedPosition: EventPosition

  private constructor(
    webhook: Webhook,
    target: Target,
    queue: DeliveryQueue,
    source: EventSource,
    hasMoreHeld: boolean,
  ) {
    this.webhook = webhook
    this.target = target
    this.queue = queue
    this.source = source
    this.hasMoreHeld = hasMoreHeld
    this.storedPosition = queue.progress.position
  }

  /** Loads the state of a webhook. Returns an empty option if the workspace does not exist. */
  static readonly load = Effect.fnUntraced(function* (webhook: Webhook) {
    const store = yield* WebhookStore
    const registry = yield* Registry
    const catalog = yield* Catalog
    const workspace = yield* registry.workspace(webhook.workspace)
    if (Option.isNone(workspace)) return Option.none<WebhookRunner>()
    const { ordering, retry } = webhook
    const progress = yield* store.progress(webhook)
    const held = yield* store.held(webhook, heldEventsMax)
    const [newest] = (yield* store.attempts(webhook, null, newestAttempt)).items
    const lastStatus = newest?.status ?? null
    const queue = new DeliveryQueue({ ordering, retry, progress, held, lastStatus })
    const source = yield* EventSource.make(catalog, webhook, workspace.value)
    const target = yield* targetOf(webhook)
    return Option.some(new WebhookRunner(webhook, target, queue, source, held.length === heldEventsMax))
  })

  /**
   * Starts no more attempts. `run` ends after the attempts in progress are recorded. Attempts that wait for a
   * connection are not sent, and their events stay undelivered.
   */
  stop(): void {
    this.isStopping = true
    this.wake.openUnsafe()
  }

  /** Tells the webhook that entries were committed. */
  announce(): void {
    this.isAnnounced = true
    if (!this.caughtUp) return
    this.caughtUp = false
    this.wake.openUnsafe()
  }

  /**
   * Returns how far the webhook is behind the log. Every event up to `position` in the log was delivered or recorded as
   * undelivered. `ageMs` is the age of the oldest event that was read from the log and still waits for its delivery, or
   * 0 if no event waits.
   */
  lag(now: EpochMillis): { readonly position: Sequence | null; readonly ageMs: number } {
    const oldest = this.queue.oldestReceivedAt
    return {
      position: lastCompleteEntry(this.queue.progress.position),
      ageMs: oldest === null ? 0 : Math.max(0, now - oldest),
    }
  }

  /**
   * Sends events until `stop` is called, or until more undelivered events must be loaded. Then waits for the attempts
   * in progress. If an attempt ends in a defect, starts no more attempts, waits for those in progress, and dies.
   */
  readonly run = Effect.fnUntraced(function* (
    this: WebhookRunner,
  ): Effect.fn.Return<void, never, RunnerServices> {
    while (!this.mustEnd()) {
      this.wake.closeUnsafe()
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
          yield* this.caughtUp ? this.waitForEntries(now) : this.read(now)
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

  private waitForEntries(now: EpochMillis): Effect.Effect<void> {
    const readAgainAt = this.readAt + idleMs
    if (readAgainAt <= now) this.caughtUp = false
    return this.wait(Math.min(this.queue.earliestRetry() ?? readAgainAt, readAgainAt), now)
  }

  /** Waits until there is work to do. If `until` is not null, waits until that time at the latest. */
  private wait(until: EpochMillis | null, now: EpochMillis): Effect.Effect<void> {
    if (until === null) return this.wake.await
    return Effect.asVoid(Effect.timeoutOption(this.wake.await, Math.max(0, until - now)))
  }

  private readonly read = Effect.fnUntraced(
    function* (this: WebhookRunner, now: EpochMillis) {
      this.isAnnounced = false
      const { caughtUp, events, readTo } = yield* this.source.after(this.queue.readFrom, now)
      this.queue.admit(events, readTo)
      this.readAt = now
      this.caughtUp = caughtUp && !this.isAnnounced
      const passed = this.queue.progress.position - this.storedPosition
      if (passed > unstoredEntriesMax * eventsPerEntryMax) yield* this.storePosition()
    },
    Effect.catch((error) => unavailable("the log of a webhook could not be read", error)),
  )

  private storePosition(): Effect.Effect<void, never, RecordWriter> {
    return this.queue.progress.position > this.storedPosition ? this.record(null, null) : Effect.void
  }

  private readonly attempt = Effect.fnUntraced(function* (this: WebhookRunner, position: EventPosition) {
    const pools = yield* ConnectionPools
    const sent = yield* pools.use(this.queue.isUnproven, this.sendUnlessStopped(position))
    if (sent === "stopped") return this.release(position)
    const now = yield* Clock.currentTimeMillis
    const settled = this.queue.settle(position, resultOf(sent), now, yield* Random.next)
    const recorded =
      sent === null && !settled.wasHeld
        ? null
        : attemptOf(this.webhook.workspace, settled, sent, position, now)
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

  private readonly sendUnlessStopped = Effect.fnUntraced(function* (
    this: WebhookRunner,
    position: EventPosition,
  ) {
    return this.isStopping ? "stopped" : yield* this.send(position)
  })

  /** Sends the current version of an event. Returns null if the event no longer exists. */
  private readonly send = Effect.fnUntraced(function* (this: WebhookRunner, position: EventPosition) {
    const event = yield* this.current(position)
    if (event === undefined) return null
    const delivered = yield* deliver(this.target, event)
    if (delivered.excerpt === null || delivered.durationMs < lateAnswerMs) return { event, delivered }
    const after = yield* this.current(position)
    return { event, delivered: after?.body === event.body ? delivered : { ...delivered, excerpt: null } }
  })

  private readonly current = Effect.fnUntraced(function* (this: WebhookRunner, position: EventPosition) {
    const now = yield* Clock.currentTimeMillis
    return yield* this.source.at(position, now).pipe(
      Effect.tapError((error) => Effect.logWarning("an event of a webhook could not be read", error)),
      Effect.retry(Schedule.spaced(unavailablePause)),
      Effect.orDie,
    )
  })

  private readonly record = Effect.fnUntraced(function* (
    this: WebhookRunner,
    held: HeldChange | null,
    attempt: Attempt | null,
  ) {
    const { webhookId, workspace } = this.webhook
    const { progress } = this.queue
    const writer = yield* RecordWriter
    this.storedPosition = progress.position
    yield* writer.store({ workspace, webhookId, progress, held, attempt })
  })
}

/** A sent event and its result. */
interface Sent {
  readonly event: OutgoingEvent
  readonly delivered: Delivered
}

const unavailable = (message: string, error: StoreUnavailable): Effect.Effect<void> =>
  Effect.andThen(Effect.logWarning(message, error), Effect.sleep(unavailablePause))

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
