import { Catalog, noFilter } from "@inlet/core/catalog/Catalog"
import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import { Turns } from "@inlet/core/catalog/ReadTurns"
import type { Slices } from "@inlet/core/Slices"
import { Ingest } from "@inlet/core/engine/Ingest"
import { LogCursors } from "@inlet/core/ports/LogCursors"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { Effect, PubSub, Random, type Semaphore } from "effect"
import { kafkaCursor } from "./kafkaCursor.ts"
import type { KafkaFailed } from "./kafkaError.ts"
import { kafkaMessage } from "./kafkaMessage.ts"
import { countFailure, countSent } from "./kafkaMetrics.ts"
import { KafkaSender, type KafkaMessage } from "./KafkaSender.ts"

/**
 * The copy to Kafka reads the log page by page until a batch has this many messages or `batchBytesMax` bytes. The last
 * page can exceed both limits.
 */
const batchMessagesMax = 1000
const batchBytesMax = 256 * 1024

/**
 * The largest number of bytes of one request to a broker. Brokers accept 1 MiB by default. A larger message is sent
 * alone.
 */
const requestBytesMax = 512 * 1024

/** The number of messages that are encoded before other work may use the thread. */
const messagesPerSlice = 20

/**
 * A feed copies the log of one workspace to Kafka. At the end of the log, the feed waits at most this long for a commit,
 * and then reads the log again, because another node may have committed entries.
 */
const idleInterval = "5 seconds"

/**
 * The pause between a commit and the read of its entries. The pause lets one batch contain the entries of many small
 * commits.
 */
const gatherInterval = "20 millis"

/**
 * The longest first wait after a failure. This upper bound doubles for each later wait, up to `retryMsMax`. Each wait
 * is a random time between half of its upper bound and its upper bound.
 */
const firstRetryMs = 500

/** The longest wait of a feed between two attempts to send entries. */
const retryMsMax = 30_000

/** The services that the copy of an activity log to Kafka needs. */
export type FeedServices = Catalog | Ingest | LogCursors | KafkaSender

/** Entries that were read from the log, as Kafka messages. */
interface Batch {
  readonly messages: ReadonlyArray<KafkaMessage>
  readonly oldestReceivedAt: EpochMillis | null
  readonly readTo: Sequence | null
  readonly caughtUp: boolean
}

/**
 * Copies the activity log of one workspace to a Kafka topic, in order. `position` is the last entry that Kafka has
 * stored.
 */
export class KafkaFeed {
  readonly workspace: WorkspaceId
  readonly topic: string
  position: Sequence | null = null
  /**
   * The receipt time of the oldest entry that was read but not yet stored by Kafka. It is null if Kafka has stored all
   * entries that were read.
   */
  oldestReceivedAt: EpochMillis | null = null
  /** The reason why the last batch could not be copied, or null if the last batch was copied. */
  failure: string | null = null
  private readonly permits: Semaphore.Semaphore
  private isPrepared = false
  private failures = 0

  /** `permits` limits how many feeds (copies of single workspaces to Kafka) hold a batch in memory at the same time. */
  constructor(workspace: WorkspaceId, topic: string, permits: Semaphore.Semaphore) {
    this.workspace = workspace
    this.topic = topic
    this.permits = permits
  }

  /** Copies entries until the fiber is interrupted. */
  readonly run = Effect.fnUntraced(function* (this: KafkaFeed): Effect.fn.Return<never, never, FeedServices> {
    const ingest = yield* Ingest
    const copy = Effect.gen({ self: this }, function* () {
      // Subscribes before the first read of the log. Otherwise, a commit between the read and the subscription would be
      // missed.
      const commits = yield* ingest.commits(this.workspace)
      for (;;) {
        const caughtUp = yield* this.permits
          .withPermits(1)(this.copyBatch())
          .pipe(
            Effect.tap(() => Effect.sync(() => this.succeeded())),
            Effect.catch((error) => Effect.as(this.failed(error), false)),
          )
        if (!caughtUp) continue
        yield* Effect.timeoutOption(PubSub.take(commits), idleInterval)
        yield* Effect.sleep(gatherInterval)
      }
    })
    return yield* Effect.scoped(copy)
  })

  /** Reads the next entries and sends them. Returns whether the log has no more entries. */
  private readonly copyBatch = Effect.fnUntraced(function* (
    this: KafkaFeed,
  ): Effect.fn.Return<boolean, KafkaFailed | StoreUnavailable, FeedServices> {
    const cursors = yield* LogCursors
    const sender = yield* KafkaSender
    this.position ??= yield* cursors.position(kafkaCursor(this.workspace))
    const { caughtUp, messages, oldestReceivedAt, readTo } = yield* this.read(this.position)
    this.oldestReceivedAt = oldestReceivedAt
    if (messages.length > 0 && !this.isPrepared) {
      yield* sender.prepare(this.topic)
      this.isPrepared = true
    }
    for (const request of requestsOf(messages)) yield* sender.send(this.topic, request)
    yield* countSent(messages.length)
    this.oldestReceivedAt = null
    if (readTo !== null && readTo !== this.position) {
      yield* cursors.advance(kafkaCursor(this.workspace), readTo, null)
      this.position = readTo
    }
    return caughtUp
  })

  private readonly read = Effect.fnUntraced(function* (
    this: KafkaFeed,
    after: Sequence | null,
  ): Effect.fn.Return<Batch, StoreUnavailable, Catalog> {
    const catalog = yield* Catalog
    const turns = yield* Turns
    const messages: Array<KafkaMessage> = []
    let oldestReceivedAt: EpochMillis | null = null
    let readTo = after
    let bytes = 0
    for (;;) {
      const page = yield* catalog.follow(this.workspace, noFilter, readTo)
      const added = yield* turns.work(() => messagesOf(this.topic, page.items))
      oldestReceivedAt ??= page.items[0]?.entry.receivedAt ?? null
      readTo = page.readTo ?? readTo
      for (const message of added) bytes += message.value.length
      messages.push(...added)
      const isFull = messages.length >= batchMessagesMax || bytes >= batchBytesMax
      if (page.caughtUp || isFull) return { messages, oldestReceivedAt, readTo, caughtUp: page.caughtUp }
    }
  })

  private succeeded(): void {
    this.failure = null
    this.failures = 0
  }

  /**
   * Records that a batch could not be read or sent, and waits before the next attempt. Logs the reason only if it
   * differs from the reason of the previous failure.
   */
  private readonly failed = Effect.fnUntraced(function* (
    this: KafkaFeed,
    { message }: KafkaFailed | StoreUnavailable,
  ) {
    yield* countFailure
    if (message !== this.failure) {
      const { topic, workspace } = this
      yield* Effect.logWarning("activity cannot be copied to Kafka", { workspace, topic, reason: message })
    }
    this.failure = message
    this.isPrepared = false
    const wait = Math.min(firstRetryMs * 2 ** Math.min(this.failures, 20), retryMsMax)
    this.failures++
    yield* Effect.sleep(wait * (0.5 + 0.5 * (yield* Random.next)))
  })
}

function* messagesOf(
  topic: string,
  records: ReadonlyArray<ActivityRecord>,
): Slices<ReadonlyArray<KafkaMessage>> {
  const messages: Array<KafkaMessage> = []
  for (const record of records) {
    messages.push(kafkaMessage(topic, record))
    if (messages.length % messagesPerSlice === 0) yield
  }
  return messages
}

/** Splits messages into requests that are small enough for a broker. */
const requestsOf = (messages: ReadonlyArray<KafkaMessage>): ReadonlyArray<ReadonlyArray<KafkaMessage>> => {
  const requests: Array<Array<KafkaMessage>> = []
  let bytes = Number.POSITIVE_INFINITY
  for (const message of messages) {
    const size = Buffer.byteLength(message.value)
    bytes += size
    if (bytes <= requestBytesMax) {
      requests.at(-1)?.push(message)
      continue
    }
    requests.push([message])
    bytes = size
  }
  return requests
}
