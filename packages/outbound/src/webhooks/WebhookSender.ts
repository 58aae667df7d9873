import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { LogSummaries } from "@inlethq/core/ports/LogSummaries"
import type { Registry } from "@inlethq/core/ports/Registry"
import { WebhookStore, type HeldChange } from "@inlethq/core/ports/WebhookStore"
import { operationIdText, Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Attempt } from "@inlethq/core/webhook/Attempt"
import {
  DeliveryQueue,
  heldEventsMax,
  type AttemptResult,
  type FreshEvent,
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
import type { HeldEvent } from "@inlethq/core/webhook/HeldEvent"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Cause, Clock, Effect, Latch, Random } from "effect"
import type { Progress } from "../follower/Destination.ts"
import { ConnectionPools } from "./ConnectionPools.ts"
import { RecordWriter } from "./RecordWriter.ts"
import type { SecretBox } from "../SecretBox.ts"
import type { Sender } from "./Sender.ts"
import type { Sending, Sent } from "./sendingOf.ts"
import { countAttempt } from "./webhookMetrics.ts"

/** The number of entries after which a webhook stores its position, even if it sends no event. */
const unstoredEntriesMax = 1000

/** The page request for the newest attempt of a webhook. */
const newestAttempt = { limit: 1, after: null, order: "desc" } as const

/** The services that webhooks need. */
export type WebhookServices =
  | Catalog
  | ConnectionPools
  | LogCursors
  | LogSummaries
  | RecordWriter
  | Registry
  | SecretBox
  | Sender
  | WebhookStore

/** Sends the events of one webhook until `stop` is called. What reads the log admits them. */
export class WebhookSender {
  readonly settings: Webhook
  private readonly queue: DeliveryQueue
  private readonly sending: Pick<Sending, "send">
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

  private constructor(
    webhook: Webhook,
    queue: DeliveryQueue,
    sending: Pick<Sending, "send">,
    hasMoreHeld: boolean,
  ) {
    this.settings = webhook
    this.queue = queue
    this.sending = sending
    this.hasMoreHeld = hasMoreHeld
    this.storedPosition = queue.progress.position
  }

  /** Loads the state of a webhook. */
  static readonly load = Effect.fnUntraced(function* (webhook: Webhook, sending: Pick<Sending, "send">) {
    const store = yield* WebhookStore
    const { ordering, retry } = webhook
    const progress = yield* store.progress(webhook)
    const held = yield* store.held(webhook, heldEventsMax)
    const [newest] = (yield* store.attempts(webhook, null, newestAttempt)).items
    const lastStatus = newest?.status ?? null
    const queue = new DeliveryQueue({ ordering, retry, progress, held, lastStatus })
    return new WebhookSender(webhook, queue, sending, held.length === heldEventsMax)
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

  /** How many more events may be stored to be sent later. */
  get heldRoom(): number {
    return Math.max(0, heldEventsMax - this.queue.heldEvents)
  }

  /** Every event up to the position was delivered or recorded as undelivered. */
  progress(): Progress {
    const { oldestReceivedAt, progress } = this.queue
    return { position: lastCompleteEntry(progress.position), oldestReceivedAt, failure: null }
  }

  /** Adds the events of the log up to an entry to the queue, from which `run` sends them. */
  readonly admit = Effect.fnUntraced(function* (
    this: WebhookSender,
    events: ReadonlyArray<FreshEvent>,
    to: Sequence | null,
  ): Effect.fn.Return<void, never, RecordWriter> {
    this.queue.admit(events, to === null ? this.queue.readFrom : endOfEntry(to))
    this.wantsEvents.closeUnsafe()
    this.wake.openUnsafe()
    const passed = this.queue.progress.position - this.storedPosition
    if (passed > unstoredEntriesMax * eventsPerEntryMax) yield* this.storePosition()
  })

  /** Stores an event of an entry that was read before, and sends it now. */
  readonly hold = Effect.fnUntraced(function* (this: WebhookSender, event: HeldEvent) {
    yield* this.record({ _tag: "Hold", event }, null)
    this.queue.admitHeld(event)
    this.wake.openUnsafe()
  })

  /**
   * Sends events until `stop` is called, or until more undelivered events must be loaded. Then waits for the attempts
   * in progress. If an attempt ends in a defect, starts no more attempts, waits for those in progress, and dies.
   */
  readonly run = Effect.fnUntraced(function* (
    this: WebhookSender,
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

  private readonly attempt = Effect.fnUntraced(function* (this: WebhookSender, position: EventPosition) {
    const pools = yield* ConnectionPools
    const send = Effect.suspend((): Effect.Effect<Sent | "stopped" | null, never, Sender> =>
      this.isStopping ? Effect.succeed("stopped") : this.sending.send(position),
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
    this: WebhookSender,
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
