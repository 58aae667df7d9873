import { WebhookStore, type WebhookRecord } from "@inlethq/core/ports/WebhookStore"
import { Context, Deferred, Effect, Latch, Layer, Schedule } from "effect"

/** The largest number of records that one transaction stores. */
const recordsPerWriteMax = 500

/** The pause after a failed write of attempt records. */
const retryPause = "1 second"

interface WaitingRecord {
  readonly record: WebhookRecord
  /** Done once the record is stored. Null if nobody waits for it. */
  readonly stored: Deferred.Deferred<void> | null
}

/**
 * Stores the records of attempts. All records that arrive during one write share the next write. Therefore the number
 * of transactions does not grow with the number of attempts. The number of waiting records is limited, because each
 * belongs to an attempt in progress.
 */
export class RecordWriter extends Context.Service<
  RecordWriter,
  {
    /** Stores records in their order. Retries until they were stored. */
    store(records: ReadonlyArray<WebhookRecord>): Effect.Effect<void>
  }
>()("@inlethq/outbound/sending/RecordWriter") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const arrival = yield* Latch.make(false)
      let waiting: Array<WaitingRecord> = []

      const writeNext = Effect.gen(function* () {
        yield* arrival.await
        // This fiber yields once, so that the records of all attempts that have ended share this write.
        yield* Effect.yieldNow
        const batch = waiting.slice(0, recordsPerWriteMax)
        waiting = waiting.slice(recordsPerWriteMax)
        // No effect may run between this check and `closeUnsafe`. Otherwise, a record could arrive in between, and
        // nothing would wake the writer.
        if (waiting.length === 0) arrival.closeUnsafe()
        yield* store.record(batch.map(({ record }) => record)).pipe(
          Effect.tapCause((cause) => Effect.logWarning("attempts of webhooks could not be recorded", cause)),
          Effect.sandbox,
          Effect.retry(Schedule.spaced(retryPause)),
        )
        for (const { stored } of batch) if (stored !== null) yield* Deferred.succeed(stored, undefined)
      })

      yield* Effect.forkScoped(Effect.forever(writeNext))
      return RecordWriter.of({
        store: Effect.fnUntraced(function* (records) {
          const stored = yield* Deferred.make<void>()
          const last = records.length - 1
          for (const [i, record] of records.entries()) {
            waiting.push({ record, stored: i === last ? stored : null })
          }
          yield* arrival.open
          yield* Deferred.await(stored)
        }),
      })
    }),
  )
}
