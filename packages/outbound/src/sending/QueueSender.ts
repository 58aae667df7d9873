import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import {
  WebhookStore,
  type HeldChange,
  type WebhookKey,
  type WebhookRecord,
} from "@inlethq/core/ports/WebhookStore"
import { operationIdText, Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Attempt, AttemptStatus } from "@inlethq/core/webhook/Attempt"
import {
  DeliveryQueue,
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
import type { DeliveryRetry, WebhookOrdering } from "@inlethq/core/webhook/Webhook"
import { Cause, Clock, Effect, Latch, Random } from "effect"
import type { HeldEvent } from "@inlethq/core/webhook/HeldEvent"
import type { Progress } from "../follower/Destination.ts"
import { ConnectionPools } from "./ConnectionPools.ts"
import { RecordWriter } from "./RecordWriter.ts"
import type { Delivered } from "./Delivered.ts"

/** The number of entries after which a position is stored, even if no event was sent. */
const unstoredEntriesMax = 1000

/** The milliseconds after which a position is stored, even if no event was sent. It says how many entries wait. */
const unstoredMs = 1000

/** The page request for the newest attempt. */
const newestAttempt = { limit: 1, after: null, order: "desc" } as const

/** An event that was sent, and what came of it. */
export interface SentEvent {
  readonly eventId: string
  readonly operationId: string
  readonly delivered: Delivered
  readonly result: AttemptResult
}

/** How the events of one receiver are sent. */
export interface Transport<R> {
  /** The most events of one request. More than one needs strict ordering. */
  readonly eventsMax: number
  /** Sends events in one request, in order. Says of each what came of it, or null if it no longer exists. */
  send(positions: ReadonlyArray<EventPosition>): Effect.Effect<ReadonlyArray<SentEvent | null>, never, R>
  /** Counts an attempt in the metrics. */
  count(status: AttemptStatus, durationMs: number): Effect.Effect<void>
}

/** A webhook or a forward, as far as its order and its retries go. */
interface Receiver {
  readonly key: WebhookKey
  readonly ordering: WebhookOrdering
  readonly retry: DeliveryRetry
  /** The most undelivered events that are loaded at once. */
  readonly heldMax: number
}

type SenderServices = ConnectionPools | RecordWriter | WebhookStore

/** Sends the events of one webhook or forward until `stop` is called. What reads the log admits them. */
export class QueueSender<R> {
  private readonly key: WebhookKey
  private readonly queue: DeliveryQueue
  private readonly transport: Transport<R>
  /** A latch that is open while there may be work to do. */
  private readonly wake = Latch.makeUnsafe(true)
  /** A latch that is open while the queue wants to read more of the log. */
  private readonly wantsEvents = Latch.makeUnsafe(false)
  /** True if the store may contain more undelivered events than were loaded. */
  private readonly hasMoreHeld: boolean
  private isStopping = false
  /** The cause of the first attempt that ended in a defect, or null. */
  private defect: Cause.Cause<never> | null = null
  private storedPosition: EventPosition
  /** Since when the stored position is behind, or null if it is not. */
  private unstoredSince: EpochMillis | null = null

  private readonly heldMax: number

  private constructor(
    { heldMax, key }: Receiver,
    queue: DeliveryQueue,
    transport: Transport<R>,
    hasMoreHeld: boolean,
  ) {
    this.heldMax = heldMax
    this.key = key
    this.queue = queue
    this.transport = transport
    this.hasMoreHeld = hasMoreHeld
    this.storedPosition = queue.progress.position
  }

  /** Loads what is stored of a receiver. */
  static load<R>(
    receiver: Receiver,
    transport: Transport<R>,
  ): Effect.Effect<QueueSender<R>, StoreUnavailable, WebhookStore> {
    return Effect.gen(function* () {
      const { heldMax, key, ordering, retry } = receiver
      const store = yield* WebhookStore
      const progress = yield* store.progress(key)
      const held = yield* store.held(key, heldMax)
      const [newest] = (yield* store.attempts(key, null, newestAttempt)).items
      const lastStatus = newest?.status ?? null
      const queue = new DeliveryQueue({ ordering, retry, progress, held, lastStatus })
      return new QueueSender(receiver, queue, transport, held.length === heldMax)
    })
  }

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

  /** Adds the events of the log up to an entry to the queue, from which `run` sends them. */
  readonly admit = Effect.fnUntraced(function* (
    this: QueueSender<R>,
    events: ReadonlyArray<FreshEvent>,
    to: Sequence | null,
  ): Effect.fn.Return<void, never, RecordWriter> {
    this.queue.admit(events, to === null ? this.queue.readFrom : endOfEntry(to))
    this.wantsEvents.closeUnsafe()
    this.wake.openUnsafe()
    const passed = this.queue.progress.position - this.storedPosition
    if (passed > unstoredEntriesMax * eventsPerEntryMax) yield* this.storePosition()
  })

  /** How many more events may be stored to be sent later. */
  get heldRoom(): number {
    return Math.max(0, this.heldMax - this.queue.heldEvents)
  }

  /** Stores an event of an entry that was read before, and sends it now. */
  readonly hold = Effect.fnUntraced(function* (this: QueueSender<R>, event: HeldEvent) {
    yield* this.record({ _tag: "Hold", event }, null)
    this.queue.admitHeld(event)
    this.wake.openUnsafe()
  })

  /**
   * Sends events until `stop` is called, or until more undelivered events must be loaded. Then waits for the attempts
   * in progress. If an attempt ends in a defect, starts no more attempts, waits for those in progress, and dies.
   */
  readonly run = Effect.fnUntraced(function* (
    this: QueueSender<R>,
  ): Effect.fn.Return<void, never, R | SenderServices> {
    while (!this.mustEnd()) {
      this.wake.closeUnsafe()
      this.wantsEvents.closeUnsafe()
      const now = yield* Clock.currentTimeMillis
      const step: NextStep =
        this.isStopping || this.defect !== null ? { _tag: "Wait", until: null } : this.queue.next(now)
      switch (step._tag) {
        case "Send": {
          const others = this.queue.join(now, this.transport.eventsMax - 1)
          const positions = [step.position, ...others].toSorted((a, b) => a - b)
          yield* Effect.forkChild(Effect.catchCause(this.attempt(positions), this.endDefect(positions)))
          break
        }
        case "Hold":
          yield* this.record({ _tag: "Hold", event: step.held }, null)
          break
        case "Read":
          this.wantsEvents.openUnsafe()
          yield* this.storeOldPosition(now)
          yield* this.wait(earlier(this.queue.earliestRetry(), this.storeAt()), now)
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

  /** Stores the position if it has been behind for long. Most are stored with what was sent. */
  private storeOldPosition(now: EpochMillis): Effect.Effect<void, never, RecordWriter> {
    if (this.queue.progress.position <= this.storedPosition) this.unstoredSince = null
    else this.unstoredSince ??= now
    const at = this.storeAt()
    if (at === null || at > now) return Effect.void
    this.unstoredSince = null
    return this.storePosition()
  }

  private storeAt(): EpochMillis | null {
    return this.unstoredSince === null ? null : this.unstoredSince + unstoredMs
  }

  private storePosition(): Effect.Effect<void, never, RecordWriter> {
    return this.queue.progress.position > this.storedPosition ? this.record(null, null) : Effect.void
  }

  private readonly attempt = Effect.fnUntraced(function* (
    this: QueueSender<R>,
    positions: ReadonlyArray<EventPosition>,
  ) {
    const pools = yield* ConnectionPools
    const send = Effect.suspend((): Effect.Effect<ReadonlyArray<SentEvent | null> | "stopped", never, R> =>
      this.isStopping ? Effect.succeed("stopped") : this.transport.send(positions),
    )
    const sent = yield* pools.use(this.queue.isUnproven, send)
    if (sent === "stopped") return this.release(positions)
    const now = yield* Clock.currentTimeMillis
    // Events that failed together are sent again together.
    const jitter = yield* Random.next
    // Until the last of these records is stored, the progress is that of before, so that a crash forgets none.
    const before = this.queue.progress
    const records = positions.map((position, i): Omit<WebhookRecord, "progress"> => {
      const event = sent[i] ?? null
      const settled = this.queue.settle(position, event?.result ?? { _tag: "Gone" }, now, jitter)
      const isRecorded = event !== null || settled.wasHeld
      const attempt = isRecorded ? attemptOf(this.key.workspace, settled, event, position, now) : null
      return { ...this.key, held: heldChange(settled, position), attempt }
    })
    const { progress } = this.queue
    this.storedPosition = progress.position
    const last = records.length - 1
    const writer = yield* RecordWriter
    yield* writer.store(records.map((record, i) => ({ ...record, progress: i === last ? progress : before })))
    for (const { attempt } of records) {
      if (attempt !== null) yield* this.transport.count(attempt.status, attempt.durationMs)
    }
    this.release(positions)
  })

  private release(positions: ReadonlyArray<EventPosition>): void {
    for (const position of positions) this.queue.release(position)
    this.wake.openUnsafe()
  }

  private readonly endDefect =
    (positions: ReadonlyArray<EventPosition>) =>
    (cause: Cause.Cause<never>): Effect.Effect<void> =>
      Effect.sync(() => {
        this.defect ??= cause
        this.release(positions)
      })

  private readonly record = Effect.fnUntraced(function* (
    this: QueueSender<R>,
    held: HeldChange | null,
    attempt: Attempt | null,
  ) {
    const { progress } = this.queue
    const writer = yield* RecordWriter
    this.storedPosition = progress.position
    yield* writer.store([{ ...this.key, progress, held, attempt }])
  })
}

const earlier = (a: EpochMillis | null, b: EpochMillis | null): EpochMillis | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

const heldChange = ({ held, wasHeld }: Settled, position: EventPosition): HeldChange | null => {
  if (held !== null) return { _tag: "Hold", event: held }
  return wasHeld ? { _tag: "Drop", position } : null
}

const attemptOf = (
  workspace: WorkspaceId,
  { nextAt, number, status }: Settled,
  sent: SentEvent | null,
  position: EventPosition,
  now: EpochMillis,
): Attempt => ({
  position,
  // The log entry of an erased event no longer contains the event's index in a batch, so the event's id is unknown.
  eventId: sent?.eventId ?? "",
  operationId:
    sent?.operationId ?? operationIdText(workspace, sequenceAt(position) ?? Sequence.make(1), null),
  number,
  at: now - (sent?.delivered.durationMs ?? 0),
  status,
  responseStatus: sent?.delivered.status ?? null,
  durationMs: sent?.delivered.durationMs ?? 0,
  responseExcerpt: sent?.delivered.excerpt ?? null,
  nextAt,
})
