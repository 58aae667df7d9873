import type { AuditRecord, NewAuditRecord } from "@inlethq/core/audit/AuditRecord"
import type { AuditLog } from "@inlethq/core/ports/AuditLog"
import { minuteMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Clock, Duration, Effect, Latch } from "effect"

/**
 * The largest number of different refusals of a minute that get a record of their own, and again as many of callers
 * without a token. Further ones share a record, so that nobody can fill the log.
 */
const refusalsPerMinuteMax = 20

/** The time that a refusal waits to be written, together with others. */
const writeAfter = Duration.seconds(1)

/** The time after which writing is tried again, if the store failed. */
const retryAfter = Duration.seconds(10)

/** The largest number of records of past minutes that wait for a store that fails. Of more, the oldest are lost. */
export const waitingRefusalsMax = 1000

interface Counted {
  readonly record: NewAuditRecord
  readonly at: EpochMillis
  count: number
  stored: AuditRecord | null
}

/** Refusals can be unlimited in number, so equal ones of a minute are one record with a count. */
export interface Refusals {
  /** Counts a refusal, which is written in the background. */
  count(record: NewAuditRecord): Effect.Effect<void>
}

export const makeRefusals = Effect.fnUntraced(function* (log: AuditLog["Service"]) {
  const wasRefused = yield* Latch.make(false)
  let minute = 0
  let current = new Map<string, Counted>()
  let past: ReadonlyArray<Counted> = []

  const store = Effect.fnUntraced(function* (refusal: Counted) {
    const { at, count, record, stored } = refusal
    if (stored === null) {
      refusal.stored = yield* log.append({ ...record, count }, at)
    } else if (stored.count < count) {
      const counted = { ...stored, count }
      yield* log.replace(counted)
      refusal.stored = counted
    }
  })
  const write = Effect.suspend(() => {
    const waiting = [...past, ...current.values()]
    return Effect.andThen(
      Effect.forEach(waiting, store, { discard: true }),
      Effect.sync(() => {
        const written = new Set(waiting)
        past = past.filter((refusal) => !written.has(refusal) || isUnwritten(refusal))
      }),
    )
  }).pipe(
    Effect.as(true),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("refused requests were not written to the audit log yet", cause), false),
    ),
  )

  const writeOnce = Effect.gen(function* () {
    yield* wasRefused.await
    yield* wasRefused.close
    yield* Effect.sleep(writeAfter)
    while (!(yield* write)) yield* Effect.sleep(retryAfter)
  })
  yield* Effect.forkScoped(Effect.forever(writeOnce))
  yield* Effect.addFinalizer(() => write)

  const countAt = (record: NewAuditRecord, now: EpochMillis): void => {
    const thisMinute = Math.floor(now / minuteMs)
    if (thisMinute !== minute) {
      minute = thisMinute
      past = [...past, ...current.values()].filter(isUnwritten).slice(-waitingRefusalsMax)
      current = new Map()
    }
    const sameKind = [...current.values()].filter((other) => isSameKind(other.record, record))
    const hasRoom = current.has(keyOf(record)) || sameKind.length < refusalsPerMinuteMax
    const kept = hasRoom ? record : restOf(record)
    const found = current.get(keyOf(kept))
    if (found === undefined) current.set(keyOf(kept), { record: kept, at: now, count: 1, stored: null })
    else found.count++
    wasRefused.openUnsafe()
  }

  return {
    count: (record) => Effect.map(Clock.currentTimeMillis, (now) => countAt(record, now)),
  } satisfies Refusals
})

const isUnwritten = ({ count, stored }: Counted): boolean => (stored?.count ?? 0) < count

const keyOf = ({ action, actor, address, details, workspace }: NewAuditRecord): string =>
  JSON.stringify([action, actor.id, workspace, address, details])

const isSameKind = (a: NewAuditRecord, b: NewAuditRecord): boolean =>
  (a.actor.kind === "unknown") === (b.actor.kind === "unknown")

/** Returns the record of the refusals that have none of their own. */
const restOf = (record: NewAuditRecord): NewAuditRecord => ({
  ...record,
  workspace: null,
  action: record.actor.kind === "unknown" ? "access.unknown_token" : "access.read",
  actor: { ...record.actor, id: null, name: null },
  target: null,
  details: { others: true },
  address: null,
  forwardedFor: null,
  userAgent: null,
})
