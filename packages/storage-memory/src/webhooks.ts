import { Effect, Layer, Option } from "effect"
import { ChangedMeanwhile } from "@inlethq/core/ports/ChangedMeanwhile"
import {
  WebhookStore,
  attemptsKeptMax,
  TooManyWebhooks,
  webhooksPerWorkspaceMax,
  type SendAgain,
  type WebhookKey,
  type WebhookRecord,
} from "@inlethq/core/ports/WebhookStore"
import type { Digest } from "@inlethq/core/ports/Digest"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import {
  AttemptKey,
  attemptRetentionMs,
  firstTriesKept,
  isFirstTry,
  skippedAttempt,
  type Attempt,
} from "@inlethq/core/webhook/Attempt"
import type { DeliveryProgress } from "@inlethq/core/webhook/DeliveryQueue"
import { EventPosition } from "@inlethq/core/webhook/EventPosition"
import type { Forward } from "@inlethq/core/forward/Forward"
import { retriedForMs } from "@inlethq/core/webhook/retryWait"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { MemoryState } from "./MemoryState.ts"
import { sentAgain, type HeldEvent } from "@inlethq/core/webhook/HeldEvent"
import { MemoryAccess, type WebhookRecords, type WebhooksImage } from "./MemoryImage.ts"

export const nameOf = ({ webhookId, workspace }: WebhookKey): string => `${workspace}:${webhookId}`

/** Stores webhooks in memory. Tests compare the other stores with this store. */
export const layer: Layer.Layer<WebhookStore, never, Digest> = Layer.effect(
  WebhookStore,
  Effect.gen(function* () {
    const { webhooks: all } = yield* MemoryState
    const { initial, webhooksOpened } = yield* MemoryAccess
    for (const [name, records] of copied(initial?.webhooks ?? new Map())) all.set(name, records)
    webhooksOpened(() => copied(all))
    return makeWebhooks(all)
  }),
).pipe(Layer.provide(MemoryState.layer))

const copied = (all: WebhooksImage): Map<string, WebhookRecords> =>
  new Map(
    Array.from(all, ([name, records]) => [
      name,
      {
        ...records,
        held: new Map(records.held),
        names: new Map(records.names),
        attempts: [...records.attempts],
      },
    ]),
  )

const makeWebhooks = (all: Map<string, WebhookRecords>): WebhookStore["Service"] => {
  const at = (key: WebhookKey) => all.get(nameOf(key))
  const webhooks = () =>
    [...all.values()]
      .map(({ webhook }) => webhook)
      .filter(isWebhook)
      .toSorted((a, b) => a.createdAt - b.createdAt)
  return WebhookStore.of({
    all: Effect.sync(webhooks),
    webhooks: (workspace) =>
      Effect.sync(() => webhooks().filter((webhook) => webhook.workspace === workspace)),
    webhook: (key) => Effect.sync(() => Option.filter(Option.fromUndefinedOr(at(key)?.webhook), isWebhook)),
    create: (webhook, position) =>
      Effect.suspend(() => {
        const own = webhooks().filter(({ workspace }) => workspace === webhook.workspace)
        if (own.length >= webhooksPerWorkspaceMax) return Effect.fail(new TooManyWebhooks())
        all.set(nameOf(webhook), newRecords(webhook, position))
        return Effect.void
      }),
    update: (before, after) =>
      Effect.suspend(() => {
        const records = at(before)
        if (records?.webhook.updatedAt !== before.updatedAt) return Effect.fail(new ChangedMeanwhile())
        records.webhook = after
        return Effect.void
      }),
    remove: (key) => Effect.sync(() => all.delete(nameOf(key))),
    progress: (key) => Effect.sync(() => at(key)?.progress ?? start),
    held: (key, limit) => Effect.sync(() => retriedEvents(at(key)).slice(0, limit)),
    record: (records) => Effect.sync(() => records.forEach((record) => applyRecord(at(record), record))),
    attempts: (key, status, { after, limit, order }) =>
      Effect.sync(() => {
        const kept = (at(key)?.attempts ?? []).filter(
          (attempt) => status === null || attempt.status === status,
        )
        const sorted = order === "asc" ? kept : kept.toReversed()
        const isAfter = (n: number) => after === null || (order === "asc" ? n > after : n < after)
        const rest = sorted.filter((attempt) => isAfter(attempt.key))
        const items = rest.slice(0, limit)
        return { items, next: rest.length > limit ? (items.at(-1)?.key ?? null) : null }
      }),
    attempt: (key, attempt) =>
      Effect.sync(() => Option.fromUndefinedOr(at(key)?.attempts.find((one) => one.key === attempt))),
    newestAt: (key, position) =>
      Effect.sync(() =>
        Option.fromUndefinedOr(at(key)?.attempts.findLast((one) => one.position === position)),
      ),
    skip: (key, attempt, now) => Effect.sync(() => skip(at(key), attempt, now)),
    sendAgain: (key, event) => Effect.sync(() => sendAgain(at(key), event)),
    recover: (key, since, now) => Effect.sync(() => recover(at(key), since, now)),
    prune: (now) =>
      Effect.sync(() => {
        for (const records of all.values()) prune(records, now)
        return true
      }),
  })
}

const isWebhook = (one: Webhook | Forward): one is Webhook => "webhookId" in one

/** Returns the records of a webhook or forward that begins after a position. */
export const newRecords = (webhook: Webhook | Forward, position: EventPosition): WebhookRecords => ({
  webhook,
  progress: { position, ahead: [] },
  held: new Map(),
  names: new Map(),
  attempts: [],
  lastKey: 0,
})

const start: DeliveryProgress = { position: EventPosition.make(0), ahead: [] }

const retriedEvents = (records: WebhookRecords | undefined): ReadonlyArray<HeldEvent> =>
  [...(records?.held.values() ?? [])]
    .filter(({ state }) => state === "retrying")
    .toSorted((a, b) => Number(b.isInOrder) - Number(a.isInOrder) || a.position - b.position)

const applyRecord = (
  records: WebhookRecords | undefined,
  { attempt, held, progress }: WebhookRecord,
): void => {
  if (records === undefined) return
  records.progress = progress
  if (attempt !== null) addAttempt(records, attempt)
  switch (held?._tag) {
    case "Drop":
      records.held.delete(held.position)
      return
    case "Hold": {
      const { event } = held
      if (records.held.get(event.position)?.state !== "skipped") records.held.set(event.position, event)
      return
    }
    case undefined:
      return
  }
  held satisfies never
}

const addAttempt = (records: WebhookRecords, attempt: Attempt): void => {
  records.lastKey++
  records.attempts.push({ ...attempt, key: AttemptKey.make(records.lastKey) })
  const firstTries = records.attempts.filter(isFirstTry)
  const removed = new Set(firstTries.slice(0, Math.max(0, firstTries.length - firstTriesKept)))
  records.attempts = records.attempts.filter((one) => !removed.has(one)).slice(-attemptsKeptMax)
}

const skip = (records: WebhookRecords | undefined, attempt: Attempt, now: EpochMillis): boolean => {
  const event = records?.held.get(attempt.position)
  if (records === undefined || event?.state !== "retrying") return false
  records.held.set(event.position, { ...event, state: "skipped", heldAt: now })
  addAttempt(records, skippedAttempt(attempt, event.attempts + 1, now))
  return true
}

const sendAgain = (records: WebhookRecords | undefined, { attempt, now, receivedAt }: SendAgain): void => {
  if (records === undefined) return
  const { position } = attempt
  const event = records.held.get(position)
  if (event?.state === "retrying") {
    records.held.set(position, { ...event, nextAt: now })
    return
  }
  const numbers = records.attempts.filter((one) => one.position === position).map(({ number }) => number)
  const attempts = Math.max(attempt.number, ...numbers)
  records.held.set(
    position,
    sentAgain({ position, receivedAt, attempts, subject: event?.subject ?? null }, now),
  )
}

const recover = (records: WebhookRecords | undefined, since: EpochMillis, now: EpochMillis): number => {
  const events = [...(records?.held.values() ?? [])].filter(({ receivedAt }) => receivedAt >= since)
  for (const event of events) {
    const isRetried = event.state === "retrying"
    records?.held.set(event.position, isRetried ? { ...event, nextAt: now } : sentAgain(event, now))
  }
  return events.length
}

const prune = (records: WebhookRecords, now: EpochMillis): void => {
  const before = now - attemptRetentionMs
  records.attempts = records.attempts.filter((attempt) => attempt.at >= before || isFirstTry(attempt))
  for (const event of records.held.values()) {
    if (event.state !== "retrying" && event.heldAt < before) records.held.delete(event.position)
  }
  for (const { at, sequence } of records.names.values()) {
    if (at < now - retriedForMs) records.names.delete(sequence)
  }
}
